import { Agent, type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { accounts } from '@tara/contract/accounts/accounts';
import { counts } from '@tara/contract/counts';
import { files } from '@tara/contract/files';
import { conversations } from '@tara/contract/messages/conversations';
import { sharedPlans } from '@tara/contract/plans/shared-plans';
import { posts } from '@tara/contract/posts/posts';
import { callUrl } from '@tara/contract/url';
import { account } from '@tara/contract/wire/account';
import { storage } from '@tara/contract/wire/storage';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { hashPassword } from './features/accounts/password.ts';
import { newId } from './platform/ids.ts';
import { realtimeClient } from './testing/backend/realtime-client.ts';
import { insertConversation } from './testing/features/conversations.ts';
import { pictureBytes } from './testing/features/pictures.ts';
import { addMember, type TestMember } from './testing/features/sessions.ts';
import { startTest } from './testing/process.ts';

const password = 'known to its owner';
/** Behind which a carrier puts all of them. */
const carrier = { 'x-forwarded-for': '203.0.113.9' };
/** One who is not behind it. */
const elsewhere = { 'x-forwarded-for': '198.51.100.7' };
const json = { 'content-type': 'application/json' };
/** The connections of a browser. */
const openBrowser = () => new Agent({ keepAlive: true, maxSockets: 6 });

/** A member's phone, with what the server gave it. */
interface Phone {
  member: TestMember;
  browser: Agent;
  conversationId: string;
  session: string;
  deviceCookie: string;
  pictureId: string;
}

interface Sent {
  browser: Agent;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends a request, as browsers do once more where the connection was closed for having been idle. */
function exchange(address: string, { browser, method, headers, body }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sending = request(address, { agent: browser, method, headers }, resolve);
    sending.on('error', (error) => {
      if (sending.reusedSocket) resolve(exchange(address, { browser, method, headers, body }));
      else reject(error);
    });
    sending.end(body);
  });
}

const test = startTest
  .extend('phones', { scope: 'file' }, async ({ connection, database }) => {
    const passwordHash = await hashPassword(password, {});
    const join = () => addMember(connection, { passwordHash });
    const pairs = Array.from({ length: 100 }, async (): Promise<Phone[]> => {
      const [one, other] = [await join(), await join()];
      const { id: conversationId } = await insertConversation(database, one, other);
      const phone = { conversationId, session: '', deviceCookie: '', pictureId: '' };
      return [one, other].map((member) => ({ ...phone, member, browser: openBrowser() }));
    });
    return (await Promise.all(pairs)).flat();
  })
  .extend('carrierNetwork', async ({ start }) => {
    const server = await start({ RATE_LIMITS: 'on', TRUST_PROXY: '1' }, '--empty');
    const counts = new Map<string, number>();
    const count = (answer: string) => counts.set(answer, (counts.get(answer) ?? 0) + 1);
    /** Whether it refuses a guest of another address as well: the whole machine is too busy. */
    const refusesAll = async () => {
      const response = await exchange(`${server.url}/terms`, { browser: openBrowser(), headers: elsewhere });
      await readText(response);
      return response.statusCode === 503;
    };
    return {
      url: server.url ?? '',
      count,
      send: async (what: string, path: string, { headers: own, ...sent }: Sent) => {
        for (;;) {
          const response = await exchange(`${server.url}${path}`, {
            ...sent,
            headers: { ...own, ...carrier },
          });
          const { statusCode, headers } = response;
          const text = await readText(response);
          // Nobody is refused for their neighbours then: it is sent again when the server says, as the app does.
          if (statusCode === 503 && (await refusesAll())) {
            await delay(1000 * Number(headers['retry-after']));
            continue;
          }
          count(`${what}: ${statusCode}`);
          return { headers, text };
        }
      },
      /** How often each kind of request was answered with which status, since it was asked the last time. */
      takeCounts: () => {
        const taken = Object.fromEntries(counts);
        counts.clear();
        return taken;
      },
    };
  })
  .extend('actions', ({ carrierNetwork: { url, send, count } }) => {
    const as = ({ session, browser }: Phone) => ({ browser, headers: { 'x-appwrite-session': session } });
    const post = (what: string, path: string, body: object, { browser, headers }: Sent) =>
      send(what, path, {
        ...{ browser, method: 'POST', headers: { ...json, ...headers } },
        body: JSON.stringify(body),
      });
    return {
      signIn: async (phone: Phone) => {
        const cookie: Record<string, string> =
          phone.deviceCookie === '' ? {} : { cookie: phone.deviceCookie };
        const { browser, member } = phone;
        const form = { email: member.email, password };
        const sent = { browser, headers: cookie };
        const { headers } = await post('sign-in', account.createEmailSession.path, form, sent);
        const cookies = (headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '');
        phone.session = cookies.find((one) => one.startsWith('a_session_'))?.split('=')[1] ?? '';
        phone.deviceCookie = cookies.find((one) => one.startsWith('a_device_')) ?? '';
      },
      signUp: () => {
        const email = `${newId()}@example.com`;
        const consent = { isAdult: true, acceptsTerms: true };
        const form = { name: 'Guest', username: 'guest', email, password: 'not to be guessed', ...consent };
        return post('sign-up', accounts.signUp.path, form, { browser: openBrowser() });
      },
      /** A guest opens a public page and the sign-in page, with the files of a page, and a link that has ended. */
      visit: () => {
        const browser = openBrowser();
        const assets = Array.from({ length: 20 }, (_, index) =>
          send('file', `/assets/none-${index}.js`, { browser }),
        );
        const pages = ['/terms', '/sign-in'].map((path) =>
          send('page', path, { browser, headers: { accept: 'text/html' } }),
        );
        return Promise.all([
          ...pages,
          ...assets,
          send('no session', accounts.session.path, { browser }),
          send('sign-in page', accounts.demo.path, { browser }),
          send('ended link', `${sharedPlans.open.path}?token=${newId()}`, { browser }),
        ]);
      },
      listen: async (phone: Phone) => {
        const channels = ['collections.chats.documents', 'collections.posts.documents', 'account'];
        const query = ['project=tara', ...channels.map((name) => `channels[]=${name}`)].join('&');
        const client = realtimeClient(url, phone.session, { query, headers: carrier });
        count(`socket: ${await Promise.race([client.next().then(({ type }) => type), client.closed])}`);
        return client;
      },
      openApp: (phone: Phone) =>
        Promise.all(
          [accounts.session, posts.feed, conversations.list, counts.own].map(({ path }) =>
            send('list', path, as(phone)),
          ),
        ),
      write: (phone: Phone) => {
        const message = { convoId: phone.conversationId, body: 'See you at eight', clientKey: newId() };
        return post('message', conversations.sendMessage.path, message, as(phone));
      },
      upload: async (phone: Phone, picture: Buffer) => {
        const form = new FormData();
        form.append('file', new Blob([Uint8Array.from(picture)], { type: 'image/jpeg' }), 'a.jpg');
        const encoded = new Response(form);
        const { browser, headers } = as(phone);
        const { text } = await send('upload', callUrl(files.create, { params: { bucketId: 'images' } }), {
          ...{ browser, method: 'POST' },
          headers: { ...headers, 'content-type': encoded.headers.get('content-type') ?? '' },
          body: Buffer.from(await encoded.arrayBuffer()),
        });
        phone.pictureId = /"\$id":"([^"]+)"/.exec(text)?.[1] ?? '';
      },
      look: (phone: Phone) => {
        const params = { bucketId: 'images', fileId: phone.pictureId } as const;
        const view = callUrl(storage.view, { params });
        const preview = callUrl(storage.preview, { params });
        return Promise.all(
          [view, `${preview}?quality=30`, `${preview}?width=32`].map((path) =>
            send('picture', path, as(phone)),
          ),
        );
      },
    };
  });

