// Lets the simulation find faults in copies of the working tree.
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { childEnvironment, pinnedNode } from '../setup/run.mjs';
import { applyMutant } from './apply.mjs';
import { mostSeeds } from './faults-of-money.mjs';
import { copyTree } from './run.mjs';

/** Whether lives of the simulation have to notice a mutant: those of its kind. */
export const isSimulated = ({ kind }) => kind === 'money' || kind === 'chat';

/** Lives seeds of a kind from the first on in a copy, until one fails. @returns what the program printed, and its exit code */
function simulate(folder, kind, seeds, databases) {
  return new Promise((done, fail) => {
    const args = [`simulation/src/${kind}.ts`, '--seed', '1', '--seeds', String(seeds), '--find'];
    args.push('--processes', String(databases.length), '--databases', databases.join(' '));
    const child = spawn(pinnedNode(), args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: childEnvironment(),
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    child.once('error', fail);
    child.once('close', (code) => done({ code, text }));
  });
}

/** The first failure that the program prints: the seed, and the invariant that broke; null without one. */
function firstFailure(text) {
  const [, seed, invariant] = /^seed (\d+) breaks '([^']*)'/m.exec(text) ?? [];
  return seed === undefined ? null : `seed ${seed}: ${invariant}`;
}

/**
 * Tries each fault, and calls `tell(mutant, state, reason)`: `killed` with the seed that showed it and the invariant that broke,
 * `survived`, or `failed` when it could not be tried. The lives of a kind come once without a fault before; none begin after `endsAt`.
 * @param live lives the seeds of a kind in a copy with these files changed, until one fails: what it printed, and its exit code
 */
export async function tryFaults(mutants, { sources, tell, live, endsAt = Number.POSITIVE_INFINITY }) {
  for (const [kind, faults] of Map.groupBy(mutants, (mutant) => mutant.kind)) {
    if (Date.now() >= endsAt) return;
    const { code: codeBefore, text: textBefore } = await live(kind, []);
    for (const mutant of faults) {
      if (Date.now() >= endsAt) return;
      if (codeBefore !== 0) {
        tell(
          mutant,
          'failed',
          `its lives fail without it: ${firstFailure(textBefore) ?? 'they ended early'}`,
        );
        continue;
      }
      let changed;
      try {
        changed = applyMutant(sources, mutant);
      } catch (error) {
        tell(mutant, 'failed', error.message);
        continue;
      }
      const { code, text } = await live(kind, changed);
      const failure = firstFailure(text);
      if (failure !== null) tell(mutant, 'killed', failure);
      else if (code === 0) tell(mutant, 'survived', `${mostSeeds} lives`);
      else tell(mutant, 'failed', 'the lives ended early');
    }
  }
}

/** Tries each fault with up to `mostSeeds` lives in a copy of the working tree. */
export async function simulateMutants(mutants, { sources, tell, endsAt }) {
  if (mutants.length === 0) return;
  const { startPostgres } = await import('../../simulation/src/postgres/start.ts');
  const folder = copyTree();
  const postgres = await startPostgres();
  const makeDatabases = () =>
    Promise.all(Array.from({ length: availableParallelism() }, () => postgres.makeDatabase()));
  const live = async (kind, changed) => {
    for (const { path, text } of changed) writeFileSync(join(folder, path), text);
    const printed = await simulate(folder, kind, mostSeeds, await makeDatabases());
    for (const { path } of changed) writeFileSync(join(folder, path), sources.get(path));
    return printed;
  };
  try {
    await tryFaults(mutants, { sources, tell, live, endsAt });
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of each kind, how many faults were tried and found, and whether nine of ten were. @param rows `{ kind, state }` of each fault */
export function countFound(rows) {
  return [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, faults]) => {
    const tried = faults.length;
    const foundCount = faults.filter(({ state }) => state === 'killed').length;
    return { kind, tried, foundCount, isEnough: 10 * foundCount >= 9 * tried };
  });
}

/** A table of what was tried: `{ like, what, state, reason }` each. */
export function tableOf(rows) {
  const width = (key) => Math.max(...rows.map((row) => row[key].length));
  const [like, what] = [width('like'), width('what')];
  return rows
    .map((row) => `${row.like.padEnd(like)}  ${row.what.padEnd(what)}  ${row.state}: ${row.reason}`)
    .join('\n');
}
