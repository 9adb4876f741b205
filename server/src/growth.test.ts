import { collectionIds } from '@tara/contract/wire/documents';
import { test as base, describe, expect } from 'vitest';
import { documentTimeoutMs } from './backend/documents/read.ts';
import { timeLimits } from './platform/database/connect.ts';
import { schedule, tasks } from './platform/tasks.ts';
import { documentSamples, samples } from './testing/growth/calls.ts';
import type { Statement } from './testing/growth/measure.ts';
import { type Work, works } from './testing/growth/works.ts';
import { type CountedWorld, openWorld } from './testing/growth/world.ts';

/** `GROWTH=whole` compares a tenth with the whole. */
const isLong = process.env.GROWTH === 'whole';
const shares = isLong ? ([0.1, 1] as const) : ([0.01, 0.1] as const);
/** Sockets that listen to events at each size. */
const strangers = [2, 20] as const;
/** ms for the first test, which fills and measures both. */
const timeout = isLong ? 7_200_000 : 1_800_000;

/** How much more the larger one may read. */
const mostGrowth = 1.5;
/** Pages that count as nothing: an index is a level higher, and the rows of a list lie on other pages. */
const scatter = 64;

interface Exception {
  reason: string;
  /** Most pages at either size, or how much more it may read at the larger one. */
  most: { pages: number } | { growth: number };
  /** The time limit at which each statement of it is cancelled. */
  endsAfterMs: number;
}

const totals = 'totals of /v1';

/** Work that grows with what it is about. */
const exceptions: Record<string, Exception> = {
  'posts.search': {
    reason: 'asks each slice of the newest 65,536 posts, and of older ones (decision 0034)',
    most: { pages: 1_000 },
    endsAfterMs: 2_000,
  },
  'profiles.people': {
    reason: 'a search, as that of posts',
    most: { pages: 1_000 },
    endsAfterMs: 2_000,
  },
  'plans.search': { reason: 'a search, as that of posts', most: { pages: 1_000 }, endsAfterMs: 2_000 },
  'search.all': {
    reason: 'the searches of people, plans and posts in one statement',
    most: { pages: 3_000 },
    endsAfterMs: 2_000,
  },
  'adminWork.moneyOverview': {
    reason: 'sums each paid request that is under way, by its index alone',
    most: { pages: 2_000 },
    endsAfterMs: 300_000,
  },
  'job payments.checkLedger': {
    reason: 'proves the whole ledger, each night',
    most: { growth: 15 },
    endsAfterMs: 300_000,
  },
  'job messages.repairLists': {
    reason:
      'reads the newest messages by an index of times, which names 128 pages at once, and writes the lists of their chats',
    most: { pages: 2_000 },
    endsAfterMs: 300_000,
  },
  [totals]: { reason: 'counts documents up to 5,000', most: { pages: 1_000 }, endsAfterMs: 2_000 },
};
/** Who is signed in is kept for 30 seconds, and noted as present by a timer: `realtime` looks a new session up. */
const isOther = ({ query }: Statement) =>
  [/"sessions"\."password_shown_at"/, /^\s*insert into "member_presence"/].some((pattern) =>
    pattern.test(query),
  );
const isTotal = ({ query }: Statement) =>
  /^select count\(\*\) from \(select \S+ .* limit \S+\) as found$/s.test(query);

