import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import type { BenchDatabase } from '../setup/database.ts';
import { sessionSecret } from '../setup/members.ts';
import type { InputResult } from './judge.ts';
import { largestPicture, noisePicture, pictureForm, readPicture } from './pictures.ts';
import { ask, type Reply } from './send.ts';
import { openSocket, socketTimeoutMs } from './sockets.ts';

type Outcome = keyof Pick<InputResult, 'taken' | 'refused' | 'failed'>;

/** What became of an input, and how each of its requests was answered: a status, or what became of a socket. */
interface Sent {
  outcome: Outcome;
  answers: string[];
}

/** One kind of input that costs the server much. */
interface ExpensiveInput {
  name: string;
  /** ms from one to the next; 0: when the one before is answered. */
  everyMs: number;
  /** How many requests are sent at once; one unless given. */
  requests?: number;
  /** Makes what is sent, before anything is measured. */
  prepare?(): void;
  send(): Promise<Sent>;
}

/** The member who sends them, and where the server is. */
export interface Attacker {
  port: number;
  session: string;
  /** Known to the server: its sign-ins count for themselves. */
  deviceCookie: string;
  email: string;
  password: string;
  /** An upload of theirs that is stored in nearly 2 MB. */
  fileId: string;
}

const guestAddress = { 'x-forwarded-for': '203.0.113.9' };
const memberAddress = { 'x-forwarded-for': '192.0.2.9' };
const uploads = '/v1/storage/buckets/images/files';

/** Whether a reply means that the expensive work was done, as an error can as well. */
function judgeReply({ status, text }: Reply, takenWith: number, holding = ''): Sent {
  if (status === 0) return { outcome: 'failed', answers: ['none'] };
  const answers = [String(status)];
  if (status >= 500) return { outcome: 'failed', answers };
  return { outcome: status === takenWith && text.includes(holding) ? 'taken' : 'refused', answers };
}

/** The secret of the session that an answer opened. */
const secretIn = ({ text }: Reply) => /"secret":"([^"]+)"/.exec(text)?.[1];

/** Signs a member up who has a session, a device that is known, and a stored picture. */
export async function registerMember({ sql }: BenchDatabase, port: number, email: string): Promise<Attacker> {
  const password = 'known to its owner';
  const post = async (path: string, body: Buffer | string, contentType: string, session = '') => {
    const headers = { ...memberAddress, 'content-type': contentType };
    const reply = await ask(port, path, {
      method: 'POST',
      headers: session === '' ? headers : { ...headers, 'x-appwrite-session': session },
      body,
    });
    if (reply.status !== 201) throw new Error(`${path} was answered with ${reply.status}: ${reply.text}`);
    return reply;
  };
  const json = (body: object) => [JSON.stringify(body), 'application/json'] as const;
  await post('/v1/account', ...json({ userId: 'unique()', email, password, name: 'Member' }));
  await sql`update accounts set email_verified_at = now() where email = ${email}`;
  const signedIn = await post('/v1/account/sessions/email', ...json({ email, password }));
  const session = secretIn(signedIn);
  const deviceCookie = deviceCookieOf(signedIn);
  if (session === undefined || deviceCookie === undefined) throw new Error('The sign-in opened no session.');
  const { body, contentType } = pictureForm(readPicture());
  const stored = await post(uploads, body, contentType, session);
  const fileId = /"\$id":"([^"]+)"/.exec(stored.text)?.[1];
  if (fileId === undefined) throw new Error('The upload has no id.');
  return { port, session, deviceCookie, email, password, fileId };
}

const deviceCookieOf = ({ headers }: Reply) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';')[0])
    .find((cookie) => cookie?.includes('a_device_'));

