import { allCalls } from '@tara/contract/all';
import type { Call } from '@tara/contract/calls';
import { type About, eachAboutText } from '@tara/contract/members/profiles';
import { callUrl } from '@tara/contract/url';
import { type CollectionId, collectionIds, documents } from '@tara/contract/wire/documents';
import { channel } from '@tara/contract/wire/realtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realtimeClient } from '../testing/backend/realtime-client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { type Read, readAddresses } from '../testing/matrix/block-reads.ts';
import {
  exceptions,
  findRule,
  ownReads,
  ownTables,
  publicReads,
  writes,
} from '../testing/matrix/block-rules.ts';
import { type BlockWorld, blockWorld, type WorldMember } from '../testing/matrix/block-world.ts';
import { newDataDir, type Started, startServer } from '../testing/start.ts';

const everyCall = Object.entries(allCalls).flatMap(([table, calls]) =>
  Object.entries(calls).map(([name, call]) => ({ table, name: `${table}.${name}`, call })),
);
/** What leads a browser on shows nothing. */
const isRead = ({ call }: { call: Call }) => call.method === 'GET' && call.status !== 302;
/** Admins at work see everybody (decision 0033). */
const isMembers = ({ name, call }: { name: string; call: Call }) =>
  call.access !== 'admin' && !publicReads.includes(name);
/** Reads of documents are one for each collection. */
const reads = everyCall
  .filter((entry) => isRead(entry) && isMembers(entry))
  .flatMap(({ table, name, call }): Read[] =>
    table === 'documents'
      ? collectionIds.map((collectionId) => [`${name} ${collectionId}`, call, collectionId])
      : [[name, call, null]],
  );

const isOwn = (name: string) =>
  ownReads.includes(name) || ownTables.some((table) => name.startsWith(`${table}.`));

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof newDataDir>>;
let server: Started;
let world: BlockWorld;
/** Of every document that one of the three lists while nobody is blocked. */
const documentPaths: string[] = [];

const ask = (who: WorldMember, path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, {
    ...init,
    headers: {
      'x-appwrite-session': who.secret,
      ...(init.body ? { 'content-type': 'application/json' } : {}),
    },
  });

/** What a text shows of a member: ids and words. `permitted` is what the exception of §6 names. */
function findShown({ ids, word, planId }: WorldMember, text: string, permitted: string[] = []): string[] {
  const rest = permitted.reduce((left, part) => left.replaceAll(part, ''), text);
  return [...ids, planId, word].filter((part) => rest.includes(part));
}

/** Everything that a reader gets by one call about the other, in one text; a picture is its address. */
async function readAll(read: Read, reader: WorldMember, other: WorldMember): Promise<string> {
  const readOne = async (path: string) => {
    const reply = await ask(reader, path);
    if (reply.status >= 500) throw new Error(`${path} answered ${reply.status}`);
    const isJson = reply.headers.get('content-type')?.includes('json') === true;
    const text = await reply.text();
    // An error repeats nothing but the rules of its fields.
    if (!reply.ok) return '';
    return isJson ? text : path;
  };
  const paths = readAddresses(read, world, other, documentPaths);
  const texts: string[] = [];
  // More at once would be answered that the server is busy.
  while (paths.length > texts.length)
    texts.push(...(await Promise.all(paths.slice(texts.length, texts.length + 20).map(readOne))));
  return texts.join('\n');
}

type Snapshot = Map<string, string>;
const snapshots: Record<'before' | 'muted' | 'blocked', Snapshot> = {
  before: new Map(),
  muted: new Map(),
  blocked: new Map(),
};
const pairs = () => [
  { reader: world.ana, other: world.ben },
  { reader: world.ben, other: world.ana },
];

async function findDocuments(): Promise<void> {
  const paths = new Set<string>();
  for (const collectionId of collectionIds) {
    for (const member of [world.ana, world.ben, world.cora]) {
      const params = { databaseId: 'tara', collectionId };
      const reply = await ask(member, callUrl(documents.list, { params }));
      for (const { $id } of (await readDocuments(reply, collectionId)).documents)
        paths.add(callUrl(documents.get, { params: { ...params, documentId: $id } }));
    }
  }
  documentPaths.push(...paths);
}

