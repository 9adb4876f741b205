import type { ConversationRow } from '@tara/contract/messages/conversations';
import type { Message } from '@tara/contract/messages/messages';
import { channel } from '@tara/contract/wire/realtime';
import { act, cleanup, configure, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { queryClient } from '../lib/queries.ts';
import {
  sampleConversationRow,
  sampleCounts,
  sampleMessage,
  samplePage,
  samplePerson,
  sampleSession,
} from '../testing/samples.ts';
import { renderApp } from '../testing/screen.tsx';
import { StubSocket, stubServer } from '../testing/stub-server.ts';

const LIST = 'GET /api/message/conversations';
const PATIENT = 20_000;
const server = stubServer();

beforeAll(() => {
  configure({ asyncUtilTimeout: PATIENT });
  vi.stubGlobal('WebSocket', StubSocket);
});
afterEach(cleanup);

const ben = sampleConversationRow({ id: 'ben', lastSequence: 4 });
const cora = sampleConversationRow({
  ...{ id: 'cora', mixId: 'AnaCora', person: samplePerson('Cora'), preview: 'Bukas?', lastSequence: 7 },
});
const message = (part: Partial<Message>) =>
  sampleMessage({
    ...{ chatId: 'cora', sequence: 8, userId: 'Cora', name: 'Cora', body: 'Tara!' },
    ...{ createdAt: '2026-01-03T03:04:05.000+00:00', ...part },
  });
const publish = (part: Partial<Message>) =>
  act(() => StubSocket.publish(channel.collection('chats'), message(part)));
const answerList = (...rows: ConversationRow[]) => server.answer(LIST, 200, samplePage(rows));
const countListCalls = () => server.requests.filter(({ line }) => line === LIST).length;
const names = () =>
  screen
    .getAllByRole('link', { name: /Verified/ })
    .filter((link) => link.getAttribute('href')?.startsWith('/chats/'))
    .map(({ textContent }) => textContent);

/** Opens the list after its socket has opened, which fetches it again. */
async function openList(...rows: ConversationRow[]) {
  server.answer('GET /api/account/session', 200, sampleSession('Ana'));
  server.answer('GET /api/counts/own', 200, sampleCounts());
  answerList(...rows);
  renderApp('/chats');
  await screen.findByRole('link', { name: /^Ben/ });
  await vi.waitFor(() => expect(countListCalls()).toBe(2), PATIENT);
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0), PATIENT);
}

test('the list has 25 skeletons while it loads (§9-skeletons-chat-list)', async () => {
  server.answer('GET /api/account/session', 200, sampleSession('Ana'));
  answerList(ben);
  server.hold([LIST]);
  renderApp('/chats');
  expect((await screen.findByRole('status', { name: 'Loading chats' })).children).toHaveLength(25);
  server.release();
  await screen.findByRole('link', { name: /^Ben/ });
});

test('a message changes preview, time, unread count and order without a request (§7-realtime-chats)', async () => {
  await openList(ben, cora);
  await publish({});
  await screen.findByText('Tara!');
  await publish({ sequence: 9, body: '', picture: { ...samplePerson('Cora').picture, imageUrl: '/x' } });
  await screen.findByText('Photo');
  expect(names()).toEqual([
    expect.stringMatching(/^Cora.*3 Jan.*Photo22 unread$/),
    expect.stringMatching(/^Ben.*See you at six\.$/),
  ]);
  // One's own, from another device.
  await publish({ chatId: 'ben', sequence: 5, userId: 'Ana', body: 'On my way' });
  await screen.findByText('On my way');
  expect(names()[0]).toMatch(/^Ben.*You: On my way$/);
  // Taken back; and an older one that changes nothing here.
  await publish({ chatId: 'ben', sequence: 5, userId: 'Ana', body: 'message unsent', unsent: true });
  await publish({ chatId: 'ben', sequence: 2, body: 'message unsent', unsent: true });
  await screen.findByText('message unsent');
  expect(countListCalls()).toBe(2);
});

test('what the list does not know is fetched once (§7-realtime-chats)', async () => {
  await openList(ben);
  answerList(cora, ben);
  await publish({});
  await publish({ sequence: 9 });
  act(() => StubSocket.publish(channel.collection('conversationOwners'), { chatId: 'cora' }));
  await screen.findByRole('link', { name: /^Cora/ });
  expect(countListCalls()).toBe(3);
  // A message was missed in between.
  answerList({ ...cora, preview: 'The newest', lastSequence: 12 }, ben);
  await publish({ sequence: 12 });
  await screen.findByText('The newest');
  expect(countListCalls()).toBe(4);
});
