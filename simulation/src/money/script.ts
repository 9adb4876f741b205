import type { Stage } from '@tara/contract/interactions/stages';
import { Random } from '@tara/proof/random';
import type { Fault } from '@tara/sandbox/provider';
import {
  type Act as AnyAct,
  type Script as AnyScript,
  dayMs,
  hourMs,
  minuteMs,
  secondMs,
  type Tamper,
} from '../lives/script.ts';
import { crashPoints, latePoints, listPoints } from './crash-points.ts';
import { type CallFault, callFaults } from './provider.ts';
import { eventWriter, type Meeting, mayWrite, meetings } from './writers.ts';

/** How a client pays; `begin` opens the page of a wallet, and `authorize` agrees to everything that was opened. */
export type PayWay = 'card' | 'foreignCard' | 'declined' | 'gcash' | 'grab_pay' | 'qrph' | 'begin';

/** What happens in a life, by whom and to which request. Each number chooses among what is there when it happens. */
export type Deed =
  | { do: 'request'; client: number; plan: number; day: number | null }
  | { do: 'pay'; request: number; way: PayWay }
  | { do: 'authorize'; request: number }
  | { do: 'accept' | 'sayMet' | 'fulfil' | 'dispute' | 'answerDispute' | 'check' | 'review'; request: number }
  | { do: 'cancel'; request: number; by: 'client' | 'creator' }
  | { do: 'propose'; request: number; by: 'client' | 'creator'; day: number }
  | { do: 'agree'; request: number; by: 'client' | 'creator' }
  | { do: 'confirm' | 'refund'; request: number; admin: number }
  | { do: 'decide'; request: number; admin: number; outcome: 'release' | 'refund' | 'split'; part: number }
  | { do: 'nameNumber'; request: number; isGood: boolean }
  | { do: 'retry'; request: number; admin: number; byTransfer: boolean }
  | { do: 'record'; request: number; admin: number }
  /** An admin says what became of an order without an answer, by the provider's dashboard. */
  | { do: 'decideSending'; request: number; admin: number }
  /** An admin says whether money left by a transfer by hand that was not recorded. */
  | { do: 'settleByHand'; request: number; admin: number; hasLeft: boolean }
  | { do: 'putCardDown'; request: number; by: 'client' | 'creator' }
  | { do: 'chargeBack'; request: number; namesPayment: boolean; isPart: boolean }
  /** An admin says which payment a dispute is about; not always the right one. */
  | { do: 'assignDispute'; request: number; admin: number; to: 'own' | 'another' | 'none' }
  | { do: 'decideChargeback'; request: number; status: 'under_review' | 'won' | 'lost' | 'expired' }
  | { do: 'changeNumber'; creator: number; number: number }
  | { do: 'callFault'; kind: CallFault; call: string; times: number }
  | { do: 'providerFault'; kind: DeliveryFault; event: string; times: number; delayMs: number }
  /** The process ends: before a step of this kind, as soon as one waits, or at once. */
  | { do: 'crash'; point: string | null }
  /**
   * Several of what may write to the request at this moment, at once: those that are named, and others. `after`: once a step of
   * this kind waits, such as the job of an event.
   */
  | { do: 'rush'; request: number; names: readonly string[]; picks: readonly number[]; after: string | null }
  /** What is wrong with the provider ends. */
  | { do: 'mend' }
  | { do: 'pass'; ms: number }
  | Tamper
  /** The same of the provider's records. */
  | { do: 'tamperProvider'; statement: string };

export type Act = AnyAct<Deed>;

/** What a life of money is made of. */
export interface Script extends AnyScript<Deed> {
  settings: Record<string, boolean>;
}

export { dayMs };

