import formbody from '@fastify/formbody';
import { createPaymongo } from '@tara/paymongo';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { openAccess } from '../access.ts';
import { createMailbox } from '../mailbox/index.ts';
import { createProvider } from './index.ts';
import { newFolder } from './testing/provider.ts';
import { PREFIX, SECRET_KEY } from './testing/server.ts';

it('uses its own parsers, headers and errors, and leaves those of the host unchanged', async () => {
  const server = Fastify({ forceCloseConnections: true });
  onTestFinished(() => server.close());
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, { wrapped: body.toString() }),
  );
  await server.register(formbody);
  server.setErrorHandler((_error, _request, reply) => reply.code(418).send('host'));
  server.setNotFoundHandler((_request, reply) => reply.code(404).send('host has nothing'));
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', "default-src 'self'").header('x-frame-options', 'SAMEORIGIN');
  });
  server.post('/echo', async (request) => request.body);

  const folder = newFolder();
  let origin = '';
  const access = openAccess({ folder, always: false });
  const publicUrl = () => origin + PREFIX;
  const provider = createProvider({ folder, publicUrl, secretKey: SECRET_KEY, access });
  const mailbox = createMailbox({ folder, access });
  await server.register(provider.plugin, { prefix: PREFIX });
  await server.register(mailbox.plugin, { prefix: '/sandbox/mailbox' });
  origin = await server.listen({ port: 0, host: '127.0.0.1' });

  const client = createPaymongo({ secretKey: SECRET_KEY, baseUrl: origin + PREFIX });
  const link = await client.links.create({ amount: 10_000, description: 'Tea' });
  for (const address of [link.checkoutUrl, `${origin}${PREFIX}`, `${origin}/sandbox/mailbox/`]) {
    const page = await fetch(address);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
  }
  const headers = { 'content-type': 'application/json' };
  const echoed = await fetch(`${origin}/echo`, { method: 'POST', headers, body: '{}' });
  expect(await echoed.json()).toEqual({ wrapped: '{}' });
  expect(echoed.headers.get('content-security-policy')).toBe("default-src 'self'");
  expect(await (await fetch(`${origin}/nothing`)).text()).toBe('host has nothing');
  const authorization = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`;
  const unknown = await fetch(`${origin}${PREFIX}/v1/nothing`, { headers: { authorization } });
  expect(await unknown.json()).toMatchObject({ errors: [{ code: 'resource_not_found' }] });
});
