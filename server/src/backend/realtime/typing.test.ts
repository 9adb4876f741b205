import { channel } from '@tara/contract/wire/realtime';
import { afterEach, expect } from 'vitest';
import type { WebSocket } from 'ws';
import { findChat, openChat } from '../../features/messages/index.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { backendTest } from '../../testing/backend/backend.ts';
import { realtimeClient } from '../../testing/backend/realtime-client.ts';
import { addMember, type TestMember } from '../../testing/features/sessions.ts';

const open = new Set<WebSocket>();
const test = backendTest()
  .extend('ana', { scope: 'file' }, ({ connection }) => addMember(connection))
  .extend('ben', { scope: 'file' }, ({ connection }) => addMember(connection))
  .extend(
    'connect',
    { scope: 'file' },
    ({ backend }) =>
      async (secret: string | null, ...channels: string[]) => {
        const client = realtimeClient(backend.url, secret);
        open.add(client.socket);
        expect(await client.next()).toMatchObject({ type: 'connected' });
        client.say('subscribe', [{ subscriptionId: 's1', channels }]);
        expect(await client.next()).toMatchObject({ type: 'response' });
        return client;
      },
  )
  .extend('begin', { scope: 'file' }, ({ database, ana, ben }) => async () => {
    const id = newId();
    const asMember = ({ accountId, profileId }: TestMember) => ({ id: profileId, accountId });
    await database.transaction((transaction) =>
      openChat(transaction, {
        ...{ id, kind: 'conversation', first: asMember(ana), second: asMember(ben) },
        ...{ expiresAt: null, awaitsId: null },
      }),
    );
    return id;
  });

afterEach(() => {
  for (const socket of open) socket.terminate();
  open.clear();
});

const typing = (chatId: string) => ({ status: 'typing', metadata: { chatId } });

test('typing reaches who looks at the chat, and no client of the documents’ wire', async ({
  database,
  ana,
  ben,
  begin,
  connect,
}) => {
  const chatId = await begin();
  const page = channel.document('conversations', chatId);
  const writer = await connect(ana.secret, page);
  const looking = await connect(ben.secret, page);
  const elsewhere = await connect(ben.secret, channel.document('conversations', 'other'));
  const wire = await connect(ben.secret, 'documents', `databases.tara.${page}`);
  const viewer = { ...ana, hiddenProfileIds: [] } as unknown as Viewer;
  writer.say('presence', typing(chatId));
  expect(await writer.untilNow()).toEqual([]);
  expect(await looking.untilNow()).toEqual([]);
  await findChat(database, viewer, chatId);
  writer.say('presence', { ...typing(chatId), status: 'away' });
  expect(await writer.untilNow()).toEqual([]);
  expect(await looking.untilNow()).toEqual([]);
  writer.say('presence', typing(chatId));
  writer.say('presence', typing(chatId));
  const { type, data } = await looking.next();
  expect(type).toBe('event');
  expect(data).toMatchObject({ subscriptions: ['s1'], payload: { typing: ana.profileId, $id: chatId } });
  for (const client of [writer, looking, elsewhere, wire]) expect(await client.untilNow()).toEqual([]);
});

test('other presence of a client is accepted and answered to members if named; malformed presence is refused', async ({
  ana,
  connect,
}) => {
  const named = { status: 'away', presenceId: 'p1', permissions: ['read("any")'], metadata: { a: [1] } };
  const answers = [
    [await connect(ana.secret, 'documents'), { type: 'response', data: { presence: { $id: 'p1' } } }],
    [await connect(null, 'documents'), { type: 'error', data: { code: 1003 } }],
  ] as const;
  for (const [client, answer] of answers) {
    client.say('presence', named);
    expect(await client.next()).toMatchObject(answer);
    client.say('presence', { status: 'typing' });
    client.say('presence', { status: 'typing', metadata: { chatId: 7 } });
    client.say('presence', typing('no-such-chat'));
    expect(await client.untilNow()).toEqual([]);
    for (const malformed of [undefined, {}, { status: 7 }, { status: 'typing', metadata: 'c1' }]) {
      client.say('presence', malformed);
      expect(await client.next()).toMatchObject({ type: 'error', data: { code: 1003 } });
    }
  }
});