async function readDocuments(reply: Response, collectionId: CollectionId) {
  if (!reply.ok) throw new Error(`${collectionId}: ${await reply.text()}`);
  return (await reply.json()) as { documents: { $id: string }[] };
}

async function takeSnapshot(snapshot: Snapshot): Promise<void> {
  for (const read of reads) {
    for (const { reader, other } of pairs())
      snapshot.set(`${read[0]} ${reader.word}`, await readAll(read, reader, other));
  }
}

const act = async (who: WorldMember, path: string, body: object, method = 'POST') => {
  const reply = await ask(who, path, { method, body: JSON.stringify(body) });
  return { status: reply.status, text: await reply.text() };
};

beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), newDataDir()]);
  server = await startServer({ DATABASE_URL: database.url, DATA_DIR: folder.path }, ['--empty']);
  world = await blockWorld(database.database, server.url ?? '');
  const { ana, ben } = world;
  await findDocuments();
  await takeSnapshot(snapshots.before);
  for (const { reader, other } of pairs())
    await act(reader, '/api/visibility/mute', { profileId: other.profileId });
  await takeSnapshot(snapshots.muted);
  const blocked = await act(ana, '/api/visibility/block', { profileId: ben.profileId });
  expect(blocked.status).toBe(200);
  await takeSnapshot(snapshots.blocked);
}, 240_000);
afterAll(async () => {
  await server.stop();
  await Promise.all([database.drop(), folder.remove()]);
});

describe('a read of the contract', () => {
  it.each(reads)('%s shows nothing of a blocked member (threat-blocked-members)', (name) => {
    const isShown = pairs().some(({ reader, other }) =>
      Object.values(snapshots).some(
        (texts) => findShown(other, texts.get(`${name} ${reader.word}`) ?? '').length > 0,
      ),
    );
    // Else the call is not classified: what it reads is missing in `blockWorld`.
    expect(isShown, 'something of the other is shown while nobody is blocked').toBe(!isOwn(name));
    for (const { reader, other } of pairs()) {
      const key = `${name} ${reader.word}`;
      const permitted = (exceptions[name] ?? (() => []))(other);
      expect(findShown(other, snapshots.blocked.get(key) ?? '', permitted), 'shown after').toEqual([]);
    }
  });

  it.each(reads.filter(([name]) => !/[.](get|view|preview)\b/.test(name)))(
    '%s shows no post, comment or review of a muted member',
    (name) => {
      for (const { reader, other } of pairs()) {
        const text = snapshots.muted.get(`${name} ${reader.word}`) ?? '';
        expect(other.content.filter((content) => text.includes(content))).toEqual([]);
      }
    },
  );

  it('named in the rules exists', () => {
    const names = new Set([...everyCall.map(({ name }) => name), ...reads.map(([name]) => name)]);
    expect([...Object.keys(exceptions), ...Object.keys(writes)].filter((name) => !names.has(name))).toEqual(
      [],
    );
  });
});

describe('a write of the contract', () => {
  const entries = everyCall
    .filter((entry) => !isRead(entry) && isMembers(entry) && !ownTables.includes(entry.table))
    .map(({ name, call }) => [name, call] as const);
  it.each(entries)('%s reaches nothing of a blocked member', async (name, call) => {
    const write = findRule(name, call);
    if (write === undefined) throw new Error(`${name} is not classified in block-rules.ts`);
    if (write.kind === 'own') return;
    for (const { reader, other } of pairs()) {
      const path = write.path?.(other) ?? call.path;
      const { status, text } = await act(reader, path, write.body(other, reader, world), call.method);
      expect([status, text]).toEqual([expect.any(Number), expect.stringContaining(write.answer)]);
      const permitted = write.permitted?.(other) ?? [];
      expect(findShown(other, text, permitted)).toEqual([]);
    }
  });
});

