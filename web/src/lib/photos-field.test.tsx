import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { renderScreen } from '../testing/screen.tsx';
import { useForm } from './form.tsx';
import { Form, SubmitButton } from './form-fields.tsx';
import { PhotosField, storedPhotos } from './photos-field.tsx';
import { uploadPicture } from './upload.ts';

vi.mock('./upload.ts', async (original) => ({
  ...(await original<typeof import('./upload.ts')>()),
  uploadPicture: vi.fn(),
  isDisplayable: async () => true,
  deleteFile: vi.fn(),
}));
const uploads = new Map<string, PromiseWithResolvers<string>>();
const send = vi.fn(async (_fields: { imageIds: string[] }) => ({}));
const schema = z.strictObject({ imageIds: z.pipe(z.array(z.string()), z.transform(storedPhotos)) });

function Example() {
  const form = useForm({ schema, defaultValues: { imageIds: ['old'] }, leaveWarning: null, send });
  return (
    <Form form={form} label="Photos">
      <PhotosField form={form} name="imageIds" label="Photos" prompt="Add photos" limit={3} inUse={['old']} />
      <SubmitButton form={form}>Send</SubmitButton>
    </Form>
  );
}

const user = userEvent.setup({ applyAccept: false });
const photo = (name: string, type = 'image/png') => new File([name], name, { type });
const choose = (...files: File[]) => user.upload(screen.getByLabelText('Add photos'), files);
const finish = async (name: string) => {
  await vi.waitFor(() => expect(uploads.has(name)).toBe(true));
  uploads.get(name)?.resolve(`id-${name}`);
};
const submit = () => user.click(screen.getByRole('button', { name: 'Send' }));

beforeEach(async () => {
  uploads.clear();
  send.mockClear();
  vi.mocked(uploadPicture).mockImplementation((file) => {
    const upload = Promise.withResolvers<string>();
    uploads.set(file.name, upload);
    return upload.promise;
  });
  await renderScreen(<Example />);
});
afterEach(cleanup);

test('photos keep the order in which they were chosen, whichever upload ends first', async () => {
  await choose(photo('a'), photo('b'));
  await finish('b');
  await finish('a');
  await submit();
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith({ imageIds: ['old', 'id-a', 'id-b'] }));
});

test('each photo can be removed, also the record’s own', async () => {
  await choose(photo('a'));
  await finish('a');
  await user.click(await screen.findByRole('button', { name: 'Remove photo 1' }));
  await submit();
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith({ imageIds: ['id-a'] }));
});

test('more than the limit are refused, and the rest is taken', async () => {
  await choose(photo('a'), photo('b'), photo('c'));
  expect(await screen.findAllByText('At most 3 photos.')).not.toEqual([]);
  expect(screen.queryByLabelText('Add photos')).toBeNull();
  await finish('a');
  await finish('b');
  await submit();
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith({ imageIds: ['old', 'id-a', 'id-b'] }));
});

test('a file that is not a picture is refused and not sent', async () => {
  await choose(photo('notes', 'text/plain'));
  expect(await screen.findAllByText(/^Unsupported File Type/)).not.toEqual([]);
  expect(uploads.size).toBe(0);
});

test('an upload that failed keeps the form from being sent, until it is repeated', async () => {
  await choose(photo('a'));
  await vi.waitFor(() => expect(uploads.has('a')).toBe(true));
  uploads.get('a')?.reject(new TypeError('Failed to fetch'));
  const retry = await screen.findByRole('button', { name: 'Try again' });
  await submit();
  expect(send).not.toHaveBeenCalled();
  uploads.clear();
  await user.click(retry);
  await finish('a');
  await submit();
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith({ imageIds: ['old', 'id-a'] }));
});
