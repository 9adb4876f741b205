import { bucketLimit } from '@tara/contract/files';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { renderScreen } from '../testing/screen.tsx';
import { problem, stubServer } from '../testing/stub-server.ts';
import { useForm } from './form.tsx';
import { Form, SubmitButton } from './form-fields.tsx';
import { PhotoField } from './photo-field.tsx';

const UPLOAD = 'POST /v1/storage/buckets/verificationFiles/files';
const server = stubServer();

afterEach(cleanup);

const Picture = z.strictObject({ imageId: z.string().check(z.minLength(1, 'Please add a picture.')) });

function Example({ send }: { send: (picture: { imageId: string }) => Promise<unknown> }) {
  const form = useForm({
    schema: Picture,
    defaultValues: { imageId: '' },
    leaveWarning: 'The picture will be lost.',
    send,
  });
  return (
    <Form form={form} label="Picture">
      <PhotoField form={form} name="imageId" label="Your ID" prompt="Add it" bucket="verificationFiles" />
      <SubmitButton form={form}>Send</SubmitButton>
    </Form>
  );
}

const jpegStart = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);

function makeFile(type: string, size?: number): File {
  const file = new File([jpegStart], 'photo.jpg', { type });
  if (size !== undefined) Object.defineProperty(file, 'size', { value: size });
  return file;
}

const heicWords =
  'Unsupported File Type - Only JPG, JPEG, and PNG files are allowed. This is a HEIC photo: share it as JPG first. For new ones choose Settings, Camera, Formats, Most Compatible on your iPhone.';
const makeHeic = (type: string) => new File([jpegStart], 'IMG_0042.HEIC', { type });

// Other files can still be dropped: the chooser's own filter does not keep them out.
const user = userEvent.setup({ applyAccept: false });
const picker = () => screen.getByLabelText<HTMLInputElement>('Your ID');
const choose = (file: File) => user.upload(picker(), file);
const submit = () => user.click(screen.getByRole('button', { name: 'Send' }));
const error = () => {
  const id = picker().getAttribute('aria-describedby');
  return id && document.getElementById(id)?.textContent;
};

async function show() {
  const send = vi.fn(async () => {});
  const router = await renderScreen(<Example send={send} />);
  return { send, router };
}

test.each([
  [
    'a film (§8-file-type, §5-image-type-notice)',
    makeFile('video/mp4'),
    'Unsupported File Type - Only JPG, JPEG, and PNG files are allowed.',
  ],
  ['a HEIC photo, with what to do', makeHeic('image/heic'), heicWords],
  ['a HEIC photo of an unknown type, with what to do', makeHeic(''), heicWords],
  [
    'a picture above 20 MB (§8-file-size, §5-image-size-notice, §9-upload-general)',
    makeFile('image/png', bucketLimit.verificationFiles + 1),
    'Invalid File Size - File size exceeds the maximum allowed size (20 MB).',
  ],
])('%s is refused at its field before it is sent, until it is mended', async (_, file, words) => {
  const { send } = await show();
  await choose(file);
  expect(error()).toBe(words);
  await submit();
  expect(error()).toBe(words);
  expect(server.requests).toEqual([]);
  expect(send).not.toHaveBeenCalled();
  server.answer(UPLOAD, 201, { $id: 'abc' });
  await choose(makeFile('image/jpeg'));
  await expect.poll(error).not.toBe(words);
});

test('the error of a file stays at its field until it is mended (§8-file-errors)', async () => {
  await show();
  await choose(makeFile('video/mp4'));
  await submit();
  const words = 'Unsupported File Type - Only JPG, JPEG, and PNG files are allowed.';
  expect(error()).toBe(words);
  server.answer(UPLOAD, 201, { $id: 'abc' });
  await choose(makeFile('image/jpeg'));
  await expect.poll(error).not.toBe(words);
});

test('a file that is not an image is refused at its field (§8-not-an-image), logged (§8-not-an-image-logged), and not sent (§8-not-an-image-unsent)', async () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await show();
  await choose(new File(['a letter'], 'photo.jpg', { type: 'image/jpeg' }));
  await expect.poll(error).toBe('The file is not an image.');
  expect(logged).toHaveBeenCalledOnce();
  expect(server.requests).toEqual([]);
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  logged.mockRestore();
});

test('sending the form waits for the picture and carries its id', async () => {
  server.answer(UPLOAD, 201, { $id: 'abc' });
  const { send } = await show();
  await choose(makeFile('image/jpeg'));
  await submit();
  await expect.poll(() => send.mock.calls).toEqual([[{ imageId: 'abc' }]]);
});

test('a picture that could not be sent holds the form back until it is sent again', async () => {
  const { status, body } = problem(503, 'general_unavailable', { text: 'please try again' });
  server.answer(UPLOAD, status, body);
  const { send } = await show();
  await choose(makeFile('image/jpeg'));
  await submit();
  await expect.poll(error).toBe('Title of general_unavailable - please try again');
  expect(send).not.toHaveBeenCalled();
  server.answer(UPLOAD, 201, { $id: 'abc' });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await submit();
  await expect.poll(() => send.mock.calls).toEqual([[{ imageId: 'abc' }]]);
});

test('a picture that the server found wrong is not sent again', async () => {
  const { status, body } = problem(400, 'storage_invalid_file');
  server.answer(UPLOAD, status, body);
  await show();
  await choose(makeFile('image/jpeg'));
  await expect.poll(error).toBe('Title of storage_invalid_file');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(screen.queryByRole('img')).toBeNull();
});

test('a picture that was not stored yet is unsaved work', async () => {
  const { status, body } = problem(503, 'general_unavailable');
  server.answer(UPLOAD, status, body);
  const { router } = await show();
  await choose(makeFile('image/jpeg'));
  await screen.findByRole('button', { name: 'Try again' });
  void router.navigate({ to: '/elsewhere' as never });
  await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await user.click(screen.getByRole('button', { name: 'Leave' }));
  await screen.findByText('At /elsewhere');
});

test('a removed picture is deleted, and a form that needs one says so', async () => {
  server.answer(UPLOAD, 201, { $id: 'abc' });
  server.answer('DELETE /v1/storage/buckets/verificationFiles/files/abc', 204);
  const { send } = await show();
  await choose(makeFile('image/jpeg'));
  await user.click(await screen.findByRole('button', { name: 'Remove photo' }));
  await expect.poll(() => server.requests.at(-1)?.line).toMatch(/^DELETE .*abc$/);
  await submit();
  expect(error()).toBe('Please add a picture.');
  expect(send).not.toHaveBeenCalled();
});
