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

/** An input that was refused, and the tables that it changed each time. */
interface Match {
  input: Input;
  changed: readonly string[];
}

/** Sends inputs again; if they change a table again, looks for the one that does. */
async function findAgain(context: FuzzContext, inputs: readonly Input[]): Promise<Match | null> {
  const [first] = inputs;
  if (first === undefined) return null;
  const { outcomes, changed } = await sendBetween(context, inputs);
  if (changed.length === 0 || outcomes.some(({ refused }) => !refused)) return null;
  return inputs.length === 1 ? { input: first, changed } : halve(context, inputs);
}

/** Halves inputs that together changed a table until one is left, which is sent again too; null when no half does it again. */
async function halve(context: FuzzContext, inputs: readonly Input[]): Promise<Match | null> {
  const middle = Math.ceil(inputs.length / 2);
  return (
    (await findAgain(context, inputs.slice(0, middle))) ?? (await findAgain(context, inputs.slice(middle)))
  );
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
    const match = await halve(context, candidates);
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
