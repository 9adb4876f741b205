import { describe, expect, it } from 'vitest';
import { fileProblem, urlAtWidth } from './files.ts';
import { upload } from './limits.ts';
import { invalidFileSize, notices } from './notices.ts';
import { problemMessage } from './problems.ts';

describe('Images', () => {
  const megabyte = 1024 * 1024;
  it.each([
    ['image/jpeg', 20 * megabyte, 'images', null],
    ['image/png', 1, 'images', null],
    ['image/jpeg', 20 * megabyte + 1, 'images', 'storage_invalid_file_size'],
    ['image/jpeg', 5 * megabyte, 'messageFiles', null],
    ['image/jpeg', 5 * megabyte + 1, 'messageFiles', 'storage_invalid_file_size'],
    ['image/jpeg', 20 * megabyte, 'verificationFiles', null],
    ['image/png', 20 * megabyte + 1, 'verificationFiles', 'storage_invalid_file_size'],
    ['image/svg+xml', 1, 'images', 'storage_file_type_unsupported'],
    ['application/pdf', 1, 'verificationFiles', 'storage_file_type_unsupported'],
    ['', 1, 'messageFiles', 'storage_file_type_unsupported'],
  ] as const)('%s of %i bytes in %s: %s', (type, size, bucket, problem) => {
    expect(fileProblem({ type, size }, bucket)).toBe(problem);
  });

  it('a WebP is not taken (§5-image-types, §9-upload-types)', () => {
    expect(fileProblem({ type: 'image/webp', size: 1 }, 'images')).toBe('storage_file_type_unsupported');
  });

  it('has the texts of the specification', () => {
    expect(problemMessage('storage_file_type_unsupported')).toBe(
      'Unsupported File Type - Only JPG, JPEG, and PNG files are allowed.',
    );
    expect(notices.unsupportedFileType).toEqual({
      title: 'Unsupported File Type',
      text: 'Only JPG, JPEG, and PNG files are allowed.',
    });
    const size = (text: string) => ({ title: 'Invalid File Size', text });
    expect(invalidFileSize(upload.images)).toEqual(
      size('File size exceeds the maximum allowed size (20 MB).'),
    );
    expect(invalidFileSize(upload.messageFiles)).toEqual(
      size('File size exceeds the maximum allowed size (5 MB).'),
    );
  });
});

it('pictures of posts and grids have the quality 30 (§9-quality-posts), unless another is given', () => {
  expect(urlAtWidth('/picture?project=tara', 640)).toBe('/picture?project=tara&width=640&quality=30');
  expect(urlAtWidth('/picture', 96, 10)).toBe('/picture?width=96&quality=10');
});
