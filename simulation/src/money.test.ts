import { availableParallelism } from 'node:os';
import { createTestDatabase } from '@tara/server/testing/database';
import { test as base } from '@tara/server/testing/test';
import { describe, expect } from 'vitest';
import { Coverage } from './money/coverage.ts';
import { known } from './money/known.ts';
import { live } from './money/life.ts';
import { liveSeed, runSeeds, type Seeds, shorten } from './money/run.ts';
import { type Deed, dayMs, type Script } from './money/script.ts';
import { shareSeeds } from './money/share.ts';
import { openWorld } from './money/world.ts';
import { excludedPairs, pairNames } from './money/writers.ts';

const test = base
  .extend('world', { scope: 'file' }, async ({ connection }, { onCleanup }) => {
    const world = await openWorld(connection.url);
    onCleanup(() => world.close());
    return world;
  })
  .extend('shareAmong', ({ onTestFinished }) => async (processes: number, seeds: Seeds) => {
    const urls: string[] = [];
    for (let index = 0; index < processes; index++) {
      const { url, drop } = await createTestDatabase();
      onTestFinished(drop);
      urls.push(url);
    }
    return shareSeeds(urls, seeds);
  });

const lives = 100;

const scriptOf = (...deeds: Deed[]): Script => ({
  environment: { PAYMENT_METHODS: 'card,gcash' },
  settings: {},
  tells: false,
  acts: deeds.map((deed) => ({ deed, steps: null })),
});

/** On which everything goes well. */
const goodEnd = scriptOf(
  { do: 'request', client: 0, plan: 0, day: 3 },
  { do: 'pay', request: 0, way: 'card' },
  { do: 'accept', request: 0 },
  { do: 'pass', ms: 4 * dayMs },
  { do: 'sayMet', request: 0 },
  { do: 'fulfil', request: 0 },
  { do: 'confirm', request: 0, admin: 0 },
  { do: 'review', request: 0 },
);

describe('a life of a request and its money', () => {
  test('goes from the request to the payout and the review', async ({ world }) => {
    const { findings } = await liveSeed(world, 1, { script: goodEnd });
    expect(findings).toEqual([]);
    const [row] = await world.admin`select stage, paid_out_at > '2026-01-09' as "isPaidOut",
      (select count(*) from reviews)::int as reviews,
      (select array_agg(kind order by id) from ledger_transfers) as transfers from interactions`;
    expect(row).toEqual({
      ...{ stage: 'completed', isPaidOut: true, reviews: 1, transfers: ['capture', 'release', 'payout'] },
    });
  });

  test.for([1, 2, 3, 40])('is the same again from its seed, byte for byte: %i', async (seed, { world }) => {
    const first = await liveSeed(world, seed);
    const again = await liveSeed(world, seed);
    expect(again.trace.join('\n')).toBe(first.trace.join('\n'));
    expect(first.steps).toBeGreaterThan(100);
  });

  test('differs from that of another seed', async ({ world }) => {
    const one = await liveSeed(world, 1, { script: goodEnd });
    const other = await liveSeed(world, 2, { script: goodEnd });
    expect(other.trace).not.toEqual(one.trace);
  });
});

describe('what the lives cover', () => {
  test('the process ends before the step that a script names', async ({ world }) => {
    const coverage = new Coverage();
    const point = 'the answer to POST /v1/links arrives';
    const script = scriptOf({ do: 'request', client: 0, plan: 0, day: 3 });
    script.acts = [
      ...script.acts.map(({ deed }) => ({ deed, steps: 0 })),
      { deed: { do: 'crash', point }, steps: null },
    ];
    const { findings } = await liveSeed(world, 1, { script, coverage });
    expect(findings).toEqual([]);
    expect(coverage.counts.get('crash before')?.get(point)).toBe(1);
  });

  test('what may write to a request in its stage meets, and nothing else', async ({ world }) => {
    const coverage = new Coverage();
    const picks = Array.from({ length: 40 }, (_, index) => index);
    const script = scriptOf({ do: 'request', client: 0, plan: 0, day: 3 }, { do: 'rush', request: 0, picks });
    const { findings } = await liveSeed(world, 1, { script, coverage });
    expect(findings).toEqual([]);
    const pairs = [...(coverage.counts.get('at once')?.keys() ?? [])];
    expect(pairs).toContain('accept and end');
    expect(pairs.filter((pair) => !pairNames.includes(pair))).toEqual([]);
    expect(excludedPairs.get('accept and confirm')).toBe(
      'accept is from requested, paid; confirm from fulfilled',
    );
  });
});

describe('what the lives check', () => {
  test('finds money that somebody else moves at the provider', async ({ world }) => {
    const { acts, ...rest } = goodEnd;
    const stolen: Deed = { do: 'transfer', request: 0 };
    const script = { ...rest, acts: [...acts, { deed: stolen, steps: null }] };
    const { findings } = await live({
      ...{ world, seed: 1, script, coverage: new Coverage() },
      goesOn: () => true,
    });
    expect(findings.map(({ invariant }) => invariant)).toContain('nobody is paid twice');
  });

  test.for([...known])('shows that $cause', async (row, { world }) => {
    const { findings } = await liveSeed(world, row.seed, row.deeds && { script: scriptOf(...row.deeds) });
    expect(findings.map(({ invariant }) => invariant)).toContain(row.invariant);
  });

  test('of a payout that the account may not send, for two days, the list has it, and it is sent once', async ({
    world,
  }) => {
    const mayNot = (kind: 'answer_403' | 'lose_answer', call: string): Deed[] => [
      ...goodEnd.acts.slice(0, 6).map(({ deed }) => deed),
      { do: 'callFault', kind, call, times: 1000 },
      { do: 'confirm', request: 0, admin: 0 },
      { do: 'pass', ms: 2 * dayMs },
    ];
    for (const deeds of [
      mayNot('answer_403', 'GET /v2/wallets'),
      mayNot('answer_403', 'POST /v2/batch_transfers'),
      mayNot('lose_answer', 'POST /v2/batch_transfers'),
      mayNot('lose_answer', ''),
    ])
      expect((await liveSeed(world, 1, { script: scriptOf(...deeds) })).findings).toEqual([]);
  });

  test(`holds in each of ${lives} lives, but for what is known`, {
    timeout: 900_000,
  }, async ({ shareAmong }) => {
    const { failures } = await shareAmong(availableParallelism(), { first: 1000, count: lives });
    expect(failures).toEqual([]);
  });
});

test('lives are the same in several processes', async ({ world, shareAmong }) => {
  const seeds = { first: 5, count: 6 };
  expect(await shareAmong(2, seeds)).toEqual(await runSeeds(world, seeds));
});

test('a failure is shortened to what leads to it', async ({ world }) => {
  const acts = [...goodEnd.acts, { deed: { do: 'transfer', request: 0 } as const, steps: 3 }];
  const script = await shorten(world, 1, 'nobody is paid twice', { script: { ...goodEnd, acts } });
  const names = script.acts.map(({ deed }) => deed.do);
  expect(names).toContain('transfer');
  expect(names).not.toContain('review');
  expect(names).not.toContain('sayMet');
  expect(script.acts.every(({ steps }) => steps === null)).toBe(true);
});