interface Reading {
  statements: number;
  buffers: number;
  slowestMs: number;
  queries: Statement[];
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const summarizeStatements = (queries: Statement[]): Reading => ({
  statements: sum(queries.map(({ calls }) => calls)),
  buffers: sum(queries.map(({ buffers }) => buffers)),
  slowestMs: Math.max(0, ...queries.map(({ slowestMs }) => slowestMs)),
  queries,
});

/**
 * Does some work until its statements have the plans that they keep, and once more with plans of indexes alone: where a
 * table is small Postgres reads it whole, which says nothing of what is read where it is large. Plans are kept by the
 * connections of all but the background.
 */
async function measure(world: CountedWorld, work: Work): Promise<Statement[][]> {
  // The sixth execution may take a plan that is kept.
  const warmUps = work.readsAll ? 0 : work.reads && isLong ? 6 : 1;
  const isScheduled = [...Object.keys(schedule), tasks.reconcilePayments.name].includes(
    work.name.replace('job ', ''),
  );
  const measured: Statement[][] = [];
  for (let number = 0; number <= warmUps; number++) {
    const run = await work.prepare(world, number);
    // What is due for a job is worked by its first round.
    if (number === warmUps || isScheduled) measured.push(await world.meter.measure(run));
    else await run();
  }
  if (work.readsAll) return measured;
  await world.meter.usePlanner(work.connections === 'background' ? 'indexes' : 'generic');
  measured.push(await world.meter.measure(await work.prepare(world, warmUps + 1)));
  await world.meter.usePlanner('usual');
  return measured;
}

/** Measures all work on a database of some share of the whole; a failure is kept for the test of its work. */
async function measureAll(share: number, strangers: number): Promise<Map<string, Reading[] | Error>> {
  const world = await openWorld(share, strangers);
  const readings = new Map<string, Reading[] | Error>();
  const counts: Reading[] = [];
  for (const work of works) {
    try {
      const measured = await measure(world, work);
      const own = (statement: Statement) =>
        !isTotal(statement) && (work.name === 'realtime' || !isOther(statement));
      readings.set(
        work.name,
        measured.map((statements) => summarizeStatements(statements.filter(own))),
      );
      counts.push(
        ...measured
          .flat()
          .flatMap((statement) => (isTotal(statement) ? [summarizeStatements([statement])] : [])),
      );
    } catch (error) {
      readings.set(work.name, error instanceof Error ? error : new Error(String(error)));
    }
  }
  readings.set(totals, counts);
  await world.close();
  return readings;
}

const test = base.extend('sizes', { scope: 'file' }, async () => {
  const [small, large] = await Promise.all([
    measureAll(shares[0], strangers[0]),
    measureAll(shares[1], strangers[1]),
  ]);
  const requireReadings = (readings: Map<string, Reading[] | Error>, name: string) => {
    const result = readings.get(name) ?? new Error(`${name} was not measured`);
    if (result instanceof Error) throw result;
    return result;
  };
  return (name: string) => ({ small: requireReadings(small, name), large: requireReadings(large, name) });
});

const most = (readings: Reading[], value: 'statements' | 'buffers' | 'slowestMs') =>
  Math.max(...readings.map((reading) => reading[value]));

/** The statements of the larger size that read more than at the smaller one, for the message of a failure. */
function grown(small: Reading[], large: Reading[]): string {
  const before = new Map<string, number>();
  for (const { query, buffers } of small.flatMap(({ queries }) => queries))
    before.set(query, Math.max(before.get(query) ?? 0, buffers));
  return large
    .flatMap(({ queries }) => queries)
    .filter(({ query, buffers }) => buffers > (before.get(query) ?? 0) * mostGrowth + 2)
    .map(
      ({ query, buffers }) =>
        `${before.get(query) ?? 0} → ${buffers} pages: ${query.replaceAll(/\s+/g, ' ').slice(0, 300)}`,
    )
    .join('\n');
}

/** Most pages that work may read at the larger size. */
function mostBuffers(name: string, small: Reading[]): number {
  const limit = exceptions[name]?.most ?? { growth: mostGrowth };
  return 'pages' in limit ? limit.pages : most(small, 'buffers') * limit.growth + scatter;
}

describe('ten times as many members, posts, requests and messages', { timeout }, () => {
  test.for([...works.map(({ name }) => name), totals])(
    'make %s run no more statements and read hardly more pages',
    (name, { sizes }) => {
      const { small, large } = sizes(name);
      expect(most(large, 'statements'), grown(small, large)).toBeLessThanOrEqual(most(small, 'statements'));
      expect(most(large, 'buffers'), grown(small, large)).toBeLessThanOrEqual(mostBuffers(name, small));
    },
  );

  test.for(Object.entries(exceptions))(
    'leave each statement of %s far from the time limit that ends it',
    ([name, { endsAfterMs }], { sizes }) => {
      const work = works.find((other) => other.name === name);
      const limit = work ? timeLimits[work.connections].statementTimeout : documentTimeoutMs;
      expect(endsAfterMs).toBe(limit);
      expect(most(sizes(name).large, 'slowestMs')).toBeLessThan(endsAfterMs / 4);
    },
  );
});

test('no exception and no sample is of work that is gone', () => {
  const names = [...works.map(({ name }) => name), totals];
  expect(
    [...Object.keys(exceptions), ...Object.keys(samples)].filter((name) => !names.includes(name)),
  ).toEqual([]);
  expect(Object.keys(documentSamples)).toEqual([...collectionIds]);
});
