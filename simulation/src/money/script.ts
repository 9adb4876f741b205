import { Random } from '@tara/proof/random';
import {
  type Act as AnyAct,
  type Script as AnyScript,
  dayMs,
  hourMs,
  minuteMs,
  secondMs,
} from '../lives/script.ts';
import { crashPoints } from './crash-points.ts';
import { callFaults } from './provider.ts';

/** How a client pays; `begin` opens the page of a wallet, and `authorize` agrees to everything that was opened. */
export type PayWay = 'card' | 'foreignCard' | 'declined' | 'gcash' | 'grab_pay' | 'begin';

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
  /** Somebody sends the payout of a request once more, past the product. Never drawn: a test of the checks. */
  | { do: 'transfer'; request: number }
  | { do: 'chargeBack'; request: number; namesPayment: boolean; isPart: boolean }
  | { do: 'decideChargeback'; request: number; status: 'under_review' | 'won' | 'lost' | 'expired' }
  | { do: 'changeNumber'; creator: number; number: number }
  | { do: 'callFault'; kind: (typeof callFaults)[number]; call: string; times: number }
  | { do: 'providerFault'; kind: string; event: string; times: number; delayMs: number }
  /** The process ends: before a step of this kind, as soon as one waits, or at once. */
  | { do: 'crash'; point: string | null }
  /** Several of what may write to the request at this moment, at once. */
  | { do: 'rush'; request: number; picks: readonly number[] }
  /** What is wrong with the provider ends. */
  | { do: 'mend' }
  | { do: 'pass'; ms: number };

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
export const deliveryFaults = [
  'drop_deliveries',
  'duplicate_deliveries',
  'delay_deliveries',
  'reorder_deliveries',
  'fail_refund',
  'delay_payment',
];
const events = ['', 'payment.', 'link.', 'dispute.', 'transfer.', 'payment.paid', 'payment.refund'];

/** Draws a life: of several requests and whatever meets them, or of one that is met at a certain moment. */
export function drawScript(seed: number): Script {
  const random = new Random(seed ^ 0x5eed);
  const acts = random.chance(0.6) ? drawMeeting(random) : drawCourse(random);
  return {
    environment: {
      PLATFORM_FEE_BASIS_POINTS: String(random.pick([0, 500, 1250])),
      PAYOUTS: random.chance(0.2) ? 'manual' : 'provider',
      PAYMENT_METHODS: random.pick(['card,gcash', 'card,gcash,grab_pay', 'card,qrph']),
      PAYMONGO_LINKS: random.pick(['classic', 'payment_links']),
    },
    settings: { withholds_tax: random.chance(0.3) },
    tells: random.chance(0.1),
    acts,
  };
}

/** One request comes to a stage; there several things write to it at once, or the process ends in the middle of what led there. */
function drawMeeting(random: Random): Act[] {
  const act = (deed: Deed, steps: number | null = null): Act => ({ deed, steps });
  const begin: Deed = {
    do: 'request',
    client: random.int(0, 2),
    plan: random.int(0, 2),
    day: random.int(1, 3),
  };
  const routes = ways(random).map((deeds) => [begin, ...deeds]);
  const faults: Deed[] = [
    { do: 'callFault', call: '', kind: random.pick(callFaults), times: random.int(1, 2) },
    { ...{ do: 'providerFault', kind: random.pick(deliveryFaults), event: '' }, times: 2, delayMs: minuteMs },
  ];
  const fault = random.chance(0.4) ? [act(random.pick(faults))] : [];
  if (random.chance(0.4)) {
    const rush = (): Deed => ({
      ...{ do: 'rush', request: 0 },
      picks: Array.from({ length: 8 }, () => random.int(0, 999)),
    });
    const acts = random.pick(routes).map((deed) => act(deed));
    const last = acts.at(-1);
    if (last && random.chance(0.5)) last.steps = random.int(0, 30);
    if (random.chance(0.4))
      acts.push(act({ do: 'propose', request: 0, by: 'client', day: random.int(1, 20) }));
    return [...acts, ...fault, act(rush(), random.int(0, 12)), act(rush())];
  }
  // Each kind of step as often as any other: those that come late in few lives, too.
  const [led, point] = random.pick(
    Object.entries(crashPoints).flatMap(([deed, points]) => points.map((name) => [deed, name] as const)),
  );
  const route = random.pick(routes.filter((deeds) => deeds.some((deed) => deed.do === led)));
  return route.flatMap((deed) => {
    const points = crashPoints[deed.do] ?? [];
    const isHere = deed.do === led;
    if (!isHere && !(points.length > 0 && random.chance(0.2))) return [act(deed)];
    const crash: Deed = { do: 'crash', point: isHere ? point : random.pick(points) };
    return [...(isHere ? [] : fault), act(deed, 0), act(crash)];
  });
}

