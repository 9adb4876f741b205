import { stages } from '@tara/contract/interactions/stages';
import { tasks } from '@tara/server/platform/tasks';
import type { Subject } from '../lives/subject.ts';
import { crashPointNames } from './crash-points.ts';
import { live } from './life.ts';
import { callFaults } from './provider.ts';
import { deedNames, deliveryFaults, drawScript, type Script } from './script.ts';
import { openWorld, type World } from './world.ts';
import { excludedPairs, pairNames, pairsInTurn, seldomPairs } from './writers.ts';

/** The jobs of money, but for the nightly check, which the simulation replaces by its own. */
const jobNames = Object.values(tasks)
  .map(({ name }) => name)
  .filter((name) => /^(payments|disputes)\./.test(name) && name !== tasks.checkLedger.name);

/** Requests and their money. */
export const money: Subject<World, Script> = {
  name: 'money',
  openWorld,
  drawScript,
  live,
  known: [],
  mustHappen: {
    deed: deedNames,
    stage: stages,
    fault: [...callFaults, ...deliveryFaults],
    job: jobNames,
    'crash before': crashPointNames,
    'at once': pairNames,
  },
  excluded: {
    'pairs of which one leads to the stage of the other': pairsInTurn,
    'pairs that meet where a second payment goes back alone': seldomPairs,
    'pairs that the stages exclude': excludedPairs,
  },
};
