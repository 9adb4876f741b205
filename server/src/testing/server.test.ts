import { calls, get, post } from '@tara/contract/calls';
import { expect } from 'vitest';
import { z } from 'zod';
import { serve } from '../platform/http/serve.ts';
import { insertMember } from './features/members.ts';
import { serverTest } from './test.ts';

const sample = calls('/sample', {
  name: get('/:id', {
    summary: '',
    params: z.object({ id: z.string() }),
    reply: z.object({ name: z.string() }),
  }),
  admin: post('/admin', {
    summary: '',
    access: 'admin',
    body: z.strictObject({ a: z.number() }),
    reply: z.object({}),
  }),
});
const test = serverTest((app) => {
  serve(app, sample.name, async ({ viewer, params }) => ({ name: `${viewer.name} ${params.id}` }));
  serve(app, sample.admin, async () => ({}));
});

test('a member calls as themselves', async ({ database, server }) => {
  const ana = await insertMember(database, { name: 'Ana' });
  expect((await server.call(ana, sample.name, { params: { id: 'x' } })).reply).toEqual({ name: 'Ana x' });
});

test('the access of a call is enforced', async ({ database, server }) => {
  const unconfirmed = await insertMember(database, { confirmed: false });
  const ana = await insertMember(database);
  const admin = await insertMember(database, { admin: true });
  const params = { id: 'x' };
  expect((await server.call(null, sample.name, { params })).problem.type).toBe('general_unauthorized_scope');
  expect((await server.call(unconfirmed, sample.name, { params })).problem.type).toBe(
    'user_email_unverified',
  );
  expect((await server.call(ana, sample.admin, { body: { a: 1 } })).problem.type).toBe('admin_only');
  expect((await server.call(admin, sample.admin, { body: { a: 'x' } })).problem.fields).toHaveProperty('a');
  expect((await server.call(admin, sample.admin, { body: { a: 1 } })).status).toBe(200);
});