/** What leads a request to each of its stages. */
function ways(random: Random): Deed[][] {
  const request = 0;
  const pay: Deed = { do: 'pay', request, way: 'card' };
  // A second page stays open, which can be paid as well.
  const open: Deed[] = random.chance(0.5) ? [{ do: 'pay', request, way: 'begin' }] : [];
  const wait: Deed = { do: 'pass', ms: random.pick([2, 4, 12]) * dayMs };
  const ready: Deed[] = [...open, pay, { do: 'accept', request }, wait];
  const fulfilled: Deed[] = [...ready, { do: 'fulfil', request }];
  return [
    open,
    [{ do: 'accept', request }],
    [pay],
    ready,
    fulfilled,
    [...ready, { do: 'dispute', request }],
    [
      ...[...ready, { do: 'dispute', request } as const],
      { do: 'decide', request, admin: 0, outcome: 'split', part: random.next() },
    ],
    [...fulfilled, { do: 'confirm', request, admin: 0 }],
    [pay, { do: 'cancel', request, by: random.pick(['client', 'creator'] as const) }],
    [
      ...[pay, { do: 'accept', request } as const],
      { do: 'chargeBack', request, namesPayment: true, isPart: random.chance(0.3) },
      { do: 'decideChargeback', request, status: random.pick(['won', 'lost'] as const) },
    ],
  ];
}

/** Several requests, and what is usual, rare or wrong in any order. */
function drawCourse(random: Random): Act[] {
  const acts: Act[] = [];
  const add = (deed: Deed) => acts.push({ deed, steps: drawSteps(random) });
  const requests = random.pick([1, 1, 1, 2, 2, 3]);
  const plans: number[] = [];
  for (let count = 0; count < requests; count++) {
    const day = random.chance(0.7) ? random.int(1, 20) : null;
    const plan = random.int(0, 2);
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
  const act = (deed: Deed, steps: number | null = null): Act => ({ deed, steps });
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
    // Card issuers dispute several payments at once.
    () =>
      Array.from({ length: requests }, (_, index) =>
        act(
          { do: 'chargeBack', request: index, namesPayment: random.chance(0.3), isPart: random.chance(0.2) },
          random.int(0, 20),
        ),
      ),
    // The account may not send money, or the provider or its answers are away, for up to two days.
    () => [
      act({
        ...{ do: 'callFault', times: 1000 },
        call: random.pick(['POST /v2/batch_transfers', 'GET /v2/wallets', 'POST /v1/refunds', '']),
        kind: random.pick(['answer_401', 'answer_403', 'answer_500', 'lose_request', 'lose_answer'] as const),
      }),
      act({ do: 'confirm', request, admin: 0 }),
      act({ do: 'pass', ms: random.pick([90 * minuteMs, dayMs, 2 * dayMs]) }),
      act({ do: 'mend' }),
    ],
    // A dispute from its beginning to its end.
    () => [
      act(
        { do: 'chargeBack', request, namesPayment: random.chance(0.8), isPart: random.chance(0.3) },
        drawSteps(random),
      ),
      act({ do: 'pass', ms: random.pick([minuteMs, hourMs, dayMs]) }, drawSteps(random)),
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
    () => ({ do: 'chargeBack', request, namesPayment: random.chance(0.6), isPart: random.chance(0.2) }),
    () => ({ do: 'chargeBack', request, namesPayment: random.chance(0.6), isPart: false }),
    () => ({
      ...{ do: 'decideChargeback', request },
      status: random.pick(['under_review', 'won', 'lost', 'lost', 'expired'] as const),
    }),
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

/** Every deed that is drawn. */
export const deedNames = [
  ...[
    'request',
    'pay',
    'authorize',
    'accept',
    'sayMet',
    'fulfil',
    'dispute',
    'answerDispute',
    'check',
    'review',
  ],
  ...['cancel', 'propose', 'agree', 'confirm', 'refund', 'decide', 'nameNumber', 'retry', 'record'],
  ...[
    'chargeBack',
    'decideChargeback',
    'changeNumber',
    'callFault',
    'providerFault',
    'mend',
    'crash',
    'rush',
    'pass',
  ],
];
