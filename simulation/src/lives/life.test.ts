import { testServer } from '@tara/server/testing/server';
import { expect } from 'vitest';
import { money } from '../money/subject.ts';
import { livesTest } from '../testing/lives.ts';
import { Coverage } from './coverage.ts';
import { type CommonInvariant, commonInvariants, Life, live } from './life.ts';
import type { Served } from './product.ts';
import type { AnyDeed, Script } from './script.ts';
import type { World } from './world.ts';

const test = livesTest('money', money);

/** What breaks the invariants of all lives, each by a deed of its name. */
const faults: Record<CommonInvariant, (life: FaultyLife) => void> = {
  'a life ends': (life) => life.stepForEver(),
  'a call is answered': (life) => life.callForEver(),
  'the machine goes on': () => {
    throw new Error('a deed fails');
  },
};

/** A life of a product without calls. */
class FaultyLife extends Life<World, Script, never> {
  protected override async serve(platform: Parameters<typeof testServer>[0]): Promise<Served> {
    return { server: await testServer(platform, () => {}), handlers: {}, begin: async () => {} };
  }
  protected override async enqueueRounds(): Promise<void> {}
  protected override async finish(): Promise<void> {}
  protected override isChecked = () => false;
  protected override checkStored = async () => [];
  protected override checkQuiet = async () => [];
  protected override async begin(deed: AnyDeed): Promise<void> {
    faults[deed.do as CommonInvariant](this);
  }

  stepForEver(): void {
    this.machine.offer({ name: 'the same again', perform: () => this.stepForEver() });
  }

  callForEver(): void {
    this.acting += 1;
  }
}

test.for([...commonInvariants])(
  'a life finds that this does not hold: %s',
  async (breaks, { place: { world } }) => {
    const script = { environment: {}, tells: false, acts: [{ deed: { do: breaks }, steps: null }] };
    const options = { world, seed: 1, script, coverage: new Coverage(), goesOn: () => false };
    const { findings } = await live(options, (machine) => new FaultyLife(options, machine));
    expect(findings.map(({ invariant }) => invariant)).toEqual([breaks]);
  },
);
