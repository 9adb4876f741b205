import { Random } from '@tara/proof/random';
import {
  type Act as AnyAct,
  type Script as AnyScript,
  dayMs,
  hourMs,
  minuteMs,
  type Tamper,
} from '../lives/script.ts';
import { crashPoints } from './crash-points.ts';

/** Which of the two members of a chat. */
export type Side = 0 | 1;

/** What happens in a life, by whom and in which chat. Each number chooses among what is there when it happens. */
export type Deed =
  /** Two of the three people begin a conversation. */
  | { do: 'open'; pair: number; by: Side }
  /** The chat of the paid plan is opened. */
  | { do: 'openPlan'; by: Side }
  /** A message is typed; `isTwice`: two requests of it are under way at once. */
  | { do: 'send'; chat: number; by: Side; isTwice: boolean }
  | { do: 'unsend'; chat: number; by: Side; choice: number }
  | { do: 'read' | 'readAll' | 'hide' | 'type'; chat: number; by: Side }
  | { do: 'connect' | 'disconnect'; chat: number; by: Side }
  | { do: 'block' | 'unblock'; chat: number; by: Side }
  | { do: 'answer'; chat: number; by: Side; answer: 'accept' | 'ignore' }
  | { do: 'showMarks'; member: number; isShown: boolean }
  /** The request that was not paid is paid, which lifts an expiry; the one that was is over, which closes its chat. */
  | { do: 'payPlan' | 'endPlan' }
  /** The next requests or answers of members are lost. */
  | { do: 'lose'; what: (typeof networkFaults)[number]; times: number }
  /** The process ends: before a step of this kind, as soon as one waits, or at once. */
  | { do: 'crash'; point: string | null }
  /** Several of what may change a chat, at once and by both. */
  | { do: 'rush'; chat: number; picks: readonly number[] }
  | Tamper
  | { do: 'pass'; ms: number };

export type Act = AnyAct<Deed>;
export type Script = AnyScript<Deed>;

/** What goes wrong between a device and the product. */
export const networkFaults = ['request', 'answer'] as const;

/** Deeds that have to happen in many lives: not that which orders losses, which count when they happen, nor one that is never drawn. */
export const deedNames = Object.keys({
  ...{ open: true, openPlan: true, send: true, unsend: true, read: true, readAll: true, hide: true },
  ...{ type: true, connect: true, disconnect: true, block: true, unblock: true, answer: true },
  ...{ showMarks: true, payPlan: true, endPlan: true, crash: true, rush: true, pass: true },
} satisfies Record<Exclude<Deed['do'], 'lose' | 'tamper'>, true>);

const act = (deed: Deed, steps: number | null = null): Act => ({ deed, steps });

/** Half of the acts come to their end before the next; of the others some steps happen. */
const drawSteps = (random: Random) => (random.chance(0.5) ? null : random.int(0, 25));
const drawSide = (random: Random): Side => (random.chance(0.5) ? 0 : 1);

/** Draws a life: of several chats and whatever meets in them, or of one that is met at a certain moment. */
export function drawScript(seed: number): Script {
  const random = new Random(seed ^ 0x5eed);
  const acts = random.pick([drawMeeting, drawMeeting, drawMeeting, drawCourse, drawCourse, drawEnd])(random);
  return { environment: { CONVERSATION_DAYS: String(random.pick([1, 7])) }, tells: random.chance(0.1), acts };
}

/** What opens a chat: that of the plan, or the conversation of two of the three. */
const drawOpening = (random: Random): Deed =>
  random.chance(0.25)
    ? { do: 'openPlan', by: drawSide(random) }
    : { do: 'open', pair: random.int(0, 2), by: drawSide(random) };

/** What leads a chat to what can happen to it. */
function ways(random: Random): Deed[][] {
  const chat = 0;
  const send = (by: Side): Deed => ({ do: 'send', chat, by, isTwice: random.chance(0.2) });
  const talk = [send(0), send(1), send(drawSide(random))];
  const by = drawSide(random);
  return [
    [],
    talk,
    [...talk, { do: 'unsend', chat, by, choice: random.next() }],
    [...talk, { do: 'read', chat, by }],
    [...talk, { do: 'readAll', chat, by }],
    [...talk, { do: 'block', chat, by }],
    [...talk, { do: 'block', chat, by }, { do: 'unblock', chat, by }],
    [send(0), { do: 'answer', chat, by: 1, answer: 'accept' }],
    [...talk, { do: 'payPlan' }],
  ];
}

