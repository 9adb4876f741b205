import type { Findings } from '../findings.ts';
import type { Input } from '../inputs/input.ts';
import type { Outcome, Probe } from '../probe.ts';
import { changedTables, jobsMayChange, type Tables } from './tables.ts';

interface FuzzContext {
  probe: Probe;
  tables: Tables;
  findings: Findings;
}

/** Sends inputs between two checks of the tables. */
async function sendBetween({ probe, tables }: FuzzContext, inputs: readonly Input[]) {
  await tables.settle();
  const before = await tables.checksums();
  const outcomes = await probe.sendAll(inputs);
  await tables.settle();
  return { outcomes, changed: changedTables(before, await tables.checksums()) };
}

/** A row that was added to or removed from a table. */
async function changedRow({ probe, tables }: FuzzContext, input: Input, table: string): Promise<string> {
  const before = await tables.rows(table);
  await probe.send(input);
  const after = await tables.rows(table);
  const [row] = after.filter((one) => !before.includes(one));
  return row?.slice(0, 300) ?? 'a row is gone';
}

/** Halves inputs that together change a table until one is left; null when no half does it again. */
async function halve(
  context: FuzzContext,
  inputs: readonly Input[],
  changed: readonly string[],
): Promise<{ input: Input; changed: readonly string[] } | null> {
  const [first] = inputs;
  if (first === undefined) return null;
  if (inputs.length === 1) return { input: first, changed };
  const middle = Math.ceil(inputs.length / 2);
  for (const half of [inputs.slice(0, middle), inputs.slice(middle)]) {
    const again = await sendBetween(context, half);
    const isRefused = again.outcomes.every(({ refused }) => refused);
    const match = again.changed.length > 0 && isRefused ? await halve(context, half, again.changed) : null;
    if (match !== null) return match;
  }
  return null;
}

/**
 * Sends inputs that should be refused, and finds those that changed a table although they were refused: one for each call.
 * Inputs that are accepted are left out of further rounds, and so are the calls that are known to do it.
 */
export async function checkRefusals(context: FuzzContext, inputs: readonly Input[]): Promise<Outcome[]> {
  const { findings, probe } = context;
  const isKnown = ({ call }: Input) =>
    findings.list().some((finding) => finding.kind === 'tables' && finding.call === call);
  const all = await probe.sendAll(inputs.filter(isKnown));
  let candidates = inputs.filter((input) => !isKnown(input));
  for (let isFirst = true; candidates.length > 0; isFirst = false) {
    const { outcomes, changed } = await sendBetween(context, candidates);
    if (isFirst) all.push(...outcomes);
    if (changed.length === 0) break;
    const refused = outcomes.filter((outcome) => outcome.refused).map(({ input }) => input);
    if (refused.length < candidates.length) {
      candidates = refused;
      continue;
    }
    const match = await halve(context, candidates, changed);
    if (match === null) {
      const [input] = jobsMayChange(changed) ? [] : candidates;
      const detail = `one of ${candidates.length} refused inputs changed ${changed.join(', ')} once`;
      if (input && !findings.known('tables', input, detail)) findings.add('tables', input, detail);
      break;
    }
    const row = await changedRow(context, match.input, match.changed[0] ?? '');
    findings.add('tables', match.input, `refused, and changes ${match.changed.join(', ')}: ${row}`);
    candidates = candidates.filter((input) => !isKnown(input));
  }
  return all;
}
