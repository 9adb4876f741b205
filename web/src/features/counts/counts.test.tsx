import { QueryClientProvider } from '@tanstack/react-query';
import { channel } from '@tara/contract/wire/realtime';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { storePushAccount } from '../../lib/push-choice.ts';
import { queryClient } from '../../lib/queries.ts';
import { showNotification, stubPushBrowser } from '../../testing/push-browser.ts';
import { sampleCounts, sampleSession } from '../../testing/samples.ts';
import { StubSocket, stubServer } from '../../testing/stub-server.ts';
import { PageTitle } from '../../ui/Page.tsx';
import { sessionQuery } from '../accounts/index.ts';
import { useCounts, useCountUpdates } from './counts.ts';

const COUNTS = 'GET /api/counts/own';
const server = stubServer();

beforeAll(() => {
  vi.stubGlobal('WebSocket', StubSocket);
});
beforeEach(() => {
  queryClient.setQueryData(sessionQuery.queryKey, sampleSession('Ana'));
});
afterEach(cleanup);

const answer = (plans: number, conversations: number, messageRequests: number) =>
  server.answer(COUNTS, 200, sampleCounts({ plans, conversations, messageRequests }));
const calls = () => server.requests.filter(({ line }) => line === COUNTS).length;

function Shell({ isSignedIn = true }) {
  useCountUpdates(isSignedIn);
  const counts = useCounts();
  return (
    <>
      <PageTitle title="Saved" />
      <p>{counts ? [counts.plans, counts.conversations, counts.messageRequests].join(' ') : 'unknown'}</p>
    </>
  );
}
const show = (isSignedIn = true) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Shell isSignedIn={isSignedIn} />
    </QueryClientProvider>,
  );

test('the counts are read once, and once more for all events of a moment', async () => {
  answer(1, 2, 3);
  show();
  expect(calls()).toBe(0);
  await screen.findByText('1 2 3');
  expect(document.title).toBe('(3) Saved · Tara');
  expect(calls()).toBe(1);
  answer(0, 100, 0);
  act(() => {
    for (const name of ['chats', 'chatReceipts', 'conversationOwners', 'planInteractions'] as const)
      StubSocket.publish(channel.collection(name));
  });
  await screen.findByText('0 100 0');
  expect(document.title).toBe('(99+) Saved · Tara');
  expect(calls()).toBe(2);
});

test('the app’s icon keeps what it showed last until the counts are known', async () => {
  const badges: string[] = [];
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void badges.push(`${count}`),
    clearAppBadge: async () => void badges.push('none'),
  });
  answer(1, 2, 0);
  show();
  await screen.findByText('1 2 0');
  await vi.waitFor(() => expect(badges).toEqual(['3']));
  for (const name of ['setAppBadge', 'clearAppBadge']) Reflect.deleteProperty(navigator, name);
});

test('the counts are read again when a block changes who is seen', async () => {
  answer(1, 2, 0);
  show();
  await screen.findByText('1 2 0');
  answer(0, 1, 0);
  act(() => StubSocket.publish('account'));
  await screen.findByText('0 1 0');
});

test('the counts are read again when somebody is notified, or reads it in another tab', async () => {
  answer(1, 2, 0);
  show();
  await screen.findByText('1 2 0');
  answer(1, 1, 0);
  act(() => StubSocket.publish(channel.notifications));
  await screen.findByText('1 1 0');
});

test('a device that gets pushes closes those of what was read, here or elsewhere', async () => {
  const browser = stubPushBrowser();
  storePushAccount('Ana');
  for (const tag of ['notification-1', 'notification-2']) showNotification(browser, tag);
  server.answer('POST /api/notification/findRead', 200, { read: [] });
  answer(0, 0, 0);
  show();
  await screen.findByText('0 0 0');
  server.answer('POST /api/notification/findRead', 200, { read: ['notification-1'] });
  act(() => StubSocket.publish(channel.notifications));
  await vi.waitFor(() => expect(browser.shown.map(({ tag }) => tag)).toEqual(['notification-2']), 20_000);
  storePushAccount(null);
});

test('a message that arrives elsewhere is marked as received, one’s own is not', async () => {
  const MARK = 'POST /api/chat/mark';
  answer(1, 0, 0);
  server.answer(MARK, 200, { delivered: 7, read: 0, unread: 7 });
  show();
  await screen.findByText('1 0 0');
  act(() => {
    StubSocket.publish(channel.collection('chats'), { chatId: 'own', sequence: 3, userId: 'Ana' });
    StubSocket.publish(channel.collection('chats'), { chatId: 'AnaBen', sequence: 7, userId: 'Ben' });
  });
  await vi.waitFor(() => expect(server.requests.map(({ line }) => line)).toContain(MARK), 20_000);
  expect(server.requests.filter(({ line }) => line === MARK)).toEqual([
    { line: MARK, body: { chatId: 'AnaBen', delivered: 7 } },
  ]);
});

test('nothing waits for a guest', async () => {
  answer(1, 0, 0);
  const { rerender } = show();
  await screen.findByText('1 0 0');
  rerender(
    <QueryClientProvider client={queryClient}>
      <Shell isSignedIn={false} />
    </QueryClientProvider>,
  );
  expect(document.title).toBe('Saved · Tara');
  expect(calls()).toBe(1);
});