const repeat = <Result>(count: number, action: () => Result) => Array.from({ length: count }, action);

test('none of 200 members, and of guests, behind one address is refused for the others in a peak (threat-shared-addresses)', async ({
  phones,
  actions: { signIn, signUp, visit, listen, openApp, write, upload, look },
  carrierNetwork: { takeCounts },
}) => {
  const picture = await pictureBytes({ width: 64, height: 48 });
  const allDo = (action: (phone: Phone) => Promise<unknown>) => Promise.all(phones.map(action));

  // On phones that the server does not know.
  await Promise.all([allDo(signIn), ...repeat(30, signUp), ...repeat(50, visit)]);
  const signedIn = takeCounts();
  expect(signedIn, JSON.stringify(signedIn)).toMatchObject({
    ...{ 'sign-in: 201': 200, 'sign-up: 200': 30, 'ended link: 404': 50 },
  });
  const clients = await Promise.all(phones.map(listen));
  expect(takeCounts()).toEqual({ 'socket: connected': 200 });
  await allDo(openApp);
  expect(takeCounts()).toEqual({ 'list: 200': 800 });
  await allDo((phone) => Promise.all(repeat(3, () => write(phone))));
  expect(takeCounts()).toEqual({ 'message: 200': 600 });
  await allDo((phone) => upload(phone, picture));
  expect(takeCounts()).toEqual({ 'upload: 201': 200 });
  await allDo(look);
  expect(takeCounts()).toEqual({ 'picture: 200': 600 });

  // And everything at once.
  await Promise.all([
    ...phones.slice(0, 30).map((phone) => signIn({ ...phone })),
    ...phones.slice(30, 60).map((phone) => signIn({ ...phone, deviceCookie: '' })),
    ...[openApp, write, look].map(allDo),
    ...phones.map((phone) => upload({ ...phone }, picture)),
    ...repeat(10, signUp),
    ...repeat(50, visit),
  ]);
  const counts = takeCounts();
  const refused = Object.keys(counts).filter((answer) => /: (429|5\d\d)$/.test(answer));
  expect(refused, JSON.stringify(counts)).toEqual([]);
  expect(counts).toMatchObject({
    ...{ 'sign-in: 201': 60, 'sign-up: 200': 10, 'list: 200': 800, 'message: 200': 200 },
    ...{ 'picture: 200': 600, 'upload: 201': 200, 'ended link: 404': 50, 'no session: 401': 50 },
  });
  expect(clients.filter(({ socket }) => socket.readyState !== WebSocket.OPEN)).toEqual([]);
  for (const { socket } of clients) socket.terminate();
});