/** Calls that are disturbed. */
const calls = [
  'POST /v1/links',
  'GET /v1/links',
  'POST /v1/refunds',
  'GET /v1/refunds',
  'GET /v1/payments',
  'POST /v2/batch_transfers',
  'GET /v2/transfers',
  'GET /v2/wallets',
  'GET /v1/disputes',
  '',
];
/** What goes wrong with events, refunds and payments: faults of the sandbox. */
export const deliveryFaults = [
  'drop_deliveries',
  'duplicate_deliveries',
  'delay_deliveries',
  'reorder_deliveries',
  'fail_refund',
  'delay_payment',
] as const satisfies readonly Fault['kind'][];
type DeliveryFault = (typeof deliveryFaults)[number];
const events = ['', 'payment.', 'link.', 'dispute.', 'transfer.', 'payment.paid', 'payment.refund'];

/** Draws a life: of several requests and whatever meets them, or of one that is met at a certain moment. */
export function drawScript(seed: number): Script {
  const random = new Random(seed ^ 0x5eed);
  const acts = random.chance(0.86) ? drawMeeting(random) : drawCourse(random);
  return {
    environment: {
      PLATFORM_FEE_BASIS_POINTS: String(random.pick([0, 500, 1250])),
      PAYOUTS: random.chance(0.2) && !acts.some(isAboutPayouts) ? 'manual' : 'provider',
      PAYMENT_METHODS: random.pick(['card,gcash', 'card,gcash,grab_pay', 'card,qrph']),
      PAYMONGO_LINKS: random.pick(['classic', 'payment_links']),
    },
    settings: { withholds_tax: random.chance(0.3) },
    tells: random.chance(0.1),
    acts,
  };
}

/** Whether the process is to end before a step of a payout of the provider. */
const isAboutPayouts = ({ deed }: Act) =>
  deed.do === 'crash' && deed.point !== null && /disburse|attempts|\/v2\//.test(deed.point);

const act = (deed: Deed, steps: number | null = null): Act => ({ deed, steps });

/** One request comes to a stage; there several things write to it at once, or the process ends in the middle of what led there. */
function drawMeeting(random: Random): Act[] {
  const begin: Deed = {
    ...{ do: 'request', client: random.int(0, 2), plan: random.int(0, 2) },
    day: random.int(1, 3),
  };
  const faults: Deed[] = [
    { do: 'callFault', call: '', kind: random.pick(callFaults), times: random.int(1, 2) },
    { ...{ do: 'providerFault', kind: random.pick(deliveryFaults), event: '' }, times: 2, delayMs: minuteMs },
  ];
  const fault = random.chance(0.4) ? [act(random.pick(faults))] : [];
  const chance = random.next();
  if (chance < 0.07) return [act(begin), ...drawOutage(random)];
  if (chance < 0.15) return [act({ ...begin, plan: 0 }), ...drawLeaving(random)];
  return chance < 0.44 ? [act(begin), ...drawRush(random, fault)] : drawCrash(random, { begin, fault });
}

/** Two that are drawn write to a request at once, and others beside them. */
function drawRush(random: Random, fault: readonly Act[]): Act[] {
  // What the provider says comes later than everything that people do, and has to be waited for.
  const withEvent = meetings.filter(({ names }) => names.includes(eventWriter));
  const { names, stages } = random.pick(random.chance(0.4) ? withEvent : meetings);
  const stage = random.pick(stages);
  const hasEvent = names.includes(eventWriter);
  const rush = (named: Meeting['names'], after: string | null = null): Deed => ({
    ...{ do: 'rush', request: 0, names: named, after },
    picks: Array.from({ length: 8 }, () => random.int(0, 999)),
  });
  // Only a transfer is recorded as sent by hand.
  const byTransfer = stage === 'cancelled' && names.includes('record');
  const way = byTransfer ? 'qrph' : random.pick(['card', 'card', 'card', 'grab_pay', 'qrph'] as const);
  const routes = ways(random, { way, isOpen: hasEvent || random.chance(0.5) })[stage];
  // What is to be recorded must be left: not what a card issuer took.
  const acts = (byTransfer ? routes.slice(0, 1) : [random.pick(routes)]).flat().map((deed) => act(deed));
  const last = acts.at(-1);
  if (last && !hasEvent && random.chance(0.5)) last.steps = random.int(0, 30);
  // Until the creator accepts only the creator's proposals wait for an answer.
  const proposer = mayWrite('accept', stage) ? 'creator' : 'client';
  if (names.includes('agree') || random.chance(0.4))
    acts.push(act({ do: 'propose', request: 0, by: proposer, day: random.int(1, 20) }));
  if (!hasEvent) return [...acts, ...fault, act(rush(names), random.int(0, 12)), act(rush(names))];
  const isPayable = stage === 'requested' || stage === 'accepted';
  const cause: Deed = isPayable
    ? { do: 'pay', request: 0, way: 'card' }
    : random.pick<Deed>([
        { do: 'authorize', request: 0 },
        { do: 'chargeBack', request: 0, namesPayment: true, isPart: random.chance(0.3) },
      ]);
  const others = names.filter((name) => name !== eventWriter);
  return [
    ...acts,
    act(cause, 0),
    act(rush(others, `job ${eventWriter} begins`), random.int(0, 12)),
    act(rush(others)),
  ];
}

