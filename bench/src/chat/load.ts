import { setTimeout as delay } from 'node:timers/promises';
import type { ChatKind } from '@tara/contract/messages/messages';
import { serveParent } from '../measure/child.ts';
import { countLatencies } from '../measure/latencies.ts';
import type { Chat } from '../setup/chats.ts';
import { type Connection, connectToRelay, connectToTara } from './connections.ts';

export type Target = 'baseline' | ChatKind;

/** Either connects every member of the chats, or sends messages at a rate over these connections. */
export type ChatLoad =
  | { open: Target; port: number; chats: Chat[] }
  | {
      target: Target;
      /** Messages per second of all members together. */
      rate: number;
      /** Time before counting starts. */
      warmUpMs: number;
      /** Time of counting. */
      measuredMs: number;
    };

export interface ChatResult {
  /** Whether all messages that were due were sent and arrived. */
  sustained: boolean;
  /** Time from sending to receiving, in ms. */
  p50: number;
  p99: number;
}

/** Time limit for messages to arrive after the last was sent. */
const drainTimeoutMs = 5_000;

interface ConnectedTarget {
  connection: Connection;
  members: number[];
}

const connected = new Map<Target, ConnectedTarget>();
/** Time at which each message in flight was sent, by number. */
const sentTimes = new Map<number, number>();
let sent = 0;
let countFrom = 0;
let latencies = countLatencies();

/** Records a latency when the partner receives a message. Senders receive their own messages too; these are ignored. */
function recordReceived(member: number, number: number): void {
  if (writers.get(number) === member) return;
  const sentAt = sentTimes.get(number);
  if (sentAt === undefined) return;
  sentTimes.delete(number);
  writers.delete(number);
  if (sentAt >= countFrom) latencies.record(performance.now() - sentAt);
}
const writers = new Map<number, number>();

async function open(target: Target, port: number, chats: Chat[]): Promise<void> {
  const connection = await (target === 'baseline' ? connectToRelay : connectToTara)(
    port,
    chats,
    recordReceived,
  );
  connected.set(target, { connection, members: chats.flatMap(({ members }) => members) });
}

function sendNext({ connection, members }: ConnectedTarget): void {
  const number = sent++;
  const member = members[number % members.length] ?? 0;
  writers.set(number, member);
  sentTimes.set(number, performance.now());
  connection.send(member, number);
}

async function sendAtRate(
  target: ConnectedTarget,
  rate: number,
  warmUpMs: number,
  measuredMs: number,
): Promise<ChatResult> {
  latencies = countLatencies();
  sentTimes.clear();
  writers.clear();
  const startedAt = performance.now();
  countFrom = startedAt + warmUpMs;
  const durationMs = warmUpMs + measuredMs;
  const due = (now: number) => Math.floor((Math.min(now - startedAt, durationMs) * rate) / 1000);
  let done = 0;
  let overrun = false;
  while (performance.now() - startedAt < durationMs && !overrun) {
    for (const until = due(performance.now()); done < until; done++) sendNext(target);
    // More than a second behind: the rate is not sustained, so stop early.
    overrun = sentTimes.size > Math.max(rate, 100);
    await delay(1);
  }
  const deadline = performance.now() + drainTimeoutMs;
  while (sentTimes.size > 0 && performance.now() < deadline) await delay(5);
  return {
    sustained: !overrun && sentTimes.size === 0 && done >= due(startedAt + durationMs) * 0.98,
    p50: latencies.percentile(0.5),
    p99: latencies.percentile(0.99),
  };
}

serveParent<ChatLoad, ChatResult>(async (load) => {
  if ('open' in load) {
    await open(load.open, load.port, load.chats);
    return { sustained: true, p50: 0, p99: 0 };
  }
  const target = connected.get(load.target);
  if (target === undefined) throw new Error(`${load.target} is not connected.`);
  return sendAtRate(target, load.rate, load.warmUpMs, load.measuredMs);
});
