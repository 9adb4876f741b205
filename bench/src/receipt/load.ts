import { setTimeout as delay } from 'node:timers/promises';
import { answerParent } from '../measure/child.ts';
import { countLatencies } from '../measure/latencies.ts';
import type { Chat } from '../world/chats.ts';
import { bareRoad, type Road, taraRoad } from './roads.ts';

export type Target = 'bare' | 'Tara';

/** Either connects every member of the chats, or sends at a rate for a while over what was connected. */
export type ChatLoad =
  | { open: Target; port: number; chats: Chat[] }
  | {
      target: Target;
      /** Messages a second of all members together. */
      rate: number;
      /** ms before counting starts. */
      warmUp: number;
      /** ms of counting. */
      measured: number;
    };

export interface ChatResult {
  /** Whether all that was due was sent, and all that was sent arrived. */
  sustained: boolean;
  /** Send to receive, ms. */
  p50: number;
  p99: number;
}

/** ms that messages may take to arrive after the last was sent. */
const drainTimeoutMs = 5_000;

interface Opened {
  road: Road;
  members: number[];
}

const opened = new Map<Target, Opened>();
/** When each message under way was sent, by number. */
const underway = new Map<number, number>();
let sent = 0;
let countFrom = 0;
let latencies = countLatencies();

/** A sender is told of its own messages too: what counts is when the partner is. */
function receivedBy(member: number, number: number): void {
  if (writerOf.get(number) === member) return;
  const sentAt = underway.get(number);
  if (sentAt === undefined) return;
  underway.delete(number);
  writerOf.delete(number);
  if (sentAt >= countFrom) latencies.record(performance.now() - sentAt);
}
const writerOf = new Map<number, number>();

async function open(target: Target, port: number, chats: Chat[]): Promise<void> {
  const road = await (target === 'Tara' ? taraRoad : bareRoad)(port, chats, receivedBy);
  opened.set(target, { road, members: chats.flatMap(({ members }) => members) });
}

function sendNext({ road, members }: Opened): void {
  const number = sent++;
  const member = members[number % members.length] ?? 0;
  writerOf.set(number, member);
  underway.set(number, performance.now());
  road.send(member, number);
}

async function sendAt(to: Opened, rate: number, warmUp: number, measured: number): Promise<ChatResult> {
  latencies = countLatencies();
  underway.clear();
  writerOf.clear();
  const began = performance.now();
  countFrom = began + warmUp;
  const length = warmUp + measured;
  const due = (now: number) => Math.floor((Math.min(now - began, length) * rate) / 1000);
  let done = 0;
  let overrun = false;
  while (performance.now() - began < length && !overrun) {
    for (const until = due(performance.now()); done < until; done++) sendNext(to);
    // A second behind: the rate is lost already, and the rest would only take time.
    overrun = underway.size > Math.max(rate, 100);
    await delay(1);
  }
  const giveUp = performance.now() + drainTimeoutMs;
  while (underway.size > 0 && performance.now() < giveUp) await delay(5);
  return {
    sustained: !overrun && underway.size === 0 && done >= due(began + length) * 0.98,
    p50: latencies.percentile(0.5),
    p99: latencies.percentile(0.99),
  };
}

answerParent<ChatLoad, ChatResult>(async (load) => {
  if ('open' in load) {
    await open(load.open, load.port, load.chats);
    return { sustained: true, p50: 0, p99: 0 };
  }
  const to = opened.get(load.target);
  if (to === undefined) throw new Error(`${load.target} is not connected.`);
  return sendAt(to, load.rate, load.warmUp, load.measured);
});
