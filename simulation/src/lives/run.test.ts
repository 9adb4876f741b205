import { describe, expect, test } from 'vitest';
import { Coverage } from './coverage.ts';
import type { LifeOptions } from './life.ts';
import { describeSeeds, judgeRun, type Place, shorten } from './run.ts';
import { describeSettings, type Script } from './script.ts';
import type { World } from './world.ts';

/** Lives that break an invariant when these deeds happen, one after the other. */
const breaksBy = (...deeds: string[]): { place: Place<World, Script>; lived: Script[] } => {
  const lived: Script[] = [];
  const live = async ({ script }: LifeOptions<World, Script>) => {
    lived.push(script);
    const names = script.acts.map(({ deed }) => deed.do);
    const places = deeds.map((name) => names.indexOf(name));
    const isBroken = places.every((place, index) => place > (places[index - 1] ?? -1));
    const findings = isBroken ? [{ invariant: 'it holds', text: 'it does not' }] : [];
    return { trace: [], findings, steps: 0 };
  };
  const subject = {
    ...{ name: 'nothing', known: [], mustHappen: {}, excluded: {}, live },
    ...{ openWorld: () => Promise.reject(), drawScript: () => scriptOf() },
  };
  return { place: { subject, world: {} as World }, lived };
};

const scriptOf = (...deeds: string[]): Script => ({
  ...{ environment: {}, tells: false },
  acts: deeds.map((name) => ({ deed: { do: name }, steps: 3 })),
});

test('a failure is shortened to what leads to it, done one by one', async () => {
  const { place, lived } = breaksBy('pay', 'transfer');
  const script = scriptOf(
    'request',
    'pay',
    'accept',
    'pass',
    'meet',
    'confirm',
    'review',
    'transfer',
    'pass',
  );
  const shortened = await shorten(place, 1, 'it holds', { script });
  expect(shortened.acts).toEqual(['pay', 'transfer'].map((name) => ({ deed: { do: name }, steps: null })));
  expect(lived.length).toBeLessThan(40);
});

test('a failure is not shortened to one of another invariant, nor for ever', async () => {
  const { place, lived } = breaksBy('pay');
  const script = scriptOf('request', 'pay', 'accept', 'pass');
  expect(await shorten(place, 1, 'another one holds', { script, mostTries: 3 })).toEqual(script);
  expect(lived).toHaveLength(3);
});

describe('a run is judged by what happened in it', () => {
  const mustHappen = { deed: ['pay', 'cancel'], job: ['disburse'] };
  const judge = (cancels: number, seeds: number) => {
    const coverage = new Coverage();
    coverage.count('deed', 'pay', 5000);
    coverage.count('deed', 'cancel', cancels);
    coverage.count('job', 'disburse', 100);
    // Of another kind.
    coverage.count('job', 'cancel', 5000);
    return judgeRun({ mustHappen }, { coverage, failures: [] }, seeds);
  };

  test('one thing that happened 99 times in 20,000 lives fails it, and is named', () => {
    expect(judge(99, 20_000)).toEqual({ rare: ['deed cancel: 99'], mustHave: true, isFailed: true });
  });

  test('each thing that happened 100 times in 20,000 lives passes', () => {
    expect(judge(100, 20_000)).toEqual({ rare: [], mustHave: true, isFailed: false });
  });

  test('what never happened is named', () => {
    expect(judgeRun({ mustHappen }, { coverage: new Coverage(), failures: [] }, 20_000).rare).toEqual([
      ...['deed pay: 0', 'deed cancel: 0', 'job disburse: 0'],
    ]);
  });

  test('more lives ask for as much more', () => {
    expect(judge(199, 40_000).rare).toEqual(['deed cancel: 199', 'job disburse: 100']);
  });

  test('fewer lives only name what was rare', () => {
    expect(judge(99, 19_999)).toEqual({ rare: ['deed cancel: 99'], mustHave: false, isFailed: false });
  });

  test('a failure fails it whatever happened', () => {
    const failures = [{ seed: 7, finding: { invariant: 'it holds', text: 'it does not' } }];
    const judged = judgeRun({ mustHappen: {} }, { coverage: new Coverage(), failures }, 1);
    expect(judged.isFailed).toBe(true);
  });
});

test('the seeds of all failures are in one line, each once', () => {
  const finding = { invariant: 'it holds', text: 'it does not' };
  expect(describeSeeds([7, 9, 9, 12, 20].map((seed) => ({ seed, finding })))).toBe(
    'seeds that failed: 7, 9, 12, 20',
  );
});

test('the history of a failure has everything that the seed says beside the deeds', () => {
  const settings = { withholds_tax: true };
  const script = { ...scriptOf('pay'), environment: { PAYOUTS: 'manual' }, settings, tells: true };
  expect(describeSettings(script)).toEqual([
    'PAYOUTS=manual',
    'tells=true',
    'settings={"withholds_tax":true}',
  ]);
});
