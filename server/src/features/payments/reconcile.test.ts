import { nowDate, nowMs } from '@tara/contract/clock';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { postponedItems } from '../../platform/jobs/tables.ts';
import { openLog } from '../../platform/log.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { paymentTest as test } from '../../testing/features/payment-fixture.ts';
import { test as platformTest } from '../../testing/test.ts';
import { interactions } from '../interactions/index.ts';
import { reconcile } from './reconcile.ts';

test('does not log a link that the provider does not know in each round, but in one line', async ({
  fixture,
}) => {
  const { database } = fixture;
  const creator = await insertMember(database, { verified: true });
  const client = await insertMember(database, { verified: true });
  const planId = await insertPlan(database, creator);
  const id = await insertInteraction(database, { creator, client, planId }, { linkId: 'link_unknown' });
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  for (let round = 0; round < 4; round += 1)
    await reconcile({ ...fixture.context, log }, { settleSeconds: 0 });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ itemId: id, err: expect.objectContaining({ status: 404 }) }),
  ]);
});

platformTest('steps whose job fails for ever do not keep a newer one from its job', async ({ platform }) => {
  const { database } = platform;
  const { signal } = new AbortController();
  const provider = { disputes: { list: async () => ({ items: [] }) } } as never;
  const creator = await insertMember(database, { verified: true });
  const client = await insertMember(database, { verified: true });
  const insert = async (minutes: number) => {
    const planId = await insertPlan(database, creator);
    const createdAt = new Date(nowMs() - minutes * 60_000);
    return insertInteraction(database, { creator, client, planId }, { createdAt });
  };
  for (let index = 0; index < 100; index++) await insert(60 + index);
  const newer = await insert(5);
  const queued: string[] = [];
  for (let round = 0; round < 3; round++) {
    await reconcile({ ...platform, provider, signal });
    // Nobody does them: each step is still waiting in the next round.
    queued.push(...(await platform.takeJobs()).map(({ payload }) => String(payload.interactionId)));
  }
  expect(queued).toContain(newer);
  expect(queued).toHaveLength(201);
  // An hour later they are done: nothing of them is left in the list of failures.
  await database.update(interactions).set({ cancelledAt: nowDate(), cancelReason: 'withdrawn' });
  await database.update(postponedItems).set({ retryAt: sql`now() - interval '2 hours'` });
  await reconcile({ ...platform, provider, signal });
  expect(await database.$count(postponedItems)).toBe(0);
});
