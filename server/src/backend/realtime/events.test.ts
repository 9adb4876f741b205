import type { Document } from '@tara/contract/wire/documents';
import { channel } from '@tara/contract/wire/realtime';
import { expect } from 'vitest';
import { type DocumentChange, type FileChange, noOwners, ownChange } from '../../platform/documents.ts';
import { announcedRecord, friendlyOrigin } from '../../testing/backend/backend.ts';
import { realtimeTest } from '../../testing/backend/realtime.ts';
import { insertBlock } from '../../testing/features/members.ts';
import { addMember } from '../../testing/features/sessions.ts';

/** What happens when a record is read, by its id; null: it was deleted. */
const records = new Map<string, (() => Promise<void>) | null>();
const test = realtimeTest(async (change, viewer) => {
  const reading = records.get(change.id);
  if (reading === null) return null;
  await reading?.();
  return announcedRecord(change, viewer);
}).extend('records', async ({ ana: _ }, { onCleanup }) => {
  onCleanup(() => records.clear());
  return records;
});

const collection = 'databases.tara.collections.chatReceipts.documents';

test('filters each subscription by its queries, in the address and by message', async ({
  ana,
  connect,
  listening,
  announce,
}) => {
  const hello = JSON.stringify({ method: 'equal', attribute: 'body', values: ['hello'] });
  const bye = JSON.stringify({ method: 'equal', attribute: 'body', values: ['bye'] });
  const slots = `channels[]=documents&documents[0][]=${encodeURIComponent(hello)}&documents[1][]=${encodeURIComponent(bye)}`;
  const middle = await connect(ana.secret, { query: `project=tara&${slots}` });
  expect((await middle.next()).data.subscriptions).toEqual({ 0: '0', 1: '1' });
  const oldest = await connect(ana.secret, {
    query: `project=tara&channels[]=documents&channels[]=${collection}&queries[]=${encodeURIComponent(hello)}`,
  });
  await oldest.next();
  const newest = await listening(ana, 'account');
  newest.say('subscribe', [
    { subscriptionId: 'hello', channels: ['documents'], queries: [hello] },
    { subscriptionId: 'bye', channels: ['documents'], queries: [bye] },
    { subscriptionId: 'all', channels: [collection], queries: [] },
  ]);
  await newest.next();
  announce();
  expect((await middle.next()).data.subscriptions).toEqual(['0']);
  expect((await newest.next()).data.subscriptions.toSorted()).toEqual(['all', 'hello']);
  announce({ document: { body: 'neither' } });
  expect((await newest.next()).data.subscriptions).toEqual(['all']);
  expect(await middle.untilNow()).toEqual([]);
  expect((await oldest.untilNow()).map(({ data }) => data.payload.body)).toEqual(['hello']);

  const refused = encodeURIComponent(JSON.stringify({ method: 'search', attribute: 'body', values: ['x'] }));
  const client = await connect(ana.secret, {
    query: `project=tara&channels[]=documents&documents[0][]=${refused}`,
  });
  expect(await client.next()).toMatchObject({ type: 'error', data: { code: 1008 } });
  expect(await client.closed).toBe(1008);
});

test('has channels for one kind of change, and all names of an event', async ({
  ana,
  listening,
  announce,
}) => {
  const created = await listening(ana, `${collection}.create`);
  const changed = await listening(ana, 'documents.update', `${collection}.m1.update`);
  announce();
  announce({ change: 'update' });
  announce({ change: 'delete' });
  const events = await created.untilNow();
  expect(events.map(({ data }) => data.events[0])).toEqual([`${collection}.m1.create`]);
  expect(events[0]?.data.events).toHaveLength(22);
  expect(new Set(events[0]?.data.events).size).toBe(22);
  expect(events[0]?.data.events).toEqual(
    expect.arrayContaining([
      'databases.*.collections.*.documents.*',
      'databases.*.collections.chatReceipts',
      'databases.tara',
      'databases.*',
    ]),
  );
  expect(events[0]?.data.channels).toEqual(
    expect.arrayContaining(['documents', 'documents.create', `${collection}.m1`, `${collection}.create`]),
  );
  expect((await changed.untilNow()).map(({ data }) => data.events[0])).toEqual([`${collection}.m1.update`]);
});