/** Nearly as many values and bytes, and as many levels, as a body may have, in fields that nobody reads. */
const largestJson = JSON.stringify({
  email: 1,
  deep: JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`),
  wide: Array.from({ length: 9_900 }, (_, index) => `${index}${'x'.repeat(18)}`),
});

/** Nearly 64 KiB: the channels that a socket may have, and filters that are read and sent back. */
const largestFrame = JSON.stringify({
  type: 'subscribe',
  data: [0, 1].map((id) => ({
    subscriptionId: String(id),
    channels: Array.from({ length: 100 }, (_, index) => `documents.${id}.${index}.${'x'.repeat(230)}`),
    queries: [`{"method":"equal","attribute":"caption","values":["${'y'.repeat(3_500)}"]}`],
  })),
});

const notOpened: Sent = { outcome: 'failed', answers: ['not opened'] };

/** Sends frames on the sockets in turn: each may send as many in a minute as ten of them together. */
function sendFrames(port: number, count: number): () => Promise<Sent> {
  const sockets: (WebSocket | null)[] = [];
  let next = 0;
  return async () => {
    const index = next++ % count;
    let socket = sockets[index] ?? null;
    if (socket?.readyState !== WebSocket.OPEN) socket = sockets[index] = await openSocket(port, guestAddress);
    if (socket === null) return notOpened;
    socket.send(largestFrame);
    return new Promise((resolve) => {
      const timer = setTimeout(() => end('failed', 'none'), socketTimeoutMs);
      const end = (outcome: Outcome, answer: string) => {
        clearTimeout(timer);
        socket.off('close', closed).off('message', replied);
        resolve({ outcome, answers: [answer] });
      };
      const closed = (code: number) => end('failed', `closed with ${code}`);
      const replied = (data: unknown) =>
        String(data).includes('"to":"subscribe","success":true')
          ? end('taken', 'subscribed')
          : end('refused', 'refused');
      socket.once('close', closed).once('message', replied);
    });
  };
}

async function openAndClose(port: number): Promise<Sent> {
  const socket = await openSocket(port, guestAddress);
  socket?.close();
  return socket === null ? notOpened : { outcome: 'taken', answers: ['opened'] };
}

/** Sockets of one member, and what is asked of the server on each. */
const listeners = { session: 9_001, sockets: 64 };
const filteredBy100Times = (name: string) => ({
  subscriptionId: name,
  channels: ['databases.tara.collections.posts.documents'],
  queries: [
    JSON.stringify({
      method: 'equal',
      attribute: '$permissions',
      values: Array.from({ length: 100 }, (_, index) => new Date(index * 1e9).toISOString()),
    }),
  ],
});

/** Opens as many sockets as a member may have, with as many filters and plain subscriptions as each takes. */
function subscribeToEverything(port: number): void {
  const filters = Array.from({ length: 20 }, (_, index) => filteredBy100Times(`f${index}`));
  const plain = Array.from({ length: 95 }, (_, index) => ({
    ...{ subscriptionId: `p${index}`, channels: ['documents'], queries: [] },
  }));
  for (let count = 0; count < listeners.sockets; count++) {
    const headers = { ...memberAddress, 'x-appwrite-session': sessionSecret(listeners.session) };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/realtime?project=tara`, { headers });
    socket.on('error', () => {});
    socket.once('message', () => {
      // In one frame all are refused where they are too many.
      for (const data of [filters, filters.slice(0, 1), plain])
        socket.send(JSON.stringify({ type: 'subscribe', data }));
    });
  }
}

/** Likes a post, and takes it back, while a member's sockets listen to it. */
function likeBesideListeners(port: number): () => Promise<Sent> {
  const headers = { ...memberAddress, 'x-appwrite-session': sessionSecret(listeners.session) };
  let postId: string | undefined;
  return async () => {
    if (postId === undefined) {
      subscribeToEverything(port);
      const { text } = await ask(port, '/api/post/feed', { headers });
      postId = /"id":"([^"]+)"/.exec(text)?.[1] ?? '';
    }
    const reply = await ask(port, '/api/post/like', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ postId }),
    });
    return judgeReply(reply, 200);
  };
}

/** What became of many that were sent at once: done, if one of them was. */
async function atOnce(sending: readonly Promise<Sent>[]): Promise<Sent> {
  const sent = await Promise.all(sending);
  const has = (wanted: Outcome) => sent.some(({ outcome }) => outcome === wanted);
  const answers = sent.flatMap((one) => one.answers);
  if (has('failed')) return { outcome: 'failed', answers };
  return { outcome: has('taken') ? 'taken' : 'refused', answers };
}

/** What members may send at once, each within their limits of a minute. */
function burstInputs({ port }: Attacker): ExpensiveInput[] {
  let form: ReturnType<typeof pictureForm> | undefined;
  const sendLargest = async (number: number) => {
    const { contentType, body } = form ?? pictureForm(largestPicture());
    const headers = { ...memberAddress, 'x-appwrite-session': sessionSecret(9_100 + number) };
    const types = { ...headers, 'content-type': contentType };
    return judgeReply(await ask(port, uploads, { method: 'POST', headers: types, body }), 201);
  };
  const guess = async () => {
    const headers = { 'x-forwarded-for': '203.0.113.77', 'content-type': 'application/json' };
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    const body = JSON.stringify({ email, password: 'a longer guess' });
    return judgeReply(await ask(port, '/v1/account/sessions/email', { method: 'POST', headers, body }), 401);
  };
  // In each round by another: their minute is used up.
  let feeds = 9_200;
  let pictures = 0;
  return [
    {
      name: 'member: 64 sockets with filters, and likes',
      everyMs: 550,
      send: likeBesideListeners(port),
    },
    {
      name: 'guest: 55 sign-ins at once',
      everyMs: 20_000,
      requests: 55,
      send: () => atOnce(Array.from({ length: 55 }, guess)),
    },
    {
      name: 'member: four pictures of 49 million pixels at once',
      everyMs: 20_000,
      requests: 4,
      prepare: () => {
        form ??= pictureForm(largestPicture());
      },
      send: () => {
        const number = pictures++;
        return atOnce(Array.from({ length: 4 }, () => sendLargest(number)));
      },
    },
    {
      name: 'member: 1,200 feeds at once',
      everyMs: 20_000,
      requests: 1_200,
      send: () => {
        const headers = { ...memberAddress, 'x-appwrite-session': sessionSecret(feeds++) };
        const one = async () => judgeReply(await ask(port, '/api/post/feed', { headers }), 200);
        return atOnce(Array.from({ length: 1_200 }, one));
      },
    },
  ];
}

