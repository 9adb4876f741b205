import { allCalls } from '@tara/contract/all';
import { get, post } from '@tara/contract/calls';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../config.ts';
import { collectRoutes, describeApi, referenceRoutes } from './reference.ts';
import { serve } from './serve.ts';

async function page(document: ReturnType<typeof describeApi>) {
  const app = fastify();
  referenceRoutes(app, () => document);
  const answers = await Promise.all(['/docs', '/docs/'].map((url) => app.inject(url)));
  await app.close();
  return answers;
}

it('no script runs on the reference page, inline or by eval (threat-stored-xss)', async () => {
  for (const { statusCode, headers, body } of await page(describeApi(allCalls))) {
    expect(statusCode).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*';/);
    expect(policy).not.toMatch(/unsafe|script/);
    expect(body).not.toMatch(/<script|style=|\son\w+=/);
  }
});

it('shows every call, and nothing of a text as HTML', async () => {
  const odd = get('/api/odd', { summary: '<img src=x onerror=alert(1)> & "more"', reply: z.object({}) });
  const [answer] = await page(describeApi({ ...allCalls, odd: { odd } }));
  for (const [table, calls] of Object.entries(allCalls))
    for (const name of Object.keys(calls)) expect(answer?.body).toContain(`id="${table}.${name}"`);
  expect(answer?.body).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;more&quot;');
});

it('shows the fields that a call accepts and ignores', () => {
  const { requestBody } = (
    describeApi(allCalls).paths as Record<string, Record<string, { requestBody: object }>>
  )['/api/post/quick']?.post ?? { requestBody: {} };
  expect(requestBody).toMatchObject({
    content: {
      'application/json': { schema: { properties: { caption: {}, creator: {} }, required: ['caption'] } },
    },
  });
});

it('shows each route below /api and /v1, and one without a call without a summary', async () => {
  const app = fastify();
  const routes = collectRoutes(app);
  const wave = post('/v1/wave', { summary: 'Waves.', reply: z.object({}) });
  serve(app, wave, async () => ({}));
  serve(app, wave, async () => ({}), { path: '/v1/waves' });
  app.get('/v1/unknown/:id', async () => ({}));
  app.get('/elsewhere', async () => ({}));
  await app.close();
  expect(describeApi({ hands: { wave } }, routes).paths).toMatchObject({
    '/v1/wave': { post: { operationId: 'hands.wave', summary: 'Waves.' } },
    '/v1/waves': { post: { operationId: 'hands.wave.alias', summary: 'Waves.' } },
    '/v1/unknown/{id}': { get: { summary: '' } },
  });
  expect(routes).toHaveLength(3);
});

it.each([
  [{}, true],
  [{ API_REFERENCE: 'off' }, false],
  [{ NODE_ENV: 'production', ALLOW_STAND_INS: '1' }, false],
  [{ NODE_ENV: 'production', ALLOW_STAND_INS: '1', API_REFERENCE: 'on' }, true],
])('is there by %j: %s', (environment, there) => {
  expect(readConfig(environment, []).apiReference).toBe(there);
});