test('sends documents in the order of their changes, however long one takes to be read', async ({
  ana,
  listening,
  records,
  announce,
}) => {
  const client = await listening(ana, 'documents');
  const slow = Promise.withResolvers<void>();
  records.set('a', () => slow.promise);
  records.set('c', () => Promise.reject(new Error('The database is away.')));
  for (const id of ['a', 'b', 'c', 'd']) announce({ id });
  expect(await client.untilNow()).toEqual([]);
  slow.resolve();
  for (const id of ['a', 'b', 'd']) expect((await client.next()).data.payload.$id).toBe(id);
});

test.for(['while it waits to be sent', 'before it is sent'])(
  'a record that a member alone reads is not sent after somebody in it blocked them %s (threat-blocked-members)',
  async (when, { backend, connection, records, listening, announce }) => {
    const [carla, dan] = [await addMember(connection), await addMember(connection)];
    const client = await listening(carla, 'documents');
    const save = (id: string) => announce(ownChange(carla, { collection: 'saves', id, change: 'create' }));
    const wasRead = Promise.withResolvers<void>();
    records.set('of Dan', async () => {
      await insertBlock(connection.database, dan, carla);
      backend.platform.bus.publish('viewerChanged', { accountId: carla.accountId });
      // Answered once the socket knows its new viewer.
      if (when === 'before it is sent') await client.untilNow();
      wasRead.resolve();
    });
    save('of Dan');
    await wasRead.promise;
    expect(await client.untilNow()).toEqual([]);
    // What changes nothing of whom they see keeps nothing from them.
    const wasReadAgain = Promise.withResolvers<void>();
    records.set('of Ben', async () => {
      backend.platform.bus.publish('viewerChanged', { accountId: carla.accountId });
      if (when === 'before it is sent') await client.untilNow();
      wasReadAgain.resolve();
    });
    save('of Ben');
    await wasReadAgain.promise;
    expect((await client.next()).data.payload.$id).toBe('of Ben');
    expect(await client.untilNow()).toEqual([]);
  },
);

test('announces a file to the accounts that may read it, its chosen id to its owner alone', async ({
  backend,
  ana,
  ben,
  listening,
}) => {
  const bucket = 'buckets.images.files';
  const byAll = await listening(ana, 'files');
  const byFile = await listening(ana, `${bucket}.mine.create`);
  const other = await listening(ben, 'files', bucket, `${bucket}.f1`);
  const byChosenId = await listening(ben, `${bucket}.mine`);
  const file = { $id: 'mine', bucketId: 'images', name: 'beach.jpg' };
  const announce = (audience: FileChange['audience']) =>
    backend.platform.bus.publish('file', {
      ...{ bucketId: 'images', id: 'f1', ownId: 'mine', change: 'create', document: file },
      ...{ audience, ownerAccountId: ana.accountId },
    });
  announce([ana.accountId]);
  for (const client of [byAll, byFile]) {
    const { data } = await client.next();
    expect(data.payload).toEqual(file);
    expect(data.events).toHaveLength(10);
    expect(data.events[0]).toBe(`${bucket}.mine.create`);
    expect(data.channels).toEqual(expect.arrayContaining(['files', bucket, `${bucket}.mine`]));
  }
  expect(await other.untilNow()).toEqual([]);
  announce('members');
  const { data } = await other.next();
  expect(data.payload).toEqual({ ...file, $id: 'f1' });
  expect(JSON.stringify(data)).not.toContain('mine');
  expect(await byChosenId.untilNow()).toEqual([]);
});

