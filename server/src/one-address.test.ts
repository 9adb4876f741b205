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
const json = { 'content-type': 'application/json' };

/** A member's phone, with what the server gave it. */
interface Phone {
  member: TestMember;
  conversationId: string;
  session: string;
  deviceCookie: string;
  pictureId: string;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | FormData;
}

const test = startTest
  .extend('phones', { scope: 'file' }, async ({ connection, database }) => {
    const passwordHash = await hashPassword(password, {});
    const join = () => addMember(connection, { passwordHash });
    const pairs = Array.from({ length: 100 }, async (): Promise<Phone[]> => {
      const [one, other] = [await join(), await join()];
      const { id: conversationId } = await insertConversation(database, one, other);
      const phone = { conversationId, session: '', deviceCookie: '', pictureId: '' };
      return [
        { ...phone, member: one },
        { ...phone, member: other },
      ];
    });
    return (await Promise.all(pairs)).flat();
  })
  .extend('carrierNetwork', async ({ start }) => {
    const server = await start({ RATE_LIMITS: 'on', TRUST_PROXY: '1' }, '--empty');
    const counts = new Map<string, number>();
    const count = (answer: string) => counts.set(answer, (counts.get(answer) ?? 0) + 1);
    return {
      url: server.url ?? '',
      count,
      send: async (what: string, path: string, { headers, ...sent }: Sent = {}) => {
        const answer = () => fetch(`${server.url}${path}`, { ...sent, headers: { ...headers, ...carrier } });
        // As browsers do: a connection that was closed for having been idle is no answer.
        const response = await answer().catch(answer);
        count(`${what}: ${response.status}`);
        return { headers: response.headers, text: Buffer.from(await response.arrayBuffer()).toString() };
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
    const as = ({ session }: Phone) => ({ 'x-appwrite-session': session });
    const post = (what: string, path: string, body: object, headers: Record<string, string> = {}) =>
      send(what, path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
    return {
      signIn: async (phone: Phone) => {
        const cookie: Record<string, string> =
          phone.deviceCookie === '' ? {} : { cookie: phone.deviceCookie };
        const { email } = phone.member;
        const { headers } = await post(
          'sign-in',
          account.createEmailSession.path,
          { email, password },
          cookie,
        );
        const cookies = headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
        phone.session = cookies.find((one) => one.startsWith('a_session_'))?.split('=')[1] ?? '';
        phone.deviceCookie = cookies.find((one) => one.startsWith('a_device_')) ?? '';
      },
      signUp: () => {
        const email = `${newId()}@example.com`;
        const consent = { isAdult: true, acceptsTerms: true };
        const form = { name: 'Guest', username: 'guest', email, password: 'not to be guessed', ...consent };
        return post('sign-up', accounts.signUp.path, form);
      },
      /** A guest opens a public page and the sign-in page, with the files of a page, and a link that has ended. */
      visit: () => {
        const assets = Array.from({ length: 20 }, (_, index) => send('file', `/assets/none-${index}.js`));
        const pages = ['/terms', '/sign-in'].map((path) =>
          send('page', path, { headers: { accept: 'text/html' } }),
        );
        return Promise.all([
          ...pages,
          ...assets,
          send('no session', accounts.session.path),
          send('sign-in page', accounts.demo.path),
          send('ended link', `${sharedPlans.open.path}?token=${newId()}`),
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
            send('list', path, { headers: as(phone) }),
          ),
        ),
      write: (phone: Phone) => {
        const message = { convoId: phone.conversationId, body: 'See you at eight', clientKey: newId() };
        return post('message', conversations.sendMessage.path, message, as(phone));
      },
      upload: async (phone: Phone, picture: Buffer) => {
        const body = new FormData();
        body.append('file', new Blob([Uint8Array.from(picture)], { type: 'image/jpeg' }), 'a.jpg');
        const path = callUrl(files.create, { params: { bucketId: 'images' } });
        const { text } = await send('upload', path, { method: 'POST', headers: as(phone), body });
        phone.pictureId = /"\$id":"([^"]+)"/.exec(text)?.[1] ?? '';
      },
      look: (phone: Phone) => {
        const params = { bucketId: 'images', fileId: phone.pictureId } as const;
        const view = callUrl(storage.view, { params });
        const preview = callUrl(storage.preview, { params });
        return Promise.all(
          [view, `${preview}?quality=30`, `${preview}?width=32`].map((path) =>
            send('picture', path, { headers: as(phone) }),
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
  expect(takeCounts()).toMatchObject({ 'sign-in: 201': 200, 'sign-up: 200': 30, 'ended link: 404': 50 });
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
