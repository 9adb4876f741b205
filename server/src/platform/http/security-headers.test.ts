import helmet from '@fastify/helmet';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { callHeaders, pageHeaders } from './security-headers.ts';

/** What an answer has without helmet. */
const ownHeaders = new Set(['content-length', 'date', 'connection']);

/** The headers of an answer by helmet with our policy in its own notation. */
async function helmetHeaders({ secure }: { secure: boolean }): Promise<Record<string, unknown>> {
  const app = fastify();
  await app.register(helmet, {
    hsts: secure,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'blob:', 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
  });
  app.get('/', async (_request, reply) => reply.send());
  const { headers } = await app.inject('/');
  await app.close();
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name)));
}

test('the headers are those of the policy, and none that belong to one answer (threat-stored-xss)', () => {
  const headers = pageHeaders('http://localhost:3000');
  expect(headers['content-security-policy']).toContain("default-src 'self'");
  expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  for (const name of ['content-length', 'content-type', 'date', 'strict-transport-security']) {
    expect(headers).not.toHaveProperty(name);
  }
});

test('over https the browser must stay on https', () => {
  const headers = pageHeaders('https://tara.example');
  expect(headers).toHaveProperty('strict-transport-security');
  expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
});

test.each(['http://localhost:3000', 'https://tara.example'])(
  'the table is what helmet sends at %s',
  async (url) => {
    expect(pageHeaders(url)).toEqual(await helmetHeaders({ secure: url.startsWith('https:') }));
  },
);

test('a call answers with the headers that mean something for data, and is not stored', async () => {
  const {
    'content-security-policy': policy,
    'cache-control': cache,
    ...rest
  } = callHeaders('https://tara.example');
  expect(await helmetHeaders({ secure: true })).toMatchObject(rest);
  expect(Object.keys(rest).toSorted()).toEqual([
    'cross-origin-resource-policy',
    'referrer-policy',
    'strict-transport-security',
    'x-content-type-options',
    'x-frame-options',
  ]);
  expect([policy, cache]).toEqual(["default-src 'none'; frame-ancestors 'none'", 'no-store']);
});
