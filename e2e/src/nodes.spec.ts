import { account } from '@tara/contract/accounts/accounts';
import { personalData } from '@tara/contract/accounts/personal-data';
import { conversations } from '@tara/contract/messages/conversations';
import { messages } from '@tara/contract/messages/messages';
import { posts } from '@tara/contract/posts/posts';
import { channel } from '@tara/contract/wire/realtime';
import { type Frame, realtimeClient } from '@tara/server/testing/backend/realtime-client';
import { readAfter } from './chaos/chats.ts';
import { acceptedConversation, writeTo } from './chats.ts';
import type { Nodes } from './nodes/nodes.ts';
import { waitFor } from './outside.ts';
import { photo } from './photos.ts';
import { test as base, expect } from './server-fixture.ts';
import { type Person, password, signIn } from './steps.ts';
import type { Tara } from './tara.ts';

// `npm run e2e -- --project nodes nodes`: what two nodes behind a proxy share.

interface Fixtures {
  /** One node, and the other. */
  pair: readonly [one: Tara, other: Tara];
  /** Listens to channels at a node; the frame that says so is taken. */
  listen: (node: Pick<Tara, 'url'>, who: Person, ...channels: string[]) => Promise<Listener>;
}

interface WorkerFixtures {
  both: Nodes;
  /** Two more nodes without jobs, which count their callers. */
  strict: readonly [Tara, Tara];
}

type Listener = ReturnType<typeof realtimeClient>;