/** Money is to leave while the provider, or what it answers, is away for up to two days. */
function drawOutage(random: Random): Act[] {
  const routes = ways(random, { way: random.pick(['card', 'qrph'] as const), isOpen: false });
  const [route = [], leaves] = random.pick<() => [Deed[] | undefined, Deed]>([
    () => [routes.fulfilled[0], { do: 'confirm', request: 0, admin: 0 }],
    () => [routes.paid[0], { do: 'cancel', request: 0, by: 'client' }],
  ])();
  const [wait, mend] = drawWait(random);
  // What has waited for an hour is in the list of the admins.
  return random.pick<() => Act[]>([
    () => {
      const help = random.pick<Deed>([
        { do: 'retry', request: 0, admin: 0, byTransfer: random.chance(0.3) },
        { do: 'record', request: 0, admin: 1 },
      ]);
      return [...route, drawLongFault(random), leaves, wait, help, mend].map((deed) => act(deed));
    },
    // Nobody knows of the order when the provider has forgotten its key.
    () => {
      const kind = random.pick(['lose_request', 'lose_answer'] as const);
      const order: Deed = { do: 'callFault', call: 'POST /v', kind, times: 1000 };
      const away: Deed = { do: 'callFault', call: '', kind: 'lose_request', times: 1000 };
      const later: Deed = { do: 'pass', ms: 2 * dayMs };
      const decide: Deed = { do: 'decideSending', request: 0, admin: random.int(0, 1) };
      return [...route, order, leaves, away, later, mend, decide].map((deed) => act(deed));
    },
    // Two admins send the same by hand, and do not know of each other.
    () => [
      ...[...route, drawLongFault(random), leaves, wait].map((deed) => act(deed)),
      act({ do: 'record', request: 0, admin: 0 }, random.int(0, 3)),
      ...[
        act({ do: 'record', request: 0, admin: 1 }),
        act({ do: 'settleByHand', request: 0, admin: 0, hasLeft: random.chance(0.7) }),
        act(mend),
      ],
    ],
  ])();
}

