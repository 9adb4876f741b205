import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createPaymongo } from '@tara/paymongo';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { mailboxPaths, sandboxPaths, startStandIns, unknownRoute } from './testing/stand-ins.ts';

/** Other spellings of the mailbox's and sandbox's addresses that the router takes for the same. */
const spellings = [
  '/%6dailbox/messages',
  '/mailbo%78/messages',
  '/%6D%61%69%6C%62%6F%78',
  '/mailbox/%6dessages',
  '/mailbox?to=a@b.test',
  '/mailbox/?to=a@b.test',
  '/mailbox#/..',
  '/mailbox/messages?x=/sandbox/checkout/1',
  'http://tara.example/mailbox/messages',
  'http://localhost/mailbox/messages',
  'http://127.0.0.1/%6dailbox/messages',
  '/%73andbox/',
  '/sandbox?',
  '/sandbox#',
  '/sandbox/%65vents',
  '/sandbox/%66aults',
  '/sandbox/events?x=/v1/',
  'http://localhost/sandbox/events',
];
/** Spellings that the router takes for other addresses: unknown ones, or pages of the web where it is built. */
const misspellings = [
  '//mailbox/messages',
  '/mailbox//messages',
  '/MAILBOX/messages',
  '/mailbox./messages',
  '/mailbox/messages/',
  '/mailbox%2fmessages',
  '/sandbox/checkout/../events',
  '/sandbox/checkout/%2e%2e/events',
  '/sandbox;/events',
  '/./mailbox/messages',
  '/api/../mailbox/messages',
];

/** Calls that change faults or send an event again. */
const writes = [
  'POST /sandbox/faults',
  'DELETE /sandbox/faults',
  'POST /sandbox/faults/clear',
  'POST /sandbox/events/evt_1/send',
  'POST /sandbox/fault%73/clear',
  'POST http://localhost/sandbox/faults/clear',
];

