import { timer } from '@tara/contract/limits';
import { invalidFileSize, notices } from '@tara/contract/notices';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toasts } from '../../ui/toast.ts';
import { useIdentityPhoto } from './use-identity-photo.ts';

beforeEach(() => toasts.set([]));
afterEach(cleanup);

function fileOf(type: string, size: number): File {
  const file = new File(['x'], 'photo', { type });
  Object.defineProperty(file, 'size', { value: size });
  return file;
}

test.each([
  ['a film', fileOf('video/mp4', 10), notices.unsupportedFileType],
  ['a picture above 20 MB', fileOf('image/png', 20_971_521), invalidFileSize(20_971_520)],
])('%s is refused in the words of §8 for 3 s, before it is sent', (_, file, words) => {
  const { result } = renderHook(() => useIdentityPhoto());
  act(() => result.current.picker.onPick([file]));
  expect(toasts.get()).toMatchObject([{ ...words, duration: timer.formToast }]);
  expect(result.current).toMatchObject({ chosen: false, sending: false, id: null });
});