/** Nobody hears of a payment, or late, or money is to leave while the provider fails it, or the card issuer takes it or a part of it. */
function drawLeaving(random: Random): Act[] {
  const request = 0;
  const routes = ways(random, { way: 'card', isOpen: false });
  const cancel: Deed = { do: 'cancel', request, by: 'client' };
  const decideLost: Deed = { do: 'decideChargeback', request, status: 'lost' };
  const wait: Deed = { do: 'pass', ms: random.pick([minuteMs, hourMs, dayMs]) };
  const chargeBack = (isPart: boolean): Deed => ({ do: 'chargeBack', request, namesPayment: true, isPart });
  const failRefund: Deed = {
    ...{ do: 'providerFault', kind: 'fail_refund', event: '' },
    ...{ times: random.int(1, 2), delayMs: 0 },
  };
  const all = (deeds: readonly Deed[] = []) => deeds.map((deed) => act(deed));
  return random.pick<() => Act[]>([
    () => all([...(routes.paid[0] ?? []), failRefund, cancel, wait]),
    // Nobody hears of a payment but by asking.
    () =>
      all([
        { do: 'providerFault', kind: 'drop_deliveries', event: '', times: 20, delayMs: 0 },
        { do: 'pay', request, way: 'card' },
        { do: 'pass', ms: hourMs },
      ]),
    // What is heard of a payment comes late, or in another order.
    () => {
      // A delayed payment is met by a payment that comes after the fault alone, which other lives seldom have.
      const late = ['delay_payment', 'delay_payment', 'delay_deliveries', 'reorder_deliveries'] as const;
      const kind = random.pick(late);
      return all([
        {
          do: 'providerFault',
          kind,
          event: '',
          times: 4,
          delayMs: random.pick([secondMs, minuteMs, hourMs]),
        },
        ...(routes.paid[0] ?? []),
        { do: 'pass', ms: 2 * hourMs },
      ]);
    },
    // The refund may have left when the dispute is opened, and arrives before the issuer decides.
    () => [
      ...all(routes.paid[0]),
      act(cancel, random.int(10, 60)),
      ...all([chargeBack(random.chance(0.3)), wait, decideLost]),
    ],
    // Or it fails once the issuer has decided.
    () => [
      ...all([...(routes.paid[0] ?? []), failRefund]),
      act(cancel, random.int(10, 60)),
      ...[
        act(chargeBack(random.chance(0.3)), random.int(0, 20)),
        act(decideLost, random.int(0, 20)),
        act(wait),
      ],
    ],
    // The creator has no number while the issuer takes a part of the payout.
    () =>
      all([
        ...[{ do: 'changeNumber', creator: 0, number: 2 } as const, ...(routes.completed[0] ?? [])],
        ...[chargeBack(true), wait, decideLost],
      ]),
  ])();
}

/** The account may not send money, or the provider or its answers are away. */
const drawLongFault = (random: Random): Deed => ({
  ...{ do: 'callFault', times: 1000 },
  call: random.pick(['POST /v2/batch_transfers', 'GET /v2/wallets', 'POST /v1/refunds', '']),
  kind: random.pick(['answer_401', 'answer_403', 'answer_500', 'lose_request', 'lose_answer'] as const),
});

/** What is wrong with the provider ends, up to two days later. */
const drawWait = (random: Random): [Deed, Deed] => [
  { do: 'pass', ms: random.pick([90 * minuteMs, dayMs, 2 * dayMs]) },
  { do: 'mend' },
];

/** Deeds that few routes have, and that of which each has one. */
const seldomLed = new Set(['request', 'cancel', 'confirm', 'chargeBack', 'decideChargeback']);
/** Each kind of step before which the process ends, with the deeds that lead to it. */
const deedsByPoint = Map.groupBy(
  Object.entries(crashPoints).flatMap(([led, points]) => points.map((point) => ({ led, point }))),
  ({ point }) => point,
);
const seldomMet = new Set([...latePoints, ...listPoints]);
/** Those that are seldom met, or to which only such deeds lead, are there twice, and so met about as often as the others. */
const ledPoints = [...deedsByPoint].flatMap(([point, deeds]) =>
  seldomMet.has(point) || deeds.every(({ led }) => seldomLed.has(led)) ? [deeds, deeds] : [deeds],
);

/** The process ends before a certain kind of step. */
function drawCrash(random: Random, { begin, fault }: { begin: Deed; fault: readonly Act[] }): Act[] {
  const { led, point } = random.pick(random.pick(ledPoints));
  const stages = ways(random, { way: 'card', isOpen: random.chance(0.5) });
  const routes = latePoints.includes(point) ? [drawLate(random, stages)] : Object.values(stages).flat();
  const leading = routes
    // Of a creator who has a number.
    .map((deeds) => [led === 'confirm' ? { ...begin, plan: 0 } : begin, ...deeds])
    .filter((deeds) => deeds.some((deed) => deed.do === led && leadsToPoints(deed)));
  const route = random.pick(leading);
  const place = route.findLastIndex((deed) => deed.do === led && leadsToPoints(deed));
  return route.flatMap((deed, index) => {
    const isHere = index === place;
    // Nothing comes of a request that is lost.
    const points = leadsToPoints(deed) && deed.do !== 'request' ? (crashPoints[deed.do] ?? []) : [];
    if (!isHere && !(points.length > 0 && random.chance(0.1))) return [act(deed)];
    const crash: Deed = { do: 'crash', point: isHere ? point : random.pick(points) };
    return [...(isHere ? [] : fault), act(deed, 0), act(crash)];
  });
}

