import type { Findings } from '../findings.ts';
import { bodyBytes, type Input } from '../inputs/input.ts';
import type { Outcome, Probe } from '../probe.ts';
import type { FuzzedServer } from '../server/process.ts';
import { shrink } from '../shrink.ts';
import { writeJson } from '../values/value.ts';

/** The longest that the event loop may be blocked by one input, ms. */
export const longestBlockMs = 200;
/** The slowest inputs of a batch that are tried alone. */
const mostSuspects = 4;
const repetitions = 3;
/** Share of the limit that the thread must have worked itself. */
const workShare = 0.8;
/** The block in ms that is assumed when the server does not reply at all. */
const noReplyMs = 5_000;

interface FuzzContext {
  server: FuzzedServer;
  probe: Probe;
  findings: Findings;
}

/** The shortest block of three times that the input is sent alone, ms; ends at the first below the limit. */
async function blockAlone({ server, probe }: FuzzContext, input: Input): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let time = 0; time < repetitions && shortest > longestBlockMs; time++) {
    await server.observe('reset');
    await probe.send(input);
    const observed = await server.observe('read');
    if (observed === null) await server.restart();
    // CPU time of another process is not a fault of the input.
    const isWork = observed === null || observed.workedMs > longestBlockMs * workShare;
    shortest = Math.min(shortest, isWork ? (observed?.blockedMs ?? noReplyMs) : 0);
  }
  return shortest;
}

function sizeOf(input: Input): number {
  if (input.kind === 'frame')
    return input.frame === null ? input.address.length : writeJson(input.frame).length;
  return bodyBytes(input.body)?.length ?? 0;
}

/**
 * After a batch in which the event loop was blocked for too long: finds the inputs that block it three times of three
 * when they are sent alone. A block that no input repeats belongs to the machine.
 */
export async function findBlockers(context: FuzzContext, outcomes: readonly Outcome[]): Promise<void> {
  const { findings } = context;
  const slow = outcomes.filter(({ ms }) => ms > longestBlockMs / 2);
  const slowest = slow.toSorted((a, b) => b.ms - a.ms).slice(0, mostSuspects);
  // Inputs that waited for a slow one are as slow, but seldom as large.
  const largest = slow.toSorted((a, b) => sizeOf(b.input) - sizeOf(a.input)).slice(0, mostSuspects);
  const suspects = new Set([...largest, ...slowest]);
  for (const { input } of suspects) {
    if (findings.known('block', input, 'blocks')) continue;
    const blocked = await blockAlone(context, input);
    if (blocked <= longestBlockMs) continue;
    const smallest = await shrink(
      input,
      async (candidate) => (await blockAlone(context, candidate)) > longestBlockMs,
      12,
    );
    const shortest = await blockAlone(context, smallest);
    findings.add(
      'block',
      smallest,
      `blocks the event loop for ${Math.round(Math.max(shortest, longestBlockMs))} ms or more`,
    );
  }
}
