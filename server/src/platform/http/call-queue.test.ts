import { calls, get } from '@tara/contract/calls';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { insertMember, type Member } from '../../testing/members.ts';
import { testPlatform } from '../../testing/platform.ts';
import { testServer } from '../../testing/server.ts';
import { test as base } from '../../testing/test.ts';
import { serve } from './serve.ts';

const slow = calls('/api/slow', {
  read: get('/read', { summary: '', access: 'anyone', reply: z.object({ ok: z.boolean() }) }),
  upload: get('/upload', { summary: '', access: 'anyone', reply: z.object({ ok: z.boolean() }) }),
});

/** A server whose calls end when the test lets them; `begun` names whose are under way or over, in order. */
const test = base.extend('slow', async ({ database }, { onCleanup }) => {
  const platform = testPlatform(database, { RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const wait = async (name: string) => {
    begun.push(name);
    if (!isOpen) await new Promise<void>((done) => waiting.push(done));
    return { ok: true };
  };
  const server = await testServer(platform, (app) => {
    serve(app, slow.read, ({ viewer }) => wait(viewer?.name ?? 'guest'));
    serve(app, slow.upload, ({ viewer }) => wait(viewer?.name ?? 'guest'), { hasQueue: true });
  });
  const open = () => {
    isOpen = true;
    for (const done of waiting.splice(0)) done();
  };
  onCleanup(async () => {
    open();
    await server.close();
  });
  const send = async (who: Member | null, ip: string, url: string = slow.read.path) =>
    (await server.request(who, { method: 'GET', url, headers: { 'x-forwarded-for': ip } })).statusCode;
  return { send, open, begun };
});

describe('calls of one account', () => {
  test('beyond eight wait for each other, none is refused, and nobody else’s wait', async ({
    database,
    slow: { send, open, begun },
  }) => {
    const [ana, ben] = [
      await insertMember(database, { name: 'Ana' }),
      await insertMember(database, { name: 'Ben' }),
    ];
    const many = Array.from({ length: 100 }, (_, index) =>
      send(ana, index % 2 ? '203.0.113.9' : '198.51.100.7'),
    );
    await expect.poll(() => begun.length).toBe(8);
    const others = [send(ben, '203.0.113.9'), send(null, '203.0.113.9')];
    await expect.poll(() => begun.length).toBe(10);
    expect(begun.toSorted()).toEqual([...Array(8).fill('Ana'), 'Ben', 'guest']);
    open();
    expect(new Set(await Promise.all([...many, ...others]))).toEqual(new Set([200]));
  });

  test('that wait in a queue of their own take no place of others', async ({
    database,
    slow: { send, open, begun },
  }) => {
    const ana = await insertMember(database, { name: 'Ana' });
    const uploads = Array.from({ length: 20 }, () => send(ana, '203.0.113.9', slow.upload.path));
    await expect.poll(() => begun.length).toBe(20);
    const read = send(ana, '203.0.113.9');
    await expect.poll(() => begun.length).toBe(21);
    open();
    expect(new Set(await Promise.all([...uploads, read]))).toEqual(new Set([200]));
  });
});

test('calls of 200 members behind one address are all answered', async ({
  database,
  slow: { send, open, begun },
}) => {
  const members = await Promise.all(
    Array.from({ length: 200 }, (_, index) => insertMember(database, { name: `Member ${index}` })),
  );
  const sent = members.flatMap((member) => [send(member, '203.0.113.9'), send(member, '203.0.113.9')]);
  await expect.poll(() => begun.length).toBe(128);
  // A member of another network does not wait for them.
  const other = send(members[0] ?? null, '198.51.100.7');
  await expect.poll(() => begun.length).toBe(129);
  open();
  expect(new Set(await Promise.all([...sent, other]))).toEqual(new Set([200]));
});