/** What a guest may send; together 1,200 requests and 1,200 frames a minute, as many requests as a member's. */
function guestInputs({ port }: Attacker): ExpensiveInput[] {
  const json = { ...guestAddress, 'content-type': 'application/json' };
  const post = (path: string, body: object | string) =>
    ask(port, path, {
      method: 'POST',
      headers: json,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const email = () => `${randomBytes(8).toString('hex')}@example.com`;
  return [
    {
      name: 'guest: sign-in, argon2 for an unknown email',
      everyMs: 1_000,
      send: async () =>
        judgeReply(
          await post('/v1/account/sessions/email', { email: email(), password: 'a longer guess' }),
          401,
        ),
    },
    {
      name: 'guest: sign-up, argon2 and a transaction',
      everyMs: 1_000,
      send: async () => {
        const form = { userId: 'unique()', email: email(), password: 'not to be guessed', name: 'Guest' };
        return judgeReply(await post('/v1/account', form), 201);
      },
    },
    {
      name: 'guest: JSON of 250 KiB, 9,900 values, 32 levels',
      everyMs: 170,
      send: async () => judgeReply(await post('/v1/account/sessions/email', largestJson), 400, '"email"'),
    },
    {
      name: 'guest: unknown session secret',
      everyMs: 100,
      send: async () => {
        const headers = { ...guestAddress, 'x-appwrite-session': randomBytes(32).toString('hex') };
        return judgeReply(await ask(port, '/api/post/feed', { headers }), 401);
      },
    },
    { name: 'guest: websocket frame of 60 KiB', everyMs: 55, send: sendFrames(port, 16) },
    { name: 'guest: websocket opened and closed', everyMs: 500, send: () => openAndClose(port) },
  ];
}

/** What a member may send; together 1,200 requests a minute. */
function memberInputs({
  port,
  deviceCookie,
  email,
  password,
  fileId,
  ...attacker
}: Attacker): ExpensiveInput[] {
  // The oldest sessions of an account are removed: the newest is used.
  let session = attacker.session;
  const headers = () => ({ ...memberAddress, 'x-appwrite-session': session });
  const get = (path: string) => ask(port, path, { headers: headers() });
  const uploadInput = (name: string, draw: () => Buffer): ExpensiveInput => {
    let form: ReturnType<typeof pictureForm> | undefined;
    return {
      name,
      everyMs: 0,
      prepare: () => {
        form ??= pictureForm(draw());
      },
      send: async () => {
        const { contentType, body } = form ?? pictureForm(draw());
        const types = { ...headers(), 'content-type': contentType };
        return judgeReply(await ask(port, uploads, { method: 'POST', headers: types, body }), 201);
      },
    };
  };
  const post = (path: string, body: object, more: Record<string, string>) => {
    const json = { ...memberAddress, ...more, 'content-type': 'application/json' };
    return ask(port, path, { method: 'POST', headers: json, body: JSON.stringify(body) });
  };
  return [
    uploadInput('member: picture of 20 MB of noise', noisePicture),
    uploadInput('member: picture of 49 million pixels, noise', largestPicture),
    {
      name: 'member: own password confirmed, argon2',
      everyMs: 6_000,
      send: async () => judgeReply(await post('/api/account/confirmPassword', { password }, headers()), 200),
    },
    {
      name: 'member: sign-in on a known device, argon2',
      everyMs: 6_000,
      send: async () => {
        const reply = await post('/v1/account/sessions/email', { email, password }, { cookie: deviceCookie });
        session = secretIn(reply) ?? session;
        return judgeReply(reply, 201);
      },
    },
    {
      name: 'member: search that finds nothing',
      everyMs: 200,
      send: async () =>
        judgeReply(await get(`/api/profile/people?search=${encodeURIComponent('%_%e%m%_r%1%')}`), 200),
    },
    {
      name: 'member: picture read in 2 MB',
      everyMs: 250,
      send: async () => judgeReply(await get(`${uploads}/${fileId}/view`), 200),
    },
    {
      name: 'member: preview with width and quality',
      everyMs: 500,
      send: async () => judgeReply(await get(`${uploads}/${fileId}/preview?width=1080&quality=100`), 200),
    },
  ];
}

/** What one guest and one member may send that costs the most, found by trying and by reading. */
export const expensiveInputs = (attacker: Attacker): ExpensiveInput[] => [
  ...guestInputs(attacker),
  ...memberInputs(attacker),
  ...burstInputs(attacker),
];
