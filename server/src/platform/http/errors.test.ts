import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { calls, get, post } from '@tara/contract/calls';
import type { ProblemReply } from '@tara/contract/problems';
import { sql } from 'drizzle-orm';
import { describe, expect, vi } from 'vitest';
import { z } from 'zod';
import { realtimeRoutes } from '../../backend/realtime/realtime.ts';
import { backendWire } from '../../backend/wire.ts';
import { testServer } from '../../testing/server.ts';
import { test as base } from '../../testing/test.ts';
import { testWeb } from '../../testing/web.ts';
import { Problem } from '../problem.ts';
import { serve } from './serve.ts';
import { webRoutes } from './web.ts';

const Sample = z.object({ ok: z.boolean() });
const api = calls('/api/sample', {
  read: get('/:id', { summary: '', access: 'anyone', params: z.object({ id: z.string() }), reply: Sample }),
  wait: get('/wait', { summary: '', access: 'anyone', reply: Sample }),
  write: post('/write', { summary: '', access: 'anyone', body: z.strictObject({}), reply: Sample }),
  change: post('/:id/change', {
    summary: '',
    access: 'anyone',
    params: z.object({ id: z.string() }),
    reply: Sample,
  }),
});
const wire = calls('/v1/sample', { read: get('/read', { summary: '', access: 'anyone', reply: Sample }) });
const origin = 'https://friend.example';
const test = base
  .extend('environment', { scope: 'file' }, { ALLOWED_ORIGINS: origin })
  .extend('server', { scope: 'file' }, async ({ platform }, { onCleanup }) => {
    const web = await testWeb('<!doctype html><title>Tara</title>');
    const server = await testServer(platform, async (app) => {
      backendWire(app, platform);
      serve(app, api.read, async () => ({ ok: true }));
      serve(app, api.write, async () => ({ ok: true }));
      serve(app, api.change, async () => ({ ok: true }));
      serve(app, api.wait, () =>
        platform.database.transaction(async (transaction) => {
          await transaction.execute(sql`set local statement_timeout = 20`);
          await transaction.execute(sql`select pg_sleep(60)`);
          return { ok: true };
        }),
      );
      serve(app, wire.read, async () => ({ ok: true }));
      await realtimeRoutes(app, platform, async () => null);
      await webRoutes(app, web.folder);
    });
    onCleanup(async () => {
      await server.close();
      await web.remove();
    });
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    return server;
  })
  .extend('port', { scope: 'file' }, ({ server }) => (server.app.server.address() as AddressInfo).port)
  /** Sends bytes as they are, and reads the reply until the server closes. */
  .extend('raw', { scope: 'file' }, ({ port }) => async (request: string) => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => {});
    socket.write(request);
    const reply = await text(socket);
    const [head = '', ...body] = reply.split('\r\n\r\n');
    const lines = head.split('\r\n');
    const headers = Object.fromEntries(
      lines
        .slice(1)
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    return { status: Number(lines[0]?.split(' ')[1]), headers, body: body.join('\r\n\r\n') };
  });

