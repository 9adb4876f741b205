import { nowDate, nowMs } from '@tara/contract/clock';
import { secondFactorMs } from '@tara/contract/limits';
import { channel } from '@tara/contract/wire/realtime';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { setAdmin } from '../../features/accounts/index.ts';
import { hashPassword } from '../../features/accounts/password.ts';
import { newId } from '../../platform/ids.ts';
import { linkOf, startBackend } from '../../testing/backend/backend.ts';
import { realtimeTest } from '../../testing/backend/realtime.ts';
import { realtimeClient } from '../../testing/backend/realtime-client.ts';
import { addMember, showSecondFactor } from '../../testing/features/sessions.ts';

const test = realtimeTest();

const collection = 'databases.tara.collections.chatReceipts.documents';

test('announces a change to those who may read it, on each of its channels (threat-guessed-ids)', async ({
  ana,
  ben,
  listening,
  announce,
}) => {
  const byCollection = await listening(ana, collection);
  const byDocument = await listening(ana, `${collection}.m1`);
  const byAll = await listening(ana, 'documents');
  const byConversation = await listening(ana, 'databases.tara.collections.conversationReceipts.documents.c1');
  const elsewhere = await listening(ana, `${collection}.m2`);
  const stranger = await listening(ben, collection, 'documents', `${collection}.m1`);
  announce({ alsoOn: [channel.document('conversationReceipts', 'c1')] });
  for (const client of [byCollection, byDocument, byAll, byConversation]) {
    const { type, data } = await client.next();
    expect(type).toBe('event');
    expect(data.events[0]).toBe(`${collection}.m1.create`);
    expect(data.events).toContain('databases.*.collections.*.documents.*.create');
    expect(data.channels).toEqual(expect.arrayContaining(['documents', collection, `${collection}.m1`]));
    expect(data.payload).toMatchObject({
      id: 'm1',
      body: 'hello',
      $id: 'm1',
      $collectionId: 'chatReceipts',
      $databaseId: 'tara',
    });
    expect(data.timestamp).toMatch(/^\d{4}-.*\.\d{3}\+00:00$/);
    expect(data.subscriptions).toEqual(['s1']);
  }
  expect(await stranger.untilNow()).toEqual([]);
  expect(await elsewhere.untilNow()).toEqual([]);
});

test('announces to members what is for members, to admins what is for admins, to guests nothing (threat-leaking-replies)', async ({
  connection,
  ana,
  connect,
  listening,
  announce,
}) => {
  const admin = await listening(await addMember(connection, { labels: ['admin'] }), 'documents');
  const member = await listening(ana, 'documents');
  const unconfirmed = await listening(await addMember(connection, { emailVerified: false }), 'documents');
  const leaver = await addMember(connection);
  await connection.sql`update accounts set deletes_at = now() + interval '1 day' where id = ${leaver.accountId}`;
  const leaving = await listening(leaver, 'documents');
  const guest = await connect(null);
  expect((await guest.next()).data).toEqual({ channels: [], user: null, subscriptions: [] });
  guest.say('subscribe', [{ subscriptionId: 's1', channels: ['documents', 'account'] }]);
  await guest.next();
  announce({ id: 'a', audience: 'members' });
  announce({ id: 'b', audience: 'admins' });
  const ids = async (client: typeof admin) => (await client.untilNow()).map(({ data }) => data.payload.$id);
  expect(await ids(admin)).toEqual(['a', 'b']);
  expect(await ids(member)).toEqual(['a']);
  expect(await ids(unconfirmed)).toEqual([]);
  expect(await ids(leaving)).toEqual([]);
  expect(await ids(guest)).toEqual([]);
});