const test = base.extend<Fixtures, WorkerFixtures>({
  both: [
    async ({ nodes }, use) => {
      if (nodes === null) throw new Error('This spec is for the project nodes.');
      await use(nodes);
    },
    { scope: 'worker' },
  ],
  strict: [
    async ({ both }, use) => {
      const env = { ROLE: 'web', RATE_LIMITS: 'on' };
      await use([await both.add(env), await both.add(env)]);
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  pair: async ({ both }, use) => {
    const [one, other] = both.nodes;
    if (one === undefined || other === undefined) throw new Error('There are two nodes.');
    await use([one, other]);
  },
  listen: async ({ browserName: _ }, use) => {
    const sockets = new Set<Listener>();
    await use(async ({ url }, { client }, ...channels) => {
      const query = ['project=tara', ...channels.map((name) => `channels[]=${name}`)].join('&');
      const socket = realtimeClient(url, null, { query, headers: { cookie: client.cookie } });
      sockets.add(socket);
      expect((await socket.next()).type).toBe('connected');
      return socket;
    });
    for (const { socket } of sockets) socket.terminate();
  },
});

/** A person at one node. */
const at = ({ url }: Pick<Tara, 'url'>, who: Person): Person => ({ ...who, client: who.client.at(url) });

/** The next frame that fits; those before it are taken. */
async function nextFrame(socket: Listener, fits: (frame: Frame) => boolean): Promise<Frame> {
  for (;;) {
    const frame = await socket.next();
    if (fits(frame)) return frame;
  }
}

const ownAccount = ({ url }: Pick<Tara, 'url'>, { client }: Person, init: RequestInit = {}, path = '') =>
  fetch(`${url}/v1/account${path}`, { ...init, headers: { cookie: client.cookie } });

test('a message that is sent on one node is seen on the other, live and in the list', async ({
  joinVerified,
  pair: [one, other],
  listen,
}) => {
  const [ana, ben] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const { id } = await acceptedConversation(ana, ben);
  const reader = await listen(other, ben, channel.document('conversations', id));
  for (const text of ['Kumusta?', 'Tara!']) {
    await writeTo(at(one, ana), id, text);
    await nextFrame(reader, ({ data }) => data?.payload?.body === text);
  }
  const { items } = await at(other, ben).client.call(messages.list, {
    params: { chatId: id },
    query: { after: 0, pages: 1 },
  });
  expect(items.map(({ body }) => body)).toEqual(['Hello', 'Kumusta?', 'Tara!']);
});

test('a session that is ended on one node is refused on the other, and its socket closed, within a second', async ({
  join,
  both,
  pair: [one, other],
  listen,
}) => {
  const ana = await join('Ana');
  const stolen = await signIn(both.url, ana.email, password);
  expect((await ownAccount(other, stolen)).status).toBe(200);
  const socket = await listen(other, stolen, 'account');
  const startedAt = performance.now();
  expect((await ownAccount(one, stolen, { method: 'DELETE' }, '/sessions/current')).status).toBe(204);
  expect(await socket.closed).toBe(4401);
  expect((await ownAccount(other, stolen)).status).toBe(401);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect((await ownAccount(other, ana)).status).toBe(200);
});

test('limits count what one client asks of all nodes', async ({ join, strict: [one, other] }) => {
  const ana = await join('Ana');
  const ask = async ({ url }: Tara) => {
    const recovery = { email: ana.email, url: `${url}/recovering` };
    const answer = await fetch(`${url}${account.createRecovery.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(recovery),
    });
    return answer.status;
  };
  const statuses = [];
  for (let number = 0; number < 6; number += 1) statuses.push(await ask(number % 2 === 0 ? one : other));
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  expect(await ask(one)).toBe(429);
});

test('who has a socket on one node is online to a reader on the other, until it closes', async ({
  joinVerified,
  pair: [one, other],
  listen,
}) => {
  const [ana, ben] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const { id } = await acceptedConversation(ana, ben);
  const page = channel.document('conversations', id);
  const reader = await listen(one, ana, page);
  const isOnline = (online: boolean) => (frame: Frame) => frame.data?.payload?.presence?.online === online;
  const writer = await listen(other, ben, page);
  await nextFrame(reader, isOnline(true));
  writer.socket.close();
  await nextFrame(reader, isOnline(false));
});

/** The size of parts that SDKs send (§9). */
const partBytes = 5_242_880;

test('an upload whose parts go to both nodes is one file, which both show', async ({
  join,
  pair: [one, other],
}) => {
  const { client } = await join('Ana');
  const picture = await photo(1);
  const whole = Buffer.concat([picture, Buffer.alloc(2 * partBytes + 1000 - picture.length)]);
  const bucket = '/v1/storage/buckets/images/files';
  let id: string | undefined;
  for (const [index, { url }] of [one, other, one].entries()) {
    const bytes = whole.subarray(index * partBytes, (index + 1) * partBytes);
    const start = index * partBytes;
    const form = new FormData();
    form.set('fileId', 'unique()');
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'large.jpg');
    const answer = await fetch(`${url}${bucket}`, {
      method: 'POST',
      headers: {
        cookie: client.cookie,
        'content-range': `bytes ${start}-${start + bytes.length - 1}/${whole.length}`,
        ...(id === undefined ? {} : { 'x-appwrite-id': id }),
      },
      body: form,
    });
    const file = (await answer.json()) as { $id: string; chunksUploaded: number };
    expect([answer.status, file.chunksUploaded]).toEqual([201, index + 1]);
    id = file.$id;
  }
  const views = [];
  for (const { url } of [one, other]) {
    const view = await fetch(`${url}${bucket}/${id}/view`, { headers: { cookie: client.cookie } });
    expect(view.status).toBe(200);
    views.push(Buffer.from(await view.arrayBuffer()));
  }
  expect(views[0]?.equals(views[1] ?? Buffer.of())).toBe(true);
});

test('a sign-in at another provider that begins on one node ends on the other', async ({
  both,
  provider,
  pair: [one, other],
}) => {
  const email = `ana.${Math.random().toString(36).slice(2)}@e2e.test`;
  provider.person = { sub: email, name: 'Ana Cruz', email, email_verified: true };
  const success = `${both.url}/welcome`;
  const query = new URLSearchParams({ project: 'tara', success, failure: `${both.url}/sign-in` });
  const begun = await fetch(`${one.url}/v1/account/sessions/oauth2/oidc?${query}`, { redirect: 'manual' });
  const cookies = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  const { url: callback } = await provider.open(begun.headers.get('location') ?? '');
  expect(callback.origin).toBe(both.url);
  const ended = await fetch(`${other.url}${callback.pathname}${callback.search}`, {
    headers: { cookie: cookies(begun) },
    redirect: 'manual',
  });
  expect([ended.status, ended.headers.get('location')]).toEqual([302, success]);
  const own = await fetch(`${one.url}/v1/account`, { headers: { cookie: cookies(ended) } });
  expect((await own.json()) as object).toMatchObject({ email, emailVerification: true });
});

test('an export that one node made is downloaded from another', async ({
  join,
  pair: [one],
  strict: [web],
}) => {
  const ana = await join('Ana');
  await at(one, ana).client.call(personalData.requestExport);
  const reader = at(web, ana).client;
  const dataExport = await waitFor('export', async () => {
    const { latestExport } = await reader.call(personalData.get);
    return latestExport !== null && latestExport.expiresAt !== null && latestExport;
  });
  const { url } = await reader.call(personalData.prepareDownload, { body: { id: dataExport.id } });
  const answer = await fetch(new URL(url, web.url), { headers: { cookie: ana.client.cookie } });
  const zip = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, zip.length, zip.subarray(0, 2).toString()]).toEqual([
    200,
    dataExport.sizeBytes,
    'PK',
  ]);
});

test('a node that leaves fails no call, and sends its sockets to the other', async ({
  joinVerified,
  both,
  pair: [, other],
  listen,
}) => {
  const [ana, ben] = [await joinVerified('Ana'), await joinVerified('Ben')];
  const { id } = await acceptedConversation(ana, ben);
  const page = channel.document('conversations', id);
  const leaving = await listen(other, ben, page);
  const failures: string[] = [];
  let hasLeft = false;
  let sent = 0;
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie: ana.client.cookie, 'content-type': 'application/json' };
    const answer = await fetch(`${both.url}${path}`, { ...init, headers });
    if (!answer.ok) failures.push(`${path}: ${answer.status} ${await answer.text()}`);
    else await answer.arrayBuffer();
  };
  const repeat = async (work: () => Promise<void>) => {
    while (!hasLeft) await work().catch((error: unknown) => void failures.push(String(error)));
  };
  const write = () => {
    sent += 1;
    const body = { convoId: id, body: `message ${sent}`, clientKey: crypto.randomUUID(), imageId: null };
    return call(conversations.sendMessage.path, { method: 'POST', body: JSON.stringify(body) });
  };
  const callers = [repeat(() => call(posts.feed.path)), repeat(() => call('/v1/account')), repeat(write)];
  const stopped = other.stop();
  expect(await leaving.closed).toBe(1001);
  const back = await listen(both, ben, page);
  await nextFrame(back, ({ data }) => typeof data?.payload?.sequence === 'number');
  await stopped;
  hasLeft = true;
  await Promise.all(callers);
  expect(failures).toEqual([]);
  expect(sent).toBeGreaterThan(10);
  await other.start();
  await expect.poll(() => fetch(`${other.url}/readyz`).then(({ status }) => status)).toBe(200);
  const stored = await readAfter(at(other, ben), id, 1);
  expect(stored.map(({ body }) => body)).toEqual(stored.map((_, index) => `message ${index + 1}`));
  expect(stored).toHaveLength(sent);
});
