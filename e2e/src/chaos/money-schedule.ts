import { interactions } from '@tara/contract/interactions';
import fc from 'fast-check';
import { Refused } from '../client.ts';
import { waitFor } from '../outside.ts';
import { acceptRequest, confirmFulfilled, markDone, readRequest } from '../steps.ts';
import { control, insist, type Market, type Place, withDatabase } from './market.ts';
import { passDays } from './money-clock.ts';

/** What happens to a request, in any order and also when it makes no sense. */
const happenings = [
  'pay',
  'payTwice',
  'payByWallet',
  'payWithDeclinedCard',
  'accept',
  'acceptTwice',
  'fulfil',
  'end',
  'endByBoth',
  'confirmByTwo',
  'check',
  'passDay',
  'passWeek',
] as const;
type Happening = (typeof happenings)[number];

/** What goes wrong at the provider meanwhile; each a few times, so that a schedule comes to its end. */
const faults = [
  { kind: 'lose_answer', path: '/v1/links', method: 'POST', times: 3 },
  { kind: 'lose_answer', path: '/v2/batch_transfers', times: 3 },
  { kind: 'lose_answer', path: '/v1/refunds', times: 2 },
  { kind: 'answer_500', path: '/v1/links', times: 4 },
  { kind: 'answer_500', path: '/v2/', times: 4 },
  { kind: 'answer_500', path: '/v1/refunds', times: 3 },
  { kind: 'answer_429', path: '/v1/', times: 4 },
  { kind: 'answer_403', path: '/v2/batch_transfers', times: 1 },
  { kind: 'hang', path: '/v2/batch_transfers', times: 2, delay_ms: 200 },
  { kind: 'hang', path: '/v1/refunds', times: 2, delay_ms: 200 },
  { kind: 'fail_refund', times: 1 },
  { kind: 'drop_deliveries', times: 6 },
  { kind: 'duplicate_deliveries', times: 10 },
  { kind: 'reorder_deliveries', times: 6, delay_ms: 100 },
  { kind: 'delay_deliveries', times: 6, delay_ms: 200 },
] as const;

const goodEnd: readonly Happening[] = ['pay', 'accept', 'fulfil', 'confirmByTwo'];

/** A random life of a request; half of them come to a good end. */
const life = fc
  .tuple(fc.array(fc.constantFrom(...happenings), { maxLength: 7 }), fc.boolean())
  .map(([random, ends]): readonly Happening[] => (ends ? [...random, ...goodEnd] : random));

/** Several requests at once, and what goes wrong meanwhile. */
export const batches = (size: number) =>
  fc.record({
    lives: fc.array(life, { minLength: size, maxLength: size }),
    troubles: fc.uniqueArray(fc.constantFrom(...faults), { maxLength: 4 }),
  });

/** What came of a life. */
export interface Outcome {
  place: Place;
  interactionId: string;
  /** What went wrong on our side: replies of 500 and more. */
  failures: string[];
}

interface Life {
  market: Market;
  outcome: Outcome;
}

/** Makes calls at the same time. A refusal is an answer like another; the server must not fail. */
async function together({ failures }: Outcome, ...calls: (() => Promise<unknown>)[]): Promise<void> {
  for (const result of await Promise.allSettled(calls.map((call) => insist(call)))) {
    if (result.status === 'fulfilled') continue;
    const { reason } = result;
    if (!(reason instanceof Refused)) throw reason;
    // 503: the server is just stopping or starting.
    if (reason.status >= 500 && reason.status !== 503) failures.push(reason.message);
  }
}

/** Where the request can be paid; null when it is paid or over. */
async function checkoutOf({ outcome }: Life): Promise<URL | null> {
  const { place, interactionId } = outcome;
  const found = await waitFor('checkout', async () => {
    const { paid, cancelled, checkoutUrl } = await insist(() => readRequest(place.client, interactionId));
    if (paid || cancelled) return { url: null };
    return checkoutUrl !== null && { url: new URL(checkoutUrl) };
  });
  return found.url;
}

const formOf = (fields: Record<string, string>) => new URLSearchParams(fields);

/** Sends a form of the hosted checkout. A link that is paid or closed meanwhile refuses it, which is right. */
const submit = ({ origin }: URL, path: string, fields: Record<string, string>) =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { origin },
    body: formOf(fields),
    redirect: 'manual',
  });

async function payByCard(url: URL, number: string): Promise<void> {
  await submit(url, `${url.pathname}/card`, { number, expiry: '12/34', cvc: '123', name: 'Ben' });
}