test('names the subscriptions an event is for, and stops with unsubscribe', async ({
  ana,
  listening,
  announce,
}) => {
  const client = await listening(ana, collection);
  client.say('subscribe', [{ subscriptionId: 's2', channels: ['documents'] }]);
  await client.next();
  announce();
  expect((await client.next()).data.subscriptions.toSorted()).toEqual(['s1', 's2']);
  client.say('unsubscribe', [{ subscriptionId: 's1' }, { subscriptionId: 'unknown' }]);
  expect((await client.next()).data.subscriptions).toEqual([
    { subscriptionId: 's1', removed: true },
    { subscriptionId: 'unknown', removed: false },
  ]);
  announce();
  expect((await client.next()).data.subscriptions).toEqual(['s2']);
  // Without an id it gets one, in the place of the message.
  client.say('subscribe', [{ channels: [collection] }, { subscriptionId: 's2', channels: ['files'] }]);
  const [unnamed, named] = (await client.next()).data.subscriptions;
  expect([unnamed.channels, named.subscriptionId]).toEqual([[collection], 's2']);
  announce();
  expect((await client.next()).data.subscriptions).toEqual([unnamed.subscriptionId]);
});

test('takes the channels of the oldest wire, and the slots of the middle one, from the address', async ({
  ana,
  connect,
  announce,
}) => {
  const oldest = await connect(ana.secret, {
    query: `project=tara&channels[]=${collection}&channels[]=account`,
  });
  expect((await oldest.next()).data).toMatchObject({
    channels: [collection, 'account', `account.${ana.accountId}`],
    subscriptions: [],
  });
  const all = encodeURIComponent('{"method":"select","values":["*"]}');
  const named = 'channels[]=documents&channels[0][]=documents';
  const slots = `${named}&documents[0][]=${all}&documents[3][]=${all}&${collection}[3][]=${all}`;
  const middle = await connect(ana.secret, { query: `project=tara&${slots}` });
  expect((await middle.next()).data.subscriptions).toEqual({ 0: '0', 3: '3' });
  announce();
  expect((await oldest.next()).type).toBe('event');
  expect((await middle.next()).data.subscriptions.toSorted()).toEqual(['0', '3']);
});

test('signs a socket in by message, subscription following back to back', async ({
  ana,
  connect,
  announce,
}) => {
  const client = await connect(null);
  await client.next();
  client.say('authentication', { session: 'nonsense' });
  expect(await client.next()).toMatchObject({ type: 'error', data: { code: 1003 } });
  client.say('authentication', { session: ana.secret });
  client.say('subscribe', [{ subscriptionId: 's1', channels: ['documents'] }]);
  expect((await client.next()).data).toMatchObject({
    to: 'authentication',
    success: true,
    user: { $id: ana.accountId },
  });
  await client.next();
  announce();
  expect((await client.next()).type).toBe('event');
});

test('sends nothing to a session that ended, from the moment it did (threat-stolen-sessions)', async ({
  connection,
  backend,
  listening,
  announce,
}) => {
  const carla = await addMember(connection);
  const client = await listening(carla, 'documents', 'account');
  await connection.sql`delete from sessions where id = ${carla.sessionId}`;
  backend.platform.bus.publish('viewerChanged', { accountId: carla.accountId });
  announce({ audience: [carla.accountId] });
  expect(await client.closed).toBe(4401);
  expect(client.heard()).toEqual([]);
});

test('closes the sockets of a member who signs out', async ({ connection, backend, listening }) => {
  const carla = await addMember(connection);
  const client = await listening(carla, 'documents');
  const response = await fetch(`${backend.url}/v1/account/sessions/current`, {
    method: 'DELETE',
    headers: { 'x-appwrite-session': carla.secret },
  });
  expect(response.status).toBe(204);
  expect(await client.closed).toBe(4401);
});

test('notices a label that a command gives while the server runs', async ({
  connection,
  database,
  listening,
  announce,
}) => {
  const dan = await addMember(connection);
  await showSecondFactor(database, dan.accountId);
  const client = await listening(dan, 'documents', 'account');
  await setAdmin(database, dan.email, true);
  // The account's own change is announced once the server has received it.
  expect((await client.next()).data).toMatchObject({
    events: expect.arrayContaining([`users.${dan.accountId}.update`]),
    payload: { labels: ['admin'] },
  });
  announce({ audience: 'admins' });
  expect((await client.next()).data.payload.$id).toBe('m1');
  await setAdmin(database, dan.email, false);
  await client.next();
  announce({ audience: 'admins' });
  expect(await client.untilNow()).toEqual([]);
});