/** Whether it can come to the steps that its kind leads to: who only opens the page of a wallet has not paid. */
const leadsToPoints = (deed: Deed) => !(deed.do === 'pay' && deed.way === 'begin');

/** A payout whose answer was lost is looked for after two days without the provider. */
const drawLate = (random: Random, { fulfilled: [fulfilled = []] }: Record<Stage, Deed[][]>): Deed[] => [
  ...fulfilled,
  { do: 'callFault', call: 'POST /v2/batch_transfers', kind: 'lose_answer', times: 1000 },
  ...[
    { do: 'confirm', request: 0, admin: random.int(0, 1) } as const,
    { do: 'callFault', call: '', kind: 'lose_request', times: 1000 } as const,
    { do: 'pass', ms: 2 * dayMs } as const,
  ],
  { do: 'mend' },
];

/** What leads a request to each of its stages. @param isOpen whether a second page stays open, which can be paid as well */
function ways(random: Random, { way, isOpen }: { way: PayWay; isOpen: boolean }): Record<Stage, Deed[][]> {
  const request = 0;
  const open: Deed[] = isOpen ? [{ do: 'pay', request, way: 'begin' }] : [];
  // A method that gives nothing back: the client names a number before, perhaps one that is refused.
  const isNamed = way === 'qrph' && random.chance(0.5);
  const number: Deed[] = isNamed ? [{ do: 'nameNumber', request, isGood: false }] : [];
  const pay: Deed[] = [...open, ...number, { do: 'pay', request, way }];
  const accept: Deed = { do: 'accept', request };
  const wait: Deed = { do: 'pass', ms: random.pick([2, 4, 12]) * dayMs };
  const ready: Deed[] = [...pay, accept, wait];
  const fulfilled: Deed[] = [...ready, { do: 'fulfil', request }];
  const answer: Deed[] = random.chance(0.3) ? [{ do: 'answerDispute', request }] : [];
  const disputed: Deed[] = [...ready, { do: 'dispute', request }, ...answer];
  const decide = { do: 'decide', request, admin: 0, part: random.next() } as const;
  const by = random.pick(['client', 'creator'] as const);
  return {
    requested: [open],
    paid: [pay],
    accepted: [[...open, accept]],
    ready: [ready],
    fulfilled: [fulfilled],
    disputed: [disputed],
    completed: [
      [...fulfilled, { do: 'confirm', request, admin: 0 }],
      [...disputed, { ...decide, outcome: 'split' }],
    ],
    cancelled: [
      [...pay, { do: 'cancel', request, by }],
      [
        ...[...pay, accept],
        { do: 'chargeBack', request, namesPayment: true, isPart: random.chance(0.3) },
        { do: 'decideChargeback', request, status: random.pick(['won', 'lost'] as const) },
      ],
    ],
  };
}