/** One chat comes to where it can be met; there several things change it at once, or the process ends in the middle of what led there. */
function drawMeeting(random: Random): Act[] {
  const lost = random.chance(0.3) ? [act(drawLoss(random))] : [];
  if (random.chance(0.5)) {
    const rush = (): Deed => ({
      ...{ do: 'rush', chat: 0 },
      picks: Array.from({ length: 6 }, () => random.int(0, 999)),
    });
    const acts = [drawOpening(random), ...random.pick(ways(random))].map((deed) => act(deed));
    const last = acts.at(-1);
    if (last && random.chance(0.5)) last.steps = random.int(0, 20);
    return [...acts, ...lost, act(rush(), random.int(0, 12)), act(rush())];
  }
  // Each kind of step as often as any other: those that come late in few lives, too.
  const [led, point] = random.pick(
    Object.entries(crashPoints).flatMap(([deed, points]) => points.map((name) => [deed, name] as const)),
  );
  const isLed = ({ do: name }: Deed) => name === led;
  const opening: Record<string, Deed> = {
    openPlan: { do: 'openPlan', by: drawSide(random) },
    open: { do: 'open', pair: random.int(0, 2), by: drawSide(random) },
    // Of strangers, and of the two whose plan is not paid.
    answer: { do: 'open', pair: 2, by: 0 },
    payPlan: { do: 'open', pair: 1, by: drawSide(random) },
  };
  const begin = opening[led] ?? drawOpening(random);
  const routes = ways(random).map((deeds) => [begin, ...deeds]);
  const route = random.pick(routes.filter((deeds) => deeds.some(isLed)));
  const crash: Deed = { do: 'crash', point };
  return [...route.flatMap((deed) => (isLed(deed) ? [act(deed, 0), act(crash)] : [act(deed)])), ...lost];
}

/** A chat in which messages are refused from a certain moment on. */
function drawEnd(random: Random): Act[] {
  const send = (by: Side): Deed => ({ do: 'send', chat: 0, by, isTwice: random.chance(0.2) });
  const deeds = random.pick<() => Deed[]>([
    // The request of the plan is over.
    () => [{ do: 'openPlan', by: drawSide(random) }, send(0), { do: 'endPlan' }, send(0), send(1)],
    // Strangers, of whom one writes more than an unanswered request may have.
    () => [{ do: 'open', pair: 2, by: 0 }, send(0), send(0), send(0), send(0)],
    // The conversation of two without a paid plan, which may be paid before it ends or after.
    () => [
      ...[{ do: 'open', pair: 1, by: 0 } as const, send(0), send(1)],
      { do: 'pass', ms: random.pick([6 * hourMs, 8 * dayMs]) },
      ...(random.chance(0.5) ? [{ do: 'payPlan' } as const] : []),
      ...[{ do: 'pass', ms: 2 * dayMs } as const, send(0), send(1)],
    ],
  ])();
  return [...deeds, drawDeed(random, 0, drawSide(random))].map((deed) => act(deed, drawSteps(random)));
}

const drawLoss = (random: Random): Deed => ({
  ...{ do: 'lose', what: random.pick(networkFaults), times: random.int(1, 3) },
});

/** Several chats, and what is usual, rare or wrong in any order. */
function drawCourse(random: Random): Act[] {
  const opened = random.int(1, 3);
  const acts = Array.from({ length: opened }, () => act(drawOpening(random), drawSteps(random)));
  const parts = random.int(8, 20);
  for (let count = 0; count < parts; count++) {
    const chat = random.int(0, opened - 1);
    const by = drawSide(random);
    const chance = random.next();
    if (chance < 0.4)
      acts.push(act({ do: 'send', chat, by, isTwice: random.chance(0.1) }, drawSteps(random)));
    else if (chance < 0.47) {
      // In the middle of what was begun before.
      const before = acts.at(-1);
      if (before) before.steps = random.int(0, 25);
      acts.push(act({ do: 'crash', point: null }));
    } else acts.push(act(drawDeed(random, chat, by), drawSteps(random)));
  }
  return acts;
}

function drawDeed(random: Random, chat: number, by: Side): Deed {
  return random.pick<() => Deed>([
    () => ({ do: 'unsend', chat, by, choice: random.next() }),
    () => ({ do: 'unsend', chat, by, choice: random.next() }),
    () => ({ do: 'read', chat, by }),
    () => ({ do: 'read', chat, by }),
    () => ({ do: random.pick(['readAll', 'hide', 'type'] as const), chat, by }),
    () => ({ do: random.pick(['connect', 'disconnect'] as const), chat, by }),
    () => ({ do: 'disconnect', chat, by }),
    () => ({ do: random.pick(['block', 'unblock', 'unblock'] as const), chat, by }),
    () => ({ do: 'answer', chat, by, answer: random.pick(['accept', 'ignore'] as const) }),
    () => ({ do: 'showMarks', member: random.int(0, 2), isShown: random.chance(0.5) }),
    () => ({ do: random.pick(['payPlan', 'payPlan', 'endPlan'] as const) }),
    () => drawLoss(random),
    () => ({
      ...{ do: 'pass' },
      ms: random.pick([100, 2_000, 2 * minuteMs, hourMs, 20 * hourMs, 3 * dayMs, 8 * dayMs]),
    }),
  ])();
}