test('announces nothing of admins to an admin’s session without the second factor, also once its 12 hours are over (threat-stolen-admin-sessions)', async ({
  backend,
  connection,
  listening,
  announce,
}) => {
  onTestFinished(() => void vi.useRealTimers());
  const admin = await addMember(connection, { labels: ['admin'] });
  const setShownAt = async (shownAt: Date | null) => {
    await connection.sql`update sessions set second_factor_shown_at = ${shownAt?.toISOString() ?? null} where id = ${admin.sessionId}`;
    backend.platform.bus.publish('viewerChanged', { accountId: admin.accountId });
  };
  await setShownAt(null);
  const client = await listening(admin, 'documents');
  const received = async () => {
    announce({ audience: 'admins' });
    return (await client.untilNow()).length;
  };
  expect(await received()).toBe(0);
  await setShownAt(nowDate());
  await vi.waitFor(async () => expect(await received()).toBe(1));
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs() + secondFactorMs + 1000 });
  expect(await received()).toBe(0);
});

test('announces an account’s own change to it alone', async ({ backend, connection, listening }) => {
  const [carla, dan] = [await addMember(connection), await addMember(connection)];
  const [client, other] = [await listening(carla, 'account'), await listening(dan, 'account')];
  const change = async (field: string, value: unknown) => {
    const response = await fetch(`${backend.url}/v1/account/${field}`, {
      method: 'PATCH',
      headers: { 'x-appwrite-session': carla.secret, 'content-type': 'application/json' },
      body: JSON.stringify({ [field]: value }),
    });
    const user = await response.json();
    const { data } = await client.next();
    expect(data.payload).toEqual(user);
    return data.events;
  };
  const id = carla.accountId;
  const own = [`users.${id}`, 'users.*'];
  const update = own.map((name) => `${name}.update`);
  expect(await change('name', 'Carla Reyes')).toEqual([...update, ...own]);
  const prefs = own.map((name) => `${name}.update.prefs`);
  expect(await change('prefs', { theme: 'dark' })).toEqual([...update, ...prefs, ...own]);
  expect(await other.untilNow()).toEqual([]);
});

