import { notifications } from '@tara/contract/notifications/notifications';
import { expect, test, vi } from 'vitest';
import { stubServer } from '../../testing/stub-server.ts';
import { leaveSeen, noteSeen, useSeen } from './seen.ts';

const server = stubServer();
const mark = (...ids: string[]) => ({ line: `POST ${notifications.markRead.path}`, body: { ids } });
const waitPastPause = () => new Promise((done) => setTimeout(done, 600));

test('what is seen within a moment is marked as read by one request', async () => {
  noteSeen('a');
  noteSeen('b');
  noteSeen('a');
  await vi.waitFor(() => expect(server.requests).toEqual([mark('a', 'b')]));
  await waitPastPause();
  expect(server.requests).toEqual([mark('a', 'b')]);
  leaveSeen();
});

test('what was seen right before the list is left is marked at once, and once', async () => {
  // The pause never ends.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  noteSeen('c');
  leaveSeen();
  vi.useRealTimers();
  expect(useSeen.getState().ids.size).toBe(0);
  await vi.waitFor(() => expect(server.requests).toEqual([mark('c')]));
  leaveSeen();
  await waitPastPause();
  expect(server.requests).toEqual([mark('c')]);
});