const http = (line: string, headers: Record<string, string> = {}, body = '') =>
  `${line} HTTP/1.1\r\n${Object.entries({ host: 'x', connection: 'close', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
const json = { 'content-type': 'application/json' };
const withLength = (body: string, headers: Record<string, string> = json) => ({
  ...headers,
  'content-length': String(Buffer.byteLength(body)),
});

test('a statement that takes too long is answered as busy, with a time to try again', async ({ server }) => {
  const reply = await server.app.inject('/api/sample/wait');
  expect(reply.statusCode).toBe(503);
  expect(reply.headers['retry-after']).toBe('2');
  expect(reply.json()).toMatchObject({ type: 'general_unavailable' });
});

describe('no error is answered in another shape than ours (threat-leaked-secrets)', () => {
  const upgrade = { connection: 'upgrade', upgrade: 'websocket' };
  const cases: Array<[string, number, string]> = [
    ['an address that cannot be decoded', 400, http('GET /%')],
    ['a call whose address cannot be decoded', 400, http('GET /api/sample/%E0%A4%A')],
    ['an invalid absolute address', 400, http('GET ://')],
    ['a parameter that is too long', 404, http(`GET /api/sample/${'x'.repeat(300)}`)],
    ['an unknown route', 404, http('GET /api/none')],
    ['an unknown route with a file name', 404, http('GET /api/none.js')],
    ['an unknown file', 404, http('GET /none.js')],
    ['an absolute address of a file', 404, http('GET http://other.example/none.js')],
    ['a method that a route has not', 404, http('PUT /api/sample/write')],
    ['a method that nothing has', 404, http('PROPFIND /api/sample/write')],
    ['an unknown method', 400, http('NONSENSE /')],
    ['no HTTP', 400, 'hello\r\n\r\n'],
    ['HTTP of another version', 400, 'GET / HTTP/9.9\r\nhost: x\r\n\r\n'],
    ['an invalid header', 400, 'GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n'],
    [
      'two lengths',
      400,
      http('POST /api/sample/write', { 'content-length': '1', 'transfer-encoding': 'chunked' }),
    ],
    ['too many headers', 431, http('GET /', { more: 'x'.repeat(20_000) })],
    ['no host', 400, 'GET /api/sample/x HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['an expectation', 400, http('GET /', { expect: 'more' })],
    [
      'another type of content',
      400,
      http('POST /api/sample/write', withLength('x', { 'content-type': 'text/odd' }), 'x'),
    ],
    [
      'an invalid content type',
      400,
      http('POST /api/sample/write', withLength('x', { 'content-type': ';' }), 'x'),
    ],
    ['invalid JSON', 400, http('POST /api/sample/write', withLength('{'), '{')],
    [
      'a body that is too large',
      413,
      http('POST /api/sample/write', { ...json, 'content-length': '300000' }),
    ],
    [
      'a handshake without a key',
      400,
      http('GET /v1/realtime', { ...upgrade, 'sec-websocket-version': '13' }),
    ],
    [
      'a handshake of another version',
      400,
      http('GET /v1/realtime', { ...upgrade, 'sec-websocket-version': '1' }),
    ],
    [
      'an upgrade of an unknown route',
      400,
      http('GET /api/none', { ...upgrade, 'sec-websocket-version': '13' }),
    ],
  ];
  test.for(cases)('%s', async ([_what, status, request], { raw }) => {
    const reply = await raw(request);
    expect(reply.status).toBe(status);
    const problem: ProblemReply = JSON.parse(reply.body);
    expect(problem).toMatchObject({
      message: expect.stringMatching(/\w{3}/),
      code: status,
      type: expect.stringMatching(/^general_/),
      title: expect.any(String),
      requestId: expect.stringMatching(/^\w{10,}/),
    });
    expect(reply.body.length).toBeLessThan(1000);
    expect(reply.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect(reply.headers).not.toHaveProperty('retry-after');
  });

  test.for([
    ['cannot be decoded', 'GET /api/sample/%E0%A4%A', 'is not a valid address'],
    ['has a part that is too long', `POST /api/sample/${'x'.repeat(300)}/change`, 'is too long'],
  ] as const)('an address that %s is refused by its rule', async ([_what, line, rule], { raw }) => {
    const { status, body } = await raw(http(line));
    expect([status, JSON.parse(body).fields]).toEqual([400, { url: rule }]);
  });
});

describe('no spelling of an address changes what holds for it (threat-address-spellings)', () => {
  const spellings = (path: string) => [
    path,
    path.replace('a', '%61').replace('v', '%76'),
    path.replace('1', '%31').replace('s', '%73'),
    `http://other.example${path}`,
    `HTTP://other.example:80${path}?x=/%2e`,
    `${path}?a#b`,
  ];
  test.for(spellings('/api/sample/x'))('%s is not stored, nor shown as a page', async (target, { raw }) => {
    const { status, headers } = await raw(http(`GET ${target}`));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });

  test.for(spellings('/v1/sample/read'))('%s is refused for another project', async (target, { raw }) => {
    const { status, body } = await raw(http(`GET ${target}`, { 'x-appwrite-project': 'other' }));
    expect([status, JSON.parse(body).type]).toEqual([404, 'project_not_found']);
  });

  test.for(spellings('/api/sample/x'))(
    '%s has no project and is read by our own pages alone',
    async (target, { raw }) => {
      const { status, headers } = await raw(http(`GET ${target}`, { origin, 'x-appwrite-project': 'other' }));
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  test.for([...spellings('/v1/sample/read'), ...spellings('/v1/none')])(
    '%s may be read by a known origin',
    async (target, { raw }) => {
      const { headers } = await raw(http(`GET ${target}`, { origin }));
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'no-store',
      });
    },
  );

  test.for([...spellings('/api/none'), ...spellings('/v1/none')])(
    '%s is no page',
    async (target, { raw }) => {
      const { status, body } = await raw(http(`GET ${target}`));
      expect([status, JSON.parse(body).type]).toEqual([404, 'general_route_not_found']);
    },
  );

  test('a page is answered with a page', async ({ raw }) => {
    const { status, headers, body } = await raw(http('GET /post/%61'));
    expect(status).toBe(200);
    expect(body).toContain('<title>Tara');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
  });
});

test('what a guest can be answered at any time is no error line: not configured, but a failure is one', async ({
  platform,
}) => {
  const error = vi.spyOn(platform.log, 'error');
  const server = await testServer(platform, (app) => {
    serve(app, api.read, async () => {
      throw new Problem('user_auth_method_unsupported');
    });
    serve(app, api.wait, async () => {
      throw new Problem('general_unavailable');
    });
  });
  expect((await server.call(null, api.read, { params: { id: 'a' } })).status).toBe(501);
  expect(error).not.toHaveBeenCalled();
  expect((await server.call(null, api.wait)).status).toBe(503);
  expect(error).toHaveBeenCalledTimes(1);
  await server.close();
});