test('announces no file to a member whom its owner blocked (threat-blocked-members)', async ({
  backend,
  connection,
  listening,
}) => {
  const [carla, dan, eve] = [
    await addMember(connection),
    await addMember(connection),
    await addMember(connection),
  ];
  await insertBlock(connection.database, carla, dan);
  const [byDan, byEve] = [await listening(dan, 'files'), await listening(eve, 'files')];
  backend.platform.bus.publish('file', {
    ...{ bucketId: 'images', id: 'f2', ownId: 'mine', change: 'create', document: { $id: 'mine' } },
    ...{ audience: 'members', ownerAccountId: carla.accountId },
  });
  expect((await byEve.next()).data.payload.$id).toBe('f2');
  expect(await byDan.untilNow()).toEqual([]);
});

const withPicture = realtimeTest(async (change) => ({
  parties: [],
  present: ({ pictures }) =>
    ({ $id: change.id, imageUrl: pictures.stored('images', 'f1') }) as unknown as Document,
}));

withPicture(
  'the address of a picture has a file token for pages of another site alone, of a record that few read',
  async ({ ana, connect, announce }) => {
    const listenFrom = async (origin: string) => {
      const client = await connect(ana.secret, { headers: { origin } });
      await client.next();
      client.say('subscribe', [{ subscriptionId: 's1', channels: ['documents'] }]);
      await client.next();
      return client;
    };
    const pages = [await listenFrom('http://localhost:3000'), await listenFrom(friendlyOrigin)];
    const haveTokens = () =>
      Promise.all(pages.map(async (page) => (await page.next()).data.payload.imageUrl.includes('&token=')));
    announce({ audience: [ana.accountId] });
    expect(await haveTokens()).toEqual([false, true]);
    announce({ audience: 'members' });
    expect(await haveTokens()).toEqual([false, false]);
  },
);

test('answers a presence that is named, of members only', async ({ ana, connect }) => {
  const presence = { status: 'online', presenceId: 'here', metadata: { room: 'a' } };
  const member = await connect(ana.secret);
  await member.next();
  member.say('presence', presence);
  expect((await member.next()).data).toMatchObject({
    to: 'presence',
    success: true,
    presence: { $id: 'here', userId: ana.accountId, status: 'online', metadata: { room: 'a' } },
  });
  const guest = await connect(null);
  await guest.next();
  guest.say('presence', presence);
  expect(await guest.next()).toMatchObject({ type: 'error', data: { code: 1003 } });
});

test('sends our own web the part that changed, and reads the document only for clients of the wire', async ({
  ana,
  ben,
  listening,
  records,
  announce,
}) => {
  const posts = channel.collection('posts');
  const change: DocumentChange = {
    collection: 'posts',
    id: 'p1',
    change: 'update',
    document: { totalLikes: 3 },
    audience: 'members',
    owners: noOwners,
  };
  let reads = 0;
  records.set('p1', async () => void reads++);
  const web = await listening(ana, posts);
  announce(change);
  const part = await web.next();
  expect(part.data.payload).toEqual({
    ...{ totalLikes: 3, $id: 'p1', $collectionId: 'posts', $databaseId: 'tara' },
  });
  expect(part.data.events).toEqual(['databases.tara.collections.posts.documents.p1.update']);
  expect(reads).toBe(0);

  const others = [await listening(ben, `databases.tara.${posts}`), await listening(ana, 'documents')];
  announce(change);
  for (const other of others)
    expect((await other.next()).data.payload).toMatchObject({ totalLikes: 3, $permissions: [] });
  expect(reads).toBe(1);
  // What our own web does without is for clients of the wire alone.
  announce({ ...change, clients: 'wire' });
  for (const other of others) expect((await other.next()).data.payload).toMatchObject({ totalLikes: 3 });
  // Passing events, and a deleted document, are not sent.
  announce({ ...change, clients: 'web' });
  records.set('p1', null);
  announce(change);
  for (const other of others) expect(await other.untilNow()).toEqual([]);
  expect((await web.untilNow()).length).toBe(3);
});
