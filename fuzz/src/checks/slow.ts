import type { Findings } from '../findings.ts';
import { bodyBytes, type Input } from '../inputs/input.ts';
import type { Outcome, Probe } from '../probe.ts';
import type { FuzzedServer } from '../server/process.ts';
import { shrink } from '../shrink.ts';
import { writeJson } from '../values/value.ts';
import { allowedWaitMs, type Wait, type Waits } from './waits.ts';

/** The longest that the event loop may be blocked by one input, ms. */
const longestBlockMs = 200;
/** The slowest inputs of a batch that are tried alone, and the largest. */
const mostSuspects = 4;
const repetitions = 3;
/** How many times the repetitions of a wait are compared with a quiet time more. */
const comparisons = 2;
/** Share of a block that its thread must have worked itself. */
const workShare = 0.8;
/** The block in ms that is assumed when the server does not reply at all. */
const noReplyMs = 5_000;
/** ms after its reply for which an input may still be the cause of a wait. */
const lingersMs = 1_000;
/** Candidates of a smaller input: each takes up to three repetitions. */
const mostTries = 20;

interface FuzzContext {
  server: FuzzedServer;
  probe: Probe;
  findings: Findings;
  waits: Waits;
}

/** What was seen while inputs were sent. */
interface Seen {
  /** The longest block of the event loop by its own work, ms. */
  blockMs: number;
  /** The longest wait of another member. */
  wait: Wait;
  /** The server did not answer the fuzzer. */
  isLost: boolean;
}

/** Sends something while the event loop and another member are watched. */
export async function watchServer<Result>(
  { server, waits }: Pick<FuzzContext, 'server' | 'waits'>,
  send: () => Promise<Result>,
): Promise<{ result: Result; seen: Seen; polluted: string[] }> {
  await server.observe('reset');
  const watch = waits.watch();
  const result = await send();
  const wait = await watch.end();
  const observed = await server.observe('read');
  const isLost = observed === null;
  const { blockedMs, workedMs, polluted } = observed ?? {
    ...{ blockedMs: noReplyMs, workedMs: noReplyMs },
    polluted: [],
  };
  // The time that other processes took of it is no fault of the input.
  const blockMs = Math.min(blockedMs, workedMs / workShare);
  return { result, polluted, seen: { blockMs, wait, isLost } };
}

const isBlocked = ({ blockMs }: Seen) => blockMs > longestBlockMs;
const isWait = ({ wait }: Seen, { quietP99 }: Waits) => wait.ms > quietP99() + allowedWaitMs;

/** Whether the inputs of a batch are tried alone. */
export const isSlow = (seen: Seen, waits: Waits) => isBlocked(seen) || isWait(seen, waits);

/** What was seen each of three times that an input was sent alone. */
interface SlowInput {
  /** `wait` when another member waited each time; `block` when the event loop alone was blocked each time. */
  kind: 'wait' | 'block';
  seen: Seen[];
}

/** Sends an input alone up to three times; null as soon as it is not slow each time. */
async function slowAlone(context: FuzzContext, input: Input): Promise<SlowInput | null> {
  const { waits } = context;
  const seen: Seen[] = [];
  const isEach = { wait: () => seen.every((one) => isWait(one, waits)), block: () => seen.every(isBlocked) };
  while (seen.length < repetitions) {
    const watched = await watchServer(context, () => context.probe.send(input));
    if (watched.seen.isLost) await context.server.restart();
    seen.push(watched.seen);
    if (!isEach.wait() && !isEach.block()) return null;
  }
  return { kind: isEach.wait() ? 'wait' : 'block', seen };
}

function sizeOf(input: Input): number {
  if (input.kind === 'frame')
    return input.sockets * (input.frame === null ? input.address.length : writeJson(input.frame).length);
  return bodyBytes(input.body)?.length ?? 0;
}

/**
 * Tries an input for which another member waited again, by turns with quiet times: what was seen last, or null when they do not
 * wait each time. On a machine that others keep busy they wait as long with nothing under way.
 */
async function compareWithQuiet(
  context: FuzzContext,
  input: Input,
  first: SlowInput,
): Promise<SlowInput | null> {
  let last: SlowInput | null = first;
  for (let time = 0; time < comparisons && last?.kind === 'wait'; time++) {
    await context.waits.measureQuiet();
    last = await slowAlone(context, input);
  }
  return last;
}

const listed = (figures: readonly number[]) => figures.map((figure) => Math.round(figure)).join(', ');

/** Reports the input with what was seen of it each time. */
function addFinding({ findings, waits }: FuzzContext, input: Input, { kind, seen }: SlowInput): void {
  const blocks = `the event loop was blocked for ${listed(seen.map(({ blockMs }) => blockMs))} ms`;
  const waited = `another member waited ${listed(seen.map(({ wait }) => wait.ms))} ms; the quiet p99 is ${listed([waits.quietP99()])} ms`;
  findings.add(kind, input, kind === 'wait' ? `${waited}; ${blocks}` : `${blocks}; ${waited}`);
}

/**
 * After a batch in which the event loop was blocked, or another member waited, for too long: finds the inputs that do it
 * three times of three when they are sent alone. What no input repeats belongs to the machine.
 */
export async function findSlowInputs(
  context: FuzzContext,
  outcomes: readonly Outcome[],
  { wait }: Seen,
): Promise<void> {
  const { findings, waits } = context;
  const isUnderWay = ({ ms, to }: Outcome) => to - ms <= wait.to && to + lingersMs >= wait.from;
  const slow = outcomes.filter((outcome) => outcome.ms > longestBlockMs / 2 || isUnderWay(outcome));
  const slowest = slow.toSorted((a, b) => b.ms - a.ms).slice(0, mostSuspects);
  // Inputs that waited for a slow one are as slow, but seldom as large.
  const largest = slow.toSorted((a, b) => sizeOf(b.input) - sizeOf(a.input)).slice(0, mostSuspects);
  // The machine may be busier than before.
  await waits.measureQuiet();
  for (const { input } of new Set([...largest, ...slowest])) {
    if (findings.known('wait', input, '')) continue;
    const suspect = await slowAlone(context, input);
    const slowInput = suspect && (await compareWithQuiet(context, input, suspect));
    // Of an input that blocks, it may not be known yet that another member waits.
    if (slowInput === null || findings.known(slowInput.kind, input, '')) continue;
    // What was seen of the smallest one.
    let last = slowInput;
    const smallest = await shrink(
      input,
      async (candidate) => {
        const again = await slowAlone(context, candidate);
        const isSame = again !== null && (again.kind === slowInput.kind || again.kind === 'wait');
        if (isSame) last = again;
        return isSame;
      },
      mostTries,
    );
    addFinding(context, { ...smallest, what: input.what }, last);
  }
}