describe('production on stand-ins', () => {
  const environment = { NODE_ENV: 'production', ALLOW_STAND_INS: '1', RATE_LIMITS: 'on' };
  const server = startStandIns(environment, async (dataDir) => {
    // A folder as an earlier version left it.
    const folder = join(dataDir, 'sandbox');
    await mkdir(folder, { mode: 0o755 });
    for (const name of ['mailbox.sqlite', 'provider.sqlite']) {
      await writeFile(join(folder, name), '', { mode: 0o644 });
    }
  });

  it.each([...mailboxPaths, ...sandboxPaths, ...spellings])(
    'a stranger reads no mail, event or fault by %s (threat-stand-ins)',
    async (target) => {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        for (const more of [[], ['X-Forwarded-For: 203.0.113.9'], ['X-Forwarded-Host: localhost']]) {
          const answer = await server.send(`${method} ${target} HTTP/1.1`, 'Host: localhost', ...more);
          if (method === 'HEAD') expect(answer).toMatchObject({ status: 404, body: '' });
          else expect(answer).toMatchObject(unknownRoute);
        }
      }
    },
  );

  it.each(misspellings)('a stranger reads no mail, event or fault by the misspelt %s', async (target) => {
    const { status, body, type } = await server.send(`GET ${target} HTTP/1.1`, 'Host: localhost');
    if (status === 200) expect(body).toContain('<div id="root">');
    else expect({ status, type }).toEqual(unknownRoute);
  });

  it('a stranger orders no fault, clears none and sends no event again (threat-stand-ins)', async () => {
    const order = { method: 'POST', body: new URLSearchParams({ kind: 'answer_500', path: '/v1/none' }) };
    expect((await fetch(`${server.url}/sandbox/faults`, order)).status).toBe(404);
    const own = { ...order, ...server.withToken('Payment sandbox'), redirect: 'manual' } as const;
    expect((await fetch(`${server.url}/sandbox/faults`, own)).status).toBe(303);
    for (const call of writes) {
      expect([
        call,
        await server.send(`${call} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Length: 0'),
      ]).toMatchObject([call, unknownRoute]);
    }
    const faults = await fetch(`${server.url}/sandbox/faults`, server.withToken('Payment sandbox'));
    expect(await faults.json()).toMatchObject({ data: [{ path: '/v1/none' }] });
  });

  it('a stranger cannot distinguish the mailbox from an address that does not exist', async () => {
    const answers = ['/mailbox/messages', '/mailbox/no/such/page'].map(async (path) => {
      const answer = await fetch(`${server.url}${path}`);
      const { requestId: _, ...body } = z.record(z.string(), z.unknown()).parse(await answer.json());
      const headers = [...answer.headers].filter(([name]) => !/^(date|x-ratelimit-.*)$/.test(name));
      return { body, headers: headers.filter(([name]) => name !== 'content-length') };
    });
    const [mailbox, unknown] = await Promise.all(answers);
    expect(mailbox).toEqual(unknown);
  });

  it('a stranger opens nothing with a token that is not the printed one', async () => {
    const token = server.token('Mailbox');
    expect(token).toMatch(/^[\w-]{43}$/);
    for (const wrong of [
      '',
      'x',
      token.slice(0, -1),
      `${token}x`,
      token.toLowerCase(),
      `${token}&token=${token}`,
    ]) {
      expect((await fetch(`${server.url}/mailbox/?token=${wrong}`, { redirect: 'manual' })).status).toBe(404);
      const headers = { cookie: `sandbox_token=${wrong.split('&')[1] ? '' : wrong}` };
      expect((await fetch(`${server.url}/mailbox/`, { headers })).status).toBe(404);
    }
    const posted = { method: 'POST', redirect: 'manual' } as const;
    expect((await fetch(`${server.url}/sandbox/faults/clear?token=${token}`, posted)).status).toBe(404);
  });

  it.each(['Mailbox', 'Payment sandbox'])('the printed address opens the page: %s', async (page) => {
    const path = page === 'Mailbox' ? '/mailbox' : '/sandbox';
    const token = server.token(page);
    const entered = await fetch(`${server.url}${path}/?token=${token}&to=ana`, { redirect: 'manual' });
    expect(entered.status).toBe(303);
    expect(entered.headers.get('location')).toBe(`${path}/?to=ana`);
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toBe(`sandbox_token=${token}; Path=${path}; HttpOnly; SameSite=Strict`);
    expect(entered.headers.get('cache-control')).toBe('no-store');
    const headers = { cookie: `other=1; ${cookie.split(';')[0]}`, 'x-forwarded-for': '203.0.113.9' };
    const opened = await fetch(`${server.url}${path}/`, { headers });
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('no constant key opens the provider, and no stranger learns the signing secret (threat-stand-ins)', async () => {
    const secretKey = (await readFile(server.path('secret-key'), 'utf8')).trim();
    expect(secretKey).toMatch(/^sk_test_[\w-]{43}$/);
    for (const key of ['sk_test_sandbox', '', 'undefined', secretKey.slice(0, -1)]) {
      for (const path of ['/sandbox/v1/webhooks', '/%73andbox/v1/webhooks', '/sandbox/v2/wallets']) {
        const authorization = `Authorization: Basic ${Buffer.from(`${key}:`).toString('base64')}`;
        const answer = await server.send(`GET ${path} HTTP/1.1`, 'Host: localhost', authorization);
        expect(answer.status).toBe(401);
        expect(answer.body).not.toContain('whsk_');
      }
    }
    expect(server.out()).not.toContain(secretKey);
    const provider = createPaymongo({ secretKey, baseUrl: `${server.url}/sandbox` });
    expect((await provider.wallets.list()).length).toBeGreaterThan(0);
  });

  it('a registered webhook of a stranger makes the server call nobody, and all may still pay (threat-stand-ins)', {
    timeout: 90_000,
  }, async () => {
    let hits = 0;
    const stranger = createServer((_request, response) => {
      hits += 1;
      response.end('{}');
    });
    await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done));
    onTestFinished(() => void stranger.close());
    const address = stranger.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const own = new URL(server.url);
    const urls = [
      `http://127.0.0.1:${port}/hook`,
      `http://${own.host}@127.0.0.1:${port}/api/payment/webhook`,
      `http://localhost:${port}/api/payment/webhook#${own.host}`,
      `${own.origin}/sandbox/faults/clear`,
      `${own.origin}/sandbox/..//api/payment/webhook`,
      `http://2130706433:${port}/`,
    ];
    const secretKey = (await readFile(server.path('secret-key'), 'utf8')).trim();
    const provider = createPaymongo({ secretKey, baseUrl: `${server.url}/sandbox` });
    // The server registers its own at its start, or half a minute later when it was too busy to answer itself.
    await vi.waitFor(async () => expect(await provider.webhooks.list()).toHaveLength(1), 45_000);
    for (const url of urls) await provider.webhooks.create({ url, events: ['payment.paid'] });
    const link = await provider.links.create({ amount: 50_000, description: 'Tea' });
    const checkout = `${server.url}${new URL(link.checkoutUrl).pathname}`;
    const proxied = { 'x-forwarded-for': '203.0.113.9' };
    expect((await fetch(checkout, { headers: proxied })).status).toBe(200);
    const body = new URLSearchParams({
      number: '5555444444444457',
      expiry: '12/34',
      cvc: '123',
      name: 'Ben',
    });
    const paid = await fetch(`${checkout}/card`, { method: 'POST', headers: proxied, body });
    expect(await paid.text()).toContain('Payment successful');

    const Deliveries = z.object({
      data: z.array(z.object({ type: z.string(), deliveries: z.array(z.object({ state: z.string() })) })),
    });
    await vi.waitFor(async () => {
      const answer = await fetch(`${server.url}/sandbox/events`, server.withToken('Payment sandbox'));
      const { data } = Deliveries.parse(await answer.json());
      const states = data.find(({ type }) => type === 'payment.paid')?.deliveries.map(({ state }) => state);
      expect(states?.toSorted()).toEqual([...urls.map(() => 'not_sent'), 'succeeded']);
    }, 10_000);
    expect(hits).toBe(0);
    const overview = await fetch(`${server.url}/sandbox/`, server.withToken('Payment sandbox'));
    expect(await overview.text()).toContain('<td>not sent</td>');
  });

  it('another user of the machine reads no mail, payment, token or key on the disk (threat-stand-ins)', async () => {
    const modes = [
      '',
      'mailbox.sqlite',
      'mailbox.sqlite-wal',
      'mailbox.sqlite-shm',
      'provider.sqlite',
      'provider.sqlite-wal',
      'provider.sqlite-shm',
      'token',
      'secret-key',
    ].map(async (name) => [name, ((await stat(server.path(name))).mode & 0o777).toString(8)]);
    const [box, ...files] = await Promise.all(modes);
    expect(box).toEqual(['', '700']);
    for (const file of files) expect(file).toEqual([file[0], '600']);
  });
});