async function payByWallet(url: URL): Promise<void> {
  const begun = await submit(url, `${url.pathname}/gcash`, {});
  const location = begun.headers.get('location');
  if (location?.includes('/authorize/'))
    await submit(url, new URL(location, url).pathname + new URL(location, url).search, {
      decision: 'authorize',
    });
}

const succeeds = '5555444444444457';
const expired = '4200000000000018';

async function pay(life: Life, ...ways: ((url: URL) => Promise<void>)[]): Promise<void> {
  const url = await checkoutOf(life);
  if (url) await Promise.all(ways.map((way) => insist(() => way(url))));
}

const does: Record<Happening, (life: Life) => Promise<void>> = {
  pay: (life) => pay(life, (url) => payByCard(url, succeeds)),
  payTwice: (life) => pay(life, (url) => payByCard(url, succeeds), payByWallet),
  payByWallet: (life) => pay(life, payByWallet),
  payWithDeclinedCard: (life) => pay(life, (url) => payByCard(url, expired)),
  accept: ({ outcome }) =>
    together(outcome, () => acceptRequest(outcome.place.creator, outcome.interactionId)),
  acceptTwice: ({ outcome }) =>
    together(
      outcome,
      () => acceptRequest(outcome.place.creator, outcome.interactionId),
      () => acceptRequest(outcome.place.creator, outcome.interactionId),
    ),
  fulfil: ({ outcome }) => together(outcome, () => markDone(outcome.place.client, outcome.interactionId)),
  end: ({ outcome }) => together(outcome, () => end(outcome.place.client, outcome)),
  endByBoth: ({ outcome }) =>
    together(
      outcome,
      () => end(outcome.place.client, outcome),
      () => end(outcome.place.creator, outcome),
    ),
  confirmByTwo: ({ market, outcome }) =>
    together(outcome, ...market.admins.map((boss) => () => confirmFulfilled(boss, outcome.interactionId))),
  check: ({ outcome }) =>
    together(outcome, () =>
      outcome.place.client.client.call(interactions.checkPayment, {
        body: { interactionId: outcome.interactionId },
      }),
    ),
  passDay: ({ market, outcome }) => passDays(market.tara, outcome.interactionId, 1),
  passWeek: ({ market, outcome }) => passDays(market.tara, outcome.interactionId, 8),
};

const end = ({ client }: Place['client'], { interactionId }: Outcome) =>
  client.call(interactions.cancelRequest, { body: { interactionId, reason: 'Something came up.' } });

/** Sends the request, once also when the answer to it was lost; answers its id. */
async function request({ tara }: Market, { client, creator, planId }: Place): Promise<string> {
  try {
    const body = { planId };
    return (await insist(() => client.client.call(interactions.createInteraction, { body }))).id;
  } catch (error) {
    if (!(error instanceof Refused) || error.type !== 'interaction_already_requested') throw error;
    const [row] = await withDatabase(
      tara,
      (sql) => sql<{ id: string }[]>`
        select interactions.id from interactions join profiles on profiles.id = client_id
          join accounts on accounts.id = profiles.account_id
        where plan_id = ${planId} and email = ${client.email} and completed_at is null and cancelled_at is null`,
    );
    if (!row) throw new Error(`there is no open request of ${client.name} for a plan of ${creator.name}`);
    return row.id;
  }
}

/** Sends a request and lets everything of the life happen to it, one after the other. */
export async function live(market: Market, place: Place, happenings: readonly Happening[]): Promise<Outcome> {
  const outcome: Outcome = { place, interactionId: await request(market, place), failures: [] };
  for (const happening of happenings) await does[happening]({ market, outcome });
  return outcome;
}

/** Brings a request one step nearer to its end, as people and deadlines do; nothing when it is over. */
export async function finish(market: Market, outcome: Outcome): Promise<void> {
  const { place, interactionId } = outcome;
  const [boss] = market.admins;
  const { stage } = await insist(() => readRequest(boss, interactionId));
  if (stage === 'fulfilled') await together(outcome, () => confirmFulfilled(boss, interactionId));
  if (stage === 'ready') await together(outcome, () => markDone(place.client, interactionId));
  if (stage === 'requested' || stage === 'accepted' || stage === 'paid')
    await together(outcome, () => end(place.client, outcome));
}

/** Orders the faults of a batch, and clears them at its end. */
export async function underFaults<T>(
  market: Market,
  troubles: readonly object[],
  work: () => Promise<T>,
): Promise<T> {
  for (const fault of troubles) await insist(() => control(market.tara, '/faults', fault));
  try {
    return await work();
  } finally {
    await insist(() => fetch(`${market.tara.url}/sandbox/faults`, { method: 'DELETE' }));
  }
}
