import { calls, get } from '@tara/contract/calls';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { testPlatform } from '../../testing/platform.ts';
import { testServer } from '../../testing/server.ts';
import { test as base } from '../../testing/test.ts';
import { openFairQueue } from '../fair-queue.ts';
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
  const one = { running: 1, total: 1_000 };
  const pictures = openFairQueue({ concurrency: 1, total: 1_000, account: one, address: one, network: one });
  const server = await testServer(platform, (app) => {
    serve(app, slow.read, ({ viewer }) => wait(viewer?.name ?? 'guest'));
    serve(app, slow.upload, ({ viewer }) => {
      const name = viewer?.name ?? 'guest';
      begun.push(`${name}'s upload`);
      return pictures.run({}, () => wait(`${name}'s picture`));
    });
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

describe('calls of one account (threat-slow-neighbours)', () => {
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

  test('take no place of others while they wait in another queue', async ({
    database,
    slow: { send, open, begun },
  }) => {
    const ana = await insertMember(database, { name: 'Ana' });
    const uploads = Array.from({ length: 20 }, () => send(ana, '203.0.113.9', slow.upload.path));
    // One picture is being made, and the others wait for it.
    await expect.poll(() => begun.length).toBe(21);
    const reads = Array.from({ length: 9 }, () => send(ana, '203.0.113.9'));
    await expect.poll(() => begun.length).toBe(29);
    expect(begun.slice(21)).toEqual(Array(8).fill('Ana'));
    open();
    expect(new Set(await Promise.all([...uploads, ...reads]))).toEqual(new Set([200]));
    // Each takes a place again when its picture is made, and gives it back.
    const more = Array.from({ length: 8 }, () => send(ana, '203.0.113.9', slow.upload.path));
    expect(new Set(await Promise.all(more))).toEqual(new Set([200]));
  });
});

test('calls of 200 members behind one address are all answered (threat-slow-neighbours)', async ({
  database,
  slow: { send, open, begun },
}) => {
  const members = await Promise.all(
    Array.from({ length: 200 }, (_, index) => insertMember(database, { name: `Member ${index}` })),
  );
  const sent = members.flatMap((member) => [send(member, '203.0.113.9'), send(member, '203.0.113.9')]);
  await expect.poll(() => begun.length).toBe(48);
  // A member of another network does not wait for them.
  const other = send(members[0] ?? null, '198.51.100.7');
  await expect.poll(() => begun.length).toBe(49);
  open();
  expect(new Set(await Promise.all([...sent, other]))).toEqual(new Set([200]));
});
