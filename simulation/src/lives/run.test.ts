import { expect, test } from 'vitest';
import type { LifeOptions } from './life.ts';
import { describeSeeds, type Place, shorten } from './run.ts';
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
    ...{ name: 'nothing', known: [], knownRow: () => undefined, mustHappen: {}, excluded: {}, live },
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