/** Several requests, and what is usual, rare or wrong in any order. */
function drawCourse(random: Random): Act[] {
  const acts: Act[] = [];
  const add = (deed: Deed) => acts.push({ deed, steps: drawSteps(random) });
  const requests = random.pick([1, 1, 1, 2, 2, 3]);
  const plans: number[] = [];
  // Clients of one creator, who ask for the same time.
  const rivals = requests > 1 && random.chance(0.3) ? random.int(1, 5) : null;
  for (let count = 0; count < requests; count++) {
    const day = rivals ?? (random.chance(0.7) ? random.int(1, 20) : null);
    const plan = random.int(0, rivals === null ? 2 : 1);
    plans.push(plan);
    add({ do: 'request', client: random.int(0, 2), plan, day });
  }
  const stages = Array.from({ length: requests }, () => 0);
  const parts = random.int(5, 14);
  for (let count = 0; count < parts; count++) {
    const request = random.int(0, requests - 1);
    const chance = random.next();
    const usual = usualDeeds(random, request)[stages[request] ?? 0];
    // Most of what happens is what comes next: without it few lives would come far.
    if (chance < 0.55 && usual) {
      stages[request] = (stages[request] ?? 0) + 1;
      add(usual);
    } else if (chance < 0.65)
      acts.push(...drawMotif(random, { request, requests, creator: plans[request] === 2 ? 1 : 0 }));
    else if (chance < 0.7) {
      // In the middle of what was begun before.
      const before = acts.at(-1);
      if (before) before.steps = random.int(0, 40);
      add({ do: 'crash', point: null });
    } else add(drawDeed(random, request));
  }
  return acts;
}

/** Half of the acts come to their end before the next; of the others some steps happen. */
const drawSteps = (random: Random) => (random.chance(0.5) ? null : random.int(0, 30));

const usualDeeds = (random: Random, request: number): Deed[] => [
  { do: 'pay', request, way: random.pick(['card', 'foreignCard', 'gcash', 'grab_pay'] as const) },
  { do: 'accept', request },
  { do: 'pass', ms: random.int(1, 21) * dayMs },
  { do: 'fulfil', request },
  { do: 'confirm', request, admin: random.int(0, 1) },
  { do: 'review', request },
];

/** Several deeds that seldom meet by chance, and that belong together. */
function drawMotif(
  random: Random,
  { request, requests, creator }: { request: number; requests: number; creator: number },
): Act[] {
  const lost = (event: string) =>
    act({ do: 'providerFault', kind: 'drop_deliveries', event, times: random.int(1, 20), delayMs: 0 });
  return random.pick<() => Act[]>([
    // A payment in two tabs, of which the second is heard of late, or by nobody.
    () => [
      act({ do: 'pay', request, way: 'begin' }),
      act({ do: 'pay', request, way: 'card' }, drawSteps(random)),
      ...(random.chance(0.7) ? [lost('')] : []),
      act({ do: 'authorize', request }, drawSteps(random)),
    ],
    // Card issuers dispute several payments at once, and an admin says which is which.
    () => [
      ...Array.from({ length: requests }, (_, index) =>
        act(
          { do: 'chargeBack', request: index, namesPayment: random.chance(0.3), isPart: random.chance(0.2) },
          random.int(0, 20),
        ),
      ),
      act(drawAssignment(random, request), drawSteps(random)),
      act(
        { do: 'decideChargeback', request: random.int(0, requests - 1), status: 'lost' },
        drawSteps(random),
      ),
      act(drawAssignment(random, request), drawSteps(random)),
    ],
    () =>
      [drawLongFault(random), { do: 'confirm' as const, request, admin: 0 }, ...drawWait(random)].map(
        (deed) => act(deed),
      ),
    // A dispute from its beginning to its end.
    () => [
      act(
        { do: 'chargeBack', request, namesPayment: random.chance(0.8), isPart: random.chance(0.3) },
        drawSteps(random),
      ),
      act({ do: 'pass', ms: random.pick([minuteMs, hourMs, dayMs]) }, drawSteps(random)),
      ...(random.chance(0.5) ? [act(drawAssignment(random, request), drawSteps(random))] : []),
      act(
        { do: 'decideChargeback', request, status: random.pick(['won', 'lost', 'lost'] as const) },
        drawSteps(random),
      ),
    ],
    // A creator whose number is not there when the money is.
    () => [
      act({ do: 'changeNumber', creator, number: 2 }),
      ...usualDeeds(random, request).map((deed) => act(deed)),
      act({ do: 'chargeBack', request, namesPayment: true, isPart: random.chance(0.3) }, drawSteps(random)),
    ],
    () => [lost('dispute.'), lost('transfer.'), lost('payment.refund')],
  ])();
}