/** Types by a socket of a member in chats that are read a moment before; returns when the server saw it. */
async function type(who: WorldMember, chatIds: readonly string[]): Promise<void> {
  for (const chatId of chatIds) await ask(who, `/api/chat/${chatId}/messages`);
  const client = realtimeClient(server.url ?? '', who.secret);
  await client.next();
  for (const chatId of chatIds) client.say('presence', { status: 'typing', metadata: { chatId } });
  await client.untilNow();
  client.socket.close();
}

it('no realtime channel shows a blocked member, and requests show a name alone (threat-blocked-members)', async () => {
  const channels = (other: WorldMember) => [
    'documents',
    ...collectionIds.map(channel.collection),
    channel.document('posts', other.postId),
    channel.document('users', other.profileId),
    channel.document('reviews', other.reviewId),
    channel.document('conversations', world.shared.conversation.id),
    ...Object.values(world.conversationIds).map((id) => channel.document('conversations', id)),
    channel.document('conversationOwners', other.profileId),
    ...world.shared.receiptIds.map((id) => channel.document('conversationReceipts', id)),
  ];
  const listeners = await Promise.all(
    pairs().map(async ({ reader, other }) => {
      const client = realtimeClient(server.url ?? '', reader.secret);
      await client.next();
      client.say('subscribe', [{ subscriptionId: 's', channels: channels(other), queries: [] }]);
      await client.next();
      return { client, reader, other };
    }),
  );
  const done = async (...call: Parameters<typeof act>) => {
    const { status, text } = await act(...call);
    expect(status, text).toBe(200);
  };
  const { cora } = world;
  const heard = realtimeClient(server.url ?? '', cora.secret);
  await heard.next();
  heard.say('subscribe', [{ subscriptionId: 's', channels: channels(world.ben), queries: [] }]);
  await heard.next();
  for (const { reader, other } of pairs()) {
    await done(reader, '/api/post/quick', { caption: `${reader.word}caption again` });
    await done(reader, '/api/post/like', { postId: reader.postId });
    await done(reader, '/api/review/like', { reviewId: reader.reviewId });
    await done(reader, '/api/review/createComment', {
      ...{ reviewId: reader.reviewId, body: `${reader.word}comment again`, clientKey: 'while-heard' },
    });
    await done(reader, '/api/profile/updateAbout', {
      ...eachAboutText((name) => (name === 'bio' ? `${reader.word} bio again` : '')),
      ...{ birthDate: '1990-01-01', phoneNumber: '' },
    } satisfies About);
    const { conversation, receiptIds } = world.shared;
    await done(reader, '/api/message/sendMessage', {
      ...{ convoId: world.conversationIds[reader.word], body: `${reader.word} message again` },
      clientKey: 'while-heard',
    });
    await type(reader, [conversation.id, ...receiptIds, world.conversationIds[reader.word] ?? '']);
    await act(other, '/api/message/markRead', { mixId: conversation.mixId });
    await act(other, '/api/message/deleteChat', { convoId: conversation.id });
    for (const chatId of [conversation.id, ...receiptIds])
      await act(other, '/api/chat/mark', { chatId, delivered: 2, read: 2 });
    const [open = ''] = world.shared.interactionIds;
    await act(other, '/api/plan/acceptRequest', { interactionId: open });
    await act(other, '/api/plan/cardDown', { interactionId: open });
  }
  const control = JSON.stringify(await heard.untilNow());
  for (const { word, profileId } of [world.ana, world.ben]) {
    // Of a profile, a post and a comment: what the others must not receive is sent.
    for (const text of [`${word} bio again`, `${word}caption again`, `${word}comment again`])
      expect(control).toContain(text);
    expect(control).toContain(`"typing":"${profileId}"`);
  }
  for (const { client, other } of listeners) {
    const frames = await client.untilNow();
    for (const frame of frames) {
      const isRequest = JSON.stringify(frame).includes('planInteractions');
      const permitted = isRequest ? [other.name, other.planTitle, other.planId] : [];
      expect(findShown(other, JSON.stringify(frame), permitted)).toEqual([]);
    }
    client.socket.close();
  }
  heard.socket.close();
});
