import { collectionIds } from '@tara/contract/documents';
import { test as base, describe, expect } from 'vitest';
import { documentSamples, samples } from './testing/growth/calls.ts';
import type { Statement } from './testing/growth/measure.ts';
import { type Work, works } from './testing/growth/works.ts';
import { openWorld, type World } from './testing/growth/world.ts';

/** `GROWTH=whole` compares a tenth with the whole. */
const isLong = process.env.GROWTH === 'whole';
const shares = isLong ? ([0.1, 1] as const) : ([0.01, 0.1] as const);
/** ms for the first test, which fills and measures both. */
const timeout = isLong ? 7_200_000 : 1_800_000;

/** How much more the larger one may read. */
const mostGrowth = 1.5;
/** Pages that count as nothing: an index is a level higher, and the rows of a list lie on other pages. */
const scatter = 64;

/**
 * Work that grows with what it is about. Each statement of it ends at the time limit of its connection, and reads at most
 * so many pages at either size.
 */
const exceptions: Record<string, { reason: string; mostBuffers: number }> = {
  'posts.search': {
    reason: 'asks each slice of the newest 65,536 posts, and of older ones (decision 0034)',
    mostBuffers: 1_000,
  },
  'profiles.people': { reason: 'a search, as that of posts', mostBuffers: 1_000 },
  'plans.search': { reason: 'a search, as that of posts', mostBuffers: 1_000 },
  'adminWork.moneyOverview': {
    reason: 'sums each paid request that is under way, by its index alone',
    mostBuffers: 2_000,
  },
};
/** Work that reads all rows, at night or in a job of its own; it is not measured. */
const unmeasured: Record<string, string> = {
  'job payments.checkLedger': 'proves the whole ledger, each night',
};
/** Statements that belong to no work, or count documents of `/v1` up to 5,000, which ends after 2 seconds. */
const isOther = ({ query }: Statement) =>
  [
    /^select count\(\*\) from \(select \S+ .* limit \S+\) as found$/s,
    // Who is signed in is kept for 30 seconds, and noted as present by a timer: `realtime` looks a new session up.
    /"sessions"\."password_shown_at"/,
    /^\s*insert into "member_presence"/,
  ].some((pattern) => pattern.test(query));

interface Reading {
  statements: number;
  buffers: number;
  queries: Statement[];
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const readingOf = (all: Statement[], { name }: Work): Reading => {
  const queries = name === 'realtime' ? all : all.filter((statement) => !isOther(statement));
  return {
    statements: sum(queries.map(({ calls }) => calls)),
    buffers: sum(queries.map(({ buffers }) => buffers)),
    queries,
  };
};

/**
 * Does some work until its statements have the plans that they keep, and once more with plans of indexes alone: where a
 * table is small Postgres reads it whole, which says nothing of what is read where it is large.
 */
async function measure(world: World, work: Work): Promise<Reading[]> {
  const readings: Reading[] = [];
  // The sixth execution may take a plan that is kept.
  const warmUps = work.reads && isLong ? 6 : 1;
  const attempt = async (number: number) => {
    const run = await work.prepare(world, number);
    return readingOf(await world.meter.measure(run), work);
  };
  for (let number = 0; number <= warmUps; number++) {
    const reading = await attempt(number);
    // What is due for a job is worked by its first round.
    if (number === warmUps || work.name.startsWith('job ')) readings.push(reading);
  }
  await world.meter.usePlanner('indexes');
  readings.push(await attempt(warmUps + 1));
  await world.meter.usePlanner('usual');
  return readings;
}

/** Measures all work on a database of some share of the whole; a failure is kept for the test of its work. */
async function measureAll(share: number): Promise<Map<string, Reading[] | Error>> {
  const world = await openWorld(share);
  const readings = new Map<string, Reading[] | Error>();
  for (const work of works) {
    if (work.name in unmeasured) continue;
    const done = await measure(world, work).catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    readings.set(work.name, done);
  }
  await world.close();
  return readings;
}

const test = base.extend('sizes', { scope: 'file' }, async () => {
  const [small, large] = [await measureAll(shares[0]), await measureAll(shares[1])];
  const readingsOf = (readings: Map<string, Reading[] | Error>, name: string) => {
    const result = readings.get(name) ?? new Error(`${name} was not measured`);
    if (result instanceof Error) throw result;
    return result;
  };
  return (name: string) => ({ small: readingsOf(small, name), large: readingsOf(large, name) });
});

const most = (readings: Reading[], value: 'statements' | 'buffers') =>
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

describe('ten times as many members, posts, requests and messages', { timeout }, () => {
  test.for(works.filter(({ name }) => !(name in unmeasured)).map(({ name }) => name))(
    'make %s run no more statements and read hardly more pages',
    (name, { sizes }) => {
      const { small, large } = sizes(name);
      const limit = exceptions[name]?.mostBuffers ?? most(small, 'buffers') * mostGrowth + scatter;
      expect(most(large, 'statements'), grown(small, large)).toBeLessThanOrEqual(most(small, 'statements'));
      expect(most(large, 'buffers'), grown(small, large)).toBeLessThanOrEqual(limit);
    },
  );
});

test('no exception and no sample is of work that is gone', () => {
  const names = works.map(({ name }) => name);
  expect(
    [...Object.keys(exceptions), ...Object.keys(unmeasured), ...Object.keys(samples)].filter(
      (name) => !names.includes(name),
    ),
  ).toEqual([]);
  expect(Object.keys(documentSamples)).toEqual([...collectionIds]);
});