const drawAssignment = (random: Random, request: number): Deed => ({
  ...{ do: 'assignDispute', request, admin: random.int(0, 1) },
  to: random.pick(['own', 'another', 'none', 'none'] as const),
});

function drawDeed(random: Random, request: number): Deed {
  const admin = random.int(0, 1);
  const by = random.pick(['client', 'creator'] as const);
  const day = random.int(1, 20);
  return random.pick<() => Deed>([
    () => ({ do: 'pay', request, way: random.pick(['card', 'declined', 'gcash', 'begin'] as const) }),
    () => ({ do: 'authorize', request }),
    () => ({ do: random.pick(['accept', 'sayMet', 'fulfil', 'check'] as const), request }),
    () => ({ do: 'dispute', request }),
    () => ({ do: 'answerDispute', request }),
    () => ({ do: 'cancel', request, by }),
    () => ({ do: 'propose', request, by, day }),
    () => ({ do: 'agree', request, by }),
    () => ({ do: random.pick(['confirm', 'refund'] as const), request, admin }),
    () => ({
      ...{ do: 'decide', request, admin, part: random.next() },
      outcome: random.pick(['release', 'refund', 'split'] as const),
    }),
    () => ({ do: 'nameNumber', request, isGood: random.chance(0.7) }),
    () => ({ do: 'retry', request, admin, byTransfer: random.chance(0.5) }),
    () => ({ do: 'record', request, admin }),
    () => ({ do: random.pick(['decideSending', 'record'] as const), request, admin }),
    () => ({ do: 'settleByHand', request, admin, hasLeft: random.chance(0.5) }),
    () => ({ do: 'putCardDown', request, by }),
    () => ({ do: 'chargeBack', request, namesPayment: random.chance(0.6), isPart: random.chance(0.2) }),
    () => ({ do: 'chargeBack', request, namesPayment: random.chance(0.6), isPart: false }),
    () => ({
      ...{ do: 'decideChargeback', request },
      status: random.pick(['under_review', 'won', 'lost', 'lost', 'expired'] as const),
    }),
    () => drawAssignment(random, request),
    () => ({ do: 'changeNumber', creator: random.int(0, 1), number: random.int(0, 3) }),
    () => ({
      ...{ do: 'callFault', call: random.pick(calls), times: random.int(1, 4) },
      kind: random.pick(callFaults),
    }),
    () => ({
      ...{ do: 'callFault', call: random.pick(calls), times: random.int(1, 2) },
      kind: random.pick(['lose_answer', 'lose_request'] as const),
    }),
    () => ({
      ...{ do: 'providerFault', kind: random.pick(deliveryFaults), event: random.pick(events) },
      ...{ times: random.int(1, 4), delayMs: random.pick([secondMs, minuteMs, hourMs, 20 * hourMs]) },
    }),
    () => ({
      do: 'pass',
      ms: random.pick([
        secondMs,
        minuteMs,
        10 * minuteMs,
        hourMs,
        30 * hourMs,
        3 * dayMs,
        8 * dayMs,
        70 * dayMs,
      ]),
    }),
  ])();
}

/** Deeds that have to happen in many lives: not those that order faults, which count when they are met, nor those that are never drawn. */
export const deedNames = Object.keys({
  ...{ request: true, pay: true, authorize: true, accept: true, sayMet: true, fulfil: true, dispute: true },
  ...{ answerDispute: true, check: true, review: true, cancel: true, propose: true, agree: true },
  ...{ confirm: true, refund: true, decide: true, nameNumber: true, retry: true, record: true },
  ...{
    chargeBack: true,
    assignDispute: true,
    decideChargeback: true,
    changeNumber: true,
    mend: true,
    crash: true,
  },
  ...{ decideSending: true, settleByHand: true, putCardDown: true, rush: true, pass: true },
} satisfies Record<Exclude<Deed['do'], 'callFault' | 'providerFault' | 'tamper' | 'tamperProvider'>, true>);