describe('of an account, to it alone and without a secret (threat-leaking-replies), are announced', () => {
  /** A member who listens to their account, beside another who tries to. */
  const ownTest = test.extend(
    'listener',
    ({ backend, connection, listening }) =>
      async (member: Parameters<typeof addMember>[1] = {}) => {
        const [carla, dan] = [await addMember(connection, member), await addMember(connection)];
        const client = await listening(carla, 'account');
        const other = await listening(dan, 'account', `account.${carla.accountId}`);
        const user = `users.${carla.accountId}`;
        return {
          carla,
          client,
          other,
          async call(method: string, path: string, body?: object, secret = carla.secret) {
            const response = await fetch(`${backend.url}/v1/account${path}`, {
              method,
              headers: { 'x-appwrite-session': secret, 'content-type': 'application/json' },
              ...(body && { body: JSON.stringify(body) }),
            });
            expect(response.ok, `${method} ${path}`).toBe(true);
            const reply: unknown = response.status === 204 ? {} : await response.json();
            return reply as { $id: string; secret: string; expire: string };
          },
          /** The next event of a kind; those of the account itself come between. */
          async next(kind: string) {
            for (;;) {
              const { data } = await client.next();
              if (!data.events.some((name: string) => name.includes(`.${kind}.`))) continue;
              expect(data.channels).toEqual(['account', `account.${carla.accountId}`]);
              expect(data.payload).toMatchObject({ userId: carla.accountId, secret: '' });
              return data;
            }
          },
          /** The names of an event, as the wire has them. */
          names: (kind: string, id: string, change: string) => [
            ...[user, 'users.*'].flatMap((one) =>
              [id, '*'].map((part) => `${one}.${kind}.${part}.${change}`),
            ),
            ...[user, 'users.*'].flatMap((one) => [id, '*'].map((part) => `${one}.${kind}.${part}`)),
            ...[user, 'users.*'],
          ],
        };
      },
  );
  const password = 'kape at pandesal 7';

  ownTest('its sessions', async ({ listener, backend }) => {
    const email = `${newId()}@example.com`;
    const passwordHash = await hashPassword(password, { ip: '' });
    const { call, next, names, other } = await listener({ email, passwordHash });
    const session = await call('POST', '/sessions/email', { email, password }, '');
    expect(session.secret).not.toBe('');
    const begun = await next('sessions');
    expect(begun.events).toEqual(names('sessions', session.$id, 'create'));
    expect(begun.payload).toEqual({ ...session, current: false, secret: '' });
    const extended = await call('PATCH', `/sessions/${session.$id}`);
    expect((await next('sessions')).payload).toEqual({ ...extended, current: false });
    await call('PATCH', '/sessions/current');
    expect((await next('sessions')).payload).toMatchObject({ current: true });
    await call('DELETE', `/sessions/${session.$id}`);
    const ended = await next('sessions');
    expect(ended.events).toEqual(names('sessions', session.$id, 'delete'));
    expect(ended.payload).toEqual({ ...extended, current: false });
    expect(await other.untilNow()).toEqual([]);
    await backend.mails();
  });

  ownTest('its recoveries', async ({ listener, backend }) => {
    const { carla, call, next, names, client, other } = await listener();
    const url = `${backend.platform.config.publicUrl}/reset-password`;
    await backend.mails();
    await call('POST', '/recovery', { email: carla.email, url });
    const link = linkOf((await backend.mails()).at(-1)).searchParams;
    const creation = await next('recovery');
    expect(creation.events).toEqual(names('recovery', creation.payload.$id, 'create'));
    const words = { password, passwordAgain: password };
    await call('PUT', '/recovery', { userId: link.get('userId'), secret: link.get('secret'), ...words });
    expect((await next('recovery')).events).toEqual(names('recovery', creation.payload.$id, 'update'));
    expect(await client.closed).toBe(4401);
    expect(await other.untilNow()).toEqual([]);
  });

  ownTest('its verifications', async ({ listener, backend }) => {
    const { call, next, names, other } = await listener({ emailVerified: false });
    const url = `${backend.platform.config.publicUrl}/confirming`;
    await backend.mails();
    const verification = await call('POST', '/verifications/email', { url });
    const creation = await next('verification');
    expect(creation.events).toEqual(names('verification', verification.$id, 'create'));
    expect(creation.payload).toEqual(verification);
    const link = linkOf((await backend.mails()).at(-1)).searchParams;
    await call('PUT', '/verifications/email', { userId: link.get('userId'), secret: link.get('secret') });
    expect((await next('verification')).events).toEqual(names('verification', verification.$id, 'update'));
    expect(await other.untilNow()).toEqual([]);
  });
});

test('announces the end of all sessions to each before it is closed', async ({
  backend,
  connection,
  listening,
}) => {
  const carla = await addMember(connection);
  const client = await listening(carla, 'account');
  await fetch(`${backend.url}/v1/account/sessions`, {
    method: 'DELETE',
    headers: { 'x-appwrite-session': carla.secret },
  });
  const { data } = await client.next();
  expect(data.events[0]).toMatch(new RegExp(`^users\\.${carla.accountId}\\.sessions\\.\\w+\\.delete$`));
  expect(data.payload).toMatchObject({ current: true, secret: '' });
});

test('answers a request that wants no upgrade with 404', async ({ backend }) => {
  const response = await fetch(`${backend.url}/v1/realtime?project=tara`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ type: 'general_route_not_found' });
});

test('a page that names no project and no database gets its own, whatever their ids are', async ({
  connection,
  ana,
  open,
  message,
}) => {
  const other = await startBackend(connection, { PROJECT_ID: 'other', DATABASE_ID: 'elsewhere' });
  try {
    const client = realtimeClient(other.url, null, {
      query: '',
      headers: { cookie: `a_session_other=${ana.secret}` },
    });
    open.add(client.socket);
    expect(await client.next()).toMatchObject({ type: 'connected' });
    client.say('subscribe', [
      { subscriptionId: 's1', channels: [channel.document('chatReceipts', 'm1')], queries: [] },
    ]);
    expect(await client.next()).toMatchObject({ type: 'response' });
    other.platform.bus.publish('document', message());
    const { data } = await client.next();
    expect(data.events).toEqual(['databases.elsewhere.collections.chatReceipts.documents.m1.create']);
    expect(data.payload.$databaseId).toBe('elsewhere');
  } finally {
    await other.close();
  }
});
