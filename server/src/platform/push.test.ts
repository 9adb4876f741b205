import { Agent } from 'node:https';
import { nowMs } from '@tara/contract/clock';
import { test as base, expect } from 'vitest';
import { checkVapid, openPushService, testBrowser } from '../testing/push-service.ts';
import { openPushSender, type PushMessage, payloadOf, retryTime } from './push.ts';
import { lookupPublic } from './push-services.ts';
import { vapidKeys } from './vapid.ts';

const host = 'updates.push.services.mozilla.com';
const endpoint = `https://${host}/wpush/v2/abc`;
const keys = vapidKeys(Buffer.alloc(32, 7));
const subject = 'mailto:admin@tara.example';
const message: PushMessage = { title: 'Ben accepted your request', url: '/manage-plans', urgency: 'high' };
const publicAddress = async () => [{ address: '34.107.243.93', family: 4 }];

const test = base
  .extend('host', { scope: 'file' }, () => host)
  .extend('service', { scope: 'file' }, async ({ host }, { onCleanup }) => {
    const service = await openPushService(host);
    onCleanup(() => service.stop());
    return service;
  })
  .extend('send', { scope: 'file' }, ({ service }) =>
    openPushSender({ keys, subject, hosts: [], agent: service.agent(lookupPublic(publicAddress)) }),
  )
  .extend('browser', () => testBrowser(endpoint));

test('a message arrives signed for its push service and readable by its browser alone', async ({
  service,
  send,
  browser,
}) => {
  service.received.length = 0;
  const long = { ...message, text: 'At noon, in Intramuros 🌴', tag: 'request-1', closes: ['chat-2'] };
  expect(await send(browser.target, { ...long, topic: 'request-1', lifetimeSeconds: 60 })).toEqual({
    kind: 'accepted',
  });
  const [push] = service.received;
  if (!push) throw new Error('Nothing arrived.');
  expect(push.path).toBe('/wpush/v2/abc');
  expect(push.headers).toMatchObject({ ttl: '60', urgency: 'high', 'content-encoding': 'aes128gcm' });
  expect(push.headers.topic).toMatch(/^[\w-]{32}$/);
  expect(push.headers.topic).not.toContain('request');
  expect(JSON.parse(browser.decrypt(push.body))).toEqual({
    ...{ title: message.title, text: long.text, url: '/manage-plans', tag: 'request-1', closes: ['chat-2'] },
  });
  const token = await checkVapid(push, { publicKey: keys.publicKey, audience: `https://${host}` });
  expect(token.sub).toBe(subject);
  const secondsLeft = (token.exp ?? 0) - nowMs() / 1000;
  expect(secondsLeft).toBeGreaterThan(0);
  expect(secondsLeft).toBeLessThanOrEqual(24 * 3600);
  expect(() => testBrowser(endpoint).decrypt(push.body)).toThrow();
});

test.for([
  [200, {}, { kind: 'accepted' }],
  [300, {}, { kind: 'refused' }],
  [404, {}, { kind: 'gone' }],
  [410, {}, { kind: 'gone' }],
  [400, {}, { kind: 'refused' }],
  [403, {}, { kind: 'refused', reason: 'It answered 403: no such key' }],
  [301, { location: 'http://127.0.0.1/' }, { kind: 'refused' }],
  [500, {}, { kind: 'later', until: null }],
] as const)('an answer %i', async ([status, headers, outcome], { service, send, browser }) => {
  service.received.length = 0;
  service.state.answer = (response) => void response.writeHead(status, headers).end('no such\nkey');
  expect(await send(browser.target, message)).toMatchObject(outcome);
  // Not a second one where a redirect leads.
  expect(service.received).toHaveLength(1);
});

test('an answer 429 says when to try again, before which no other message is sent to the device', async ({
  service,
  browser,
}) => {
  service.received.length = 0;
  const agent = service.agent(lookupPublic(publicAddress));
  const send = openPushSender({ keys, subject, hosts: [], agent });
  let seconds = 120;
  service.state.answer = (response) => void response.writeHead(429, { 'retry-after': String(seconds) }).end();
  const outcome = await send(browser.target, message);
  expect(outcome).toMatchObject({ kind: 'later', until: expect.any(Date) });
  const until = outcome.kind === 'later' ? outcome.until : null;
  expect(await send(browser.target, { ...message, title: 'Another' })).toMatchObject({
    kind: 'later',
    until,
  });
  expect(service.received).toHaveLength(1);
  // Others are not held up, nor one whose time has come.
  const other = { ...browser.target, endpoint: `${endpoint}d` };
  seconds = 0;
  for (let count = 2; count <= 3; count++) {
    await send(other, message);
    expect(service.received).toHaveLength(count);
  }
});

test('a time to try again is seconds or a date, and at most a day away', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const at = (header?: string) => retryTime(header, now)?.toISOString() ?? null;
  expect(at('120')).toBe('2026-01-01T00:02:00.000Z');
  expect(at('Thu, 01 Jan 2026 00:05:00 GMT')).toBe('2026-01-01T00:05:00.000Z');
  expect(at('Thu, 01 Jan 2025 00:05:00 GMT')).toBe('2026-01-01T00:00:00.000Z');
  expect(at('999999999')).toBe('2026-01-02T00:00:00.000Z');
  expect(at('soon')).toBeNull();
  expect(at()).toBeNull();
});

test('a push service that answers without end is not read to it', async ({ service, send, browser }) => {
  service.state.answer = (response) => {
    response.writeHead(400);
    const write = () =>
      void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(write)));
    write();
  };
  expect(await send(browser.target, message)).toMatchObject({ kind: 'refused' });
});

test('a push service that does not answer is asked again later', async ({ service, browser }) => {
  service.state.answer = () => undefined;
  const agent = service.agent(lookupPublic(publicAddress));
  const send = openPushSender({ keys, subject, hosts: [], agent, timeoutMs: 50 });
  expect(await send(browser.target, message)).toMatchObject({ kind: 'later', until: null });
});

test.for([
  ['127.0.0.1', 4],
  ['10.0.0.1', 4],
  ['169.254.169.254', 4],
  ['100.64.0.1', 4],
  ['::1', 6],
  ['fd00::1', 6],
  ['::ffff:192.168.0.1', 6],
  ['64:ff9b::7f00:1', 6],
] as const)(
  'a push service whose name leads to %s gets no connection (threat-push-endpoints)',
  async ([address, family], { service, browser }) => {
    service.state.connections.length = 0;
    const resolve = async () => [...(await publicAddress()), { address, family }];
    const send = openPushSender({ keys, subject, hosts: [], agent: service.agent(lookupPublic(resolve)) });
    expect(await send(browser.target, message)).toMatchObject({ kind: 'refused' });
    expect(service.state.connections).toEqual([]);
  },
);

test('the connection goes to the address that was checked, which is not looked up a second time (threat-push-endpoints)', async ({
  service,
  browser,
}) => {
  service.state.answer = (response) => void response.writeHead(201).end();
  service.state.connections.length = 0;
  let lookups = 0;
  const resolve = async () => {
    lookups++;
    return lookups === 1 ? publicAddress() : [{ address: '127.0.0.1', family: 4 }];
  };
  const send = openPushSender({ keys, subject, hosts: [], agent: service.agent(lookupPublic(resolve)) });
  expect(await send(browser.target, message)).toEqual({ kind: 'accepted' });
  expect(lookups).toBe(1);
  expect(service.state.connections).toEqual([`${JSON.stringify(await publicAddress())} 443`]);
});

test('the agent of every sender looks names up by the check', async ({ browser }) => {
  const agent = new Agent({ lookup: lookupPublic(async () => [{ address: '127.0.0.1', family: 4 }]) });
  const send = openPushSender({ keys, subject, hosts: [], agent });
  expect(await send(browser.target, message)).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('no public address'),
  });
});

test.for([
  ['another host', 'https://push.example.com/abc'],
  ['a name that ends alike', 'https://evilpush.services.mozilla.com/abc'],
  ['a host below a known one', 'https://fcm.googleapis.com.evil.example/abc'],
  ['an address', 'https://127.0.0.1/abc'],
  ['no encryption', `http://${host}/abc`],
  ['another port', `https://${host}:8443/abc`],
  ['a name and password', `https://user:word@${host}/abc`],
  ['a name', `https://user@${host}/abc`],
  ['a password', `https://:word@${host}/abc`],
  ['no address at all', 'nowhere'],
] as const)(
  'an endpoint with %s gets no request (threat-push-endpoints)',
  async ([, other], { service, send, browser }) => {
    service.received.length = 0;
    expect(await send({ ...browser.target, endpoint: other }, message)).toMatchObject({ kind: 'refused' });
    expect(service.received).toEqual([]);
  },
);

test('keys of a browser that are none are refused', async ({ send, browser }) => {
  const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  expect(await send({ ...browser.target, p256dh }, message)).toMatchObject({ kind: 'refused' });
});

test('what is sent is small enough for every push service', () => {
  const text = '🌴"\u0001'.repeat(5_000);
  const payload = payloadOf({
    ...message,
    title: text,
    text,
    tag: text,
    url: `/${text}`,
    closes: Array(500).fill(text),
  });
  expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(3_900);
  expect(JSON.parse(payload)).toMatchObject({ url: '/', title: expect.stringMatching(/…$/) });
  const plain = payloadOf({ ...message, text: 'a'.repeat(1_000) });
  const { title, url } = message;
  expect(JSON.parse(plain)).toEqual({ title, url, text: `${'a'.repeat(299)}…` });
  const whole = payloadOf({ ...message, title: 'a'.repeat(100), text: 'a'.repeat(300) });
  expect(JSON.parse(whole)).toMatchObject({ title: 'a'.repeat(100), text: 'a'.repeat(300) });
});
