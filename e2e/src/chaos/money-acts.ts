import { interactions } from '@tara/contract/interactions/interactions';
import { disputes, outcomes, requestCases } from '@tara/contract/money/disputes';
import { Random } from '@tara/proof/random';
import { Refused } from '../client.ts';
import { waitFor } from '../outside.ts';
import { acceptRequest, confirmFulfilled, markDone, readRequest } from '../steps.ts';
import { passDays } from './money-clock.ts';
import { insist, type MoneyFixture, type Pair, withDatabase } from './money-fixture.ts';
import { ageMonths, chargeBack, decideChargebacks, payByCard, payByWallet } from './money-provider.ts';

/** What happens to a request, in any order and also when it makes no sense. */
export const happenings = [
  'pay',
  'payTwice',
  'payByWallet',
  'payWithDeclinedCard',
  'accept',
  'acceptTwice',
  'fulfil',
  'end',
  'endByBoth',
  'proposeByClient',
  'proposeByCreator',
  'agree',
  'agreeTwice',
  'sayMet',
  'dispute',
  'disputeAndConfirm',
  'answerDispute',
  'decideByTwo',
  'chargeBack',
  'ageMonths',
  'confirmByTwo',
  'check',
  'passDay',
  'passWeek',
] as const;
export type Happening = (typeof happenings)[number];

/** What happens to a request, one after the other, and the seed of what is drawn meanwhile. */
export interface Lived {
  happenings: readonly Happening[];
  seed: number;
}

/** What came of a life. */
export interface Outcome {
  pair: Pair;
  interactionId: string;
  /** What went wrong on our side: replies of 500 and more. */
  failures: string[];
  /** What is drawn meanwhile. */
  random: Random;
}

interface Life {
  fixture: MoneyFixture;
  outcome: Outcome;
}

/** Makes calls at the same time. A refusal is an answer like another; the server must not fail. */
async function together({ failures }: Outcome, ...calls: (() => Promise<unknown>)[]): Promise<void> {
  for (const result of await Promise.allSettled(calls.map((call) => insist(call)))) {
    if (result.status === 'fulfilled') continue;
    const { reason } = result;
    if (!(reason instanceof Refused)) throw reason;
    // 502: the provider failed. 503: the server is just stopping or starting.
    if (reason.status === 500) failures.push(reason.message);
  }
}

/** The client names where a refund goes that its payment's method cannot bring. */
export const nameRefundNumber = (outcome: Outcome) =>
  together(outcome, () =>
    outcome.pair.client.client.call(interactions.setRefundNumber, {
      body: { interactionId: outcome.interactionId, number: '09181234567' },
    }),
  );

const dayMs = 86_400_000;
/** One of few days and hours, so that requests for one creator meet each other. */
function someDay(random: Random): string {
  const [day, hour] = [random.int(1, 20), random.int(8, 11)];
  const at = new Date(Date.now() + day * dayMs);
  at.setUTCHours(hour, 0, 0, 0);
  return at.toISOString();
}

const propose = ({ client }: Pair['client'], { outcome: { interactionId, random } }: Life) =>
  client.call(interactions.proposeDay, {
    body: { interactionId, meetsAt: someDay(random), place: 'The pier' },
  });

/** Both try to agree to the open proposal; only the party who did not propose it can. */
async function agree({ outcome }: Life, times: number): Promise<void> {
  const { pair, interactionId } = outcome;
  const { proposal } = await insist(() => readRequest(pair.client, interactionId));
  if (proposal === null) return;
  const body = { interactionId, proposalId: proposal.id, answer: 'agree' as const };
  const who = Array.from({ length: times }, () => [pair.client, pair.creator]).flat();
  await together(
    outcome,
    ...who.map(
      ({ client }) =>
        () =>
          client.call(interactions.answerProposal, { body }),
    ),
  );
}

/** Where the request can be paid; null when it is paid or over. */
async function readCheckoutUrl({ fixture, outcome }: Life): Promise<URL | null> {
  const { pair, interactionId } = outcome;
  const read = async () => {
    const request = await insist(() => readRequest(pair.client, interactionId));
    const { paid, cancelled, checkoutUrl, needsRefundNumber } = request;
    if (paid || cancelled) return { url: null };
    if (needsRefundNumber) await nameRefundNumber(outcome);
    return checkoutUrl !== null && { url: new URL(checkoutUrl) };
  };
  // Within a minute of the last kill.
  const checkout = await waitFor('checkout', read, { since: () => fixture.tara.readyAt });
  return checkout.url;
}

const succeeds = '5555444444444457';
const expired = '4200000000000018';

async function pay(life: Life, ...ways: ((url: URL) => Promise<void>)[]): Promise<void> {
  const url = await readCheckoutUrl(life);
  if (url) await Promise.all(ways.map((way) => insist(() => way(url))));
}

const does: Record<Happening, (life: Life) => Promise<void>> = {
  pay: (life) => pay(life, (url) => payByCard(url, succeeds)),
  payTwice: (life) => pay(life, (url) => payByCard(url, succeeds), payByWallet),
  payByWallet: (life) => pay(life, payByWallet),
  payWithDeclinedCard: (life) => pay(life, (url) => payByCard(url, expired)),
  accept: ({ outcome }) =>
    together(outcome, () => acceptRequest(outcome.pair.creator, outcome.interactionId)),
  acceptTwice: ({ outcome }) =>
    together(
      outcome,
      () => acceptRequest(outcome.pair.creator, outcome.interactionId),
      () => acceptRequest(outcome.pair.creator, outcome.interactionId),
    ),
  fulfil: ({ outcome }) => together(outcome, () => markDone(outcome.pair.client, outcome.interactionId)),
  end: ({ outcome }) => together(outcome, () => end(outcome.pair.client, outcome)),
  endByBoth: ({ outcome }) =>
    together(
      outcome,
      () => end(outcome.pair.client, outcome),
      () => end(outcome.pair.creator, outcome),
    ),
  proposeByClient: (life) => together(life.outcome, () => propose(life.outcome.pair.client, life)),
  proposeByCreator: (life) => together(life.outcome, () => propose(life.outcome.pair.creator, life)),
  agree: (life) => agree(life, 1),
  agreeTwice: (life) => agree(life, 2),
  sayMet: ({ outcome }) =>
    together(outcome, () =>
      outcome.pair.creator.client.call(interactions.sayMet, {
        body: { interactionId: outcome.interactionId },
      }),
    ),
  dispute: ({ outcome }) => together(outcome, () => dispute(outcome)),
  disputeAndConfirm: ({ fixture, outcome }) =>
    together(
      outcome,
      () => dispute(outcome),
      () => confirmFulfilled(fixture.admins[0], outcome.interactionId),
    ),
  answerDispute: ({ outcome }) =>
    together(outcome, () =>
      outcome.pair.creator.client.call(disputes.answer, {
        body: { interactionId: outcome.interactionId, story: 'I waited for an hour.', imageIds: [] },
      }),
    ),
  decideByTwo: ({ fixture, outcome }) =>
    together(outcome, ...fixture.admins.map((boss) => () => decide(boss, outcome))),
  chargeBack: ({ fixture, outcome }) =>
    chargeBack(fixture.tara, outcome.interactionId, outcome.random.chance(0.5)),
  ageMonths: ({ fixture, outcome }) => ageMonths(fixture.tara, outcome.interactionId),
  confirmByTwo: ({ fixture, outcome }) =>
    together(outcome, ...fixture.admins.map((boss) => () => confirmFulfilled(boss, outcome.interactionId))),
  check: ({ outcome }) =>
    together(outcome, () =>
      outcome.pair.client.client.call(interactions.checkPayment, {
        body: { interactionId: outcome.interactionId },
      }),
    ),
  passDay: ({ fixture, outcome }) => passDays(fixture.tara, outcome.interactionId, 1),
  passWeek: ({ fixture, outcome }) => passDays(fixture.tara, outcome.interactionId, 8),
};

const dispute = ({ pair, interactionId }: Outcome) =>
  pair.client.client.call(disputes.open, {
    body: { interactionId, reason: 'absent', story: 'Nobody came.', imageIds: [] },
  });

/** An admin decides a dispute or a request without an answer: either way, or in parts. What was never accepted can only be refunded. */
function decide({ client }: Pair['client'], { interactionId, random }: Outcome, accepted = true) {
  const outcome = accepted ? random.pick(outcomes) : 'refund';
  const part = outcome === 'split' ? { refundCentavos: random.int(1, 90_00) } : {};
  const body = { interactionId, outcome, note: 'By the dated steps.', ...part };
  return client.call(requestCases.decideRequest, { body });
}

const end = ({ client }: Pair['client'], { interactionId }: Outcome) =>
  client.call(interactions.cancelRequest, { body: { interactionId, reason: 'Something came up.' } });

/** Sends the request, once also when the answer to it was lost; returns its id. */
export async function request(
  { tara }: Pick<MoneyFixture, 'tara'>,
  { client, creator, planId }: Pair,
  random: Random,
): Promise<string> {
  try {
    const body = { planId, meetsAt: someDay(random), place: 'Moalboal' };
    return (await insist(() => client.client.call(interactions.createInteraction, { body }))).id;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // The creator agreed to meet somebody else then: a person chooses another time.
    if (error.type === 'interaction_time_taken')
      return request({ tara }, { client, creator, planId }, random);
    if (error.type !== 'interaction_already_requested') throw error;
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
export async function live(fixture: MoneyFixture, pair: Pair, { happenings, seed }: Lived): Promise<Outcome> {
  const random = new Random(seed);
  const interactionId = await request(fixture, pair, random);
  const outcome: Outcome = { pair, interactionId, failures: [], random };
  for (const happening of happenings) await does[happening]({ fixture, outcome });
  return outcome;
}

/** Brings a request one step nearer to its end, as people and deadlines do. Whether it was over. */
export async function finish(fixture: MoneyFixture, outcome: Outcome): Promise<boolean> {
  const { pair, interactionId } = outcome;
  const [boss] = fixture.admins;
  const { stage, accepted, needsRefundNumber } = await insist(() => readRequest(pair.client, interactionId));
  const { can } = await insist(() => readRequest(boss, interactionId));
  if (needsRefundNumber) await nameRefundNumber(outcome);
  await decideChargebacks(fixture.tara, interactionId);
  if (stage === 'completed' || stage === 'cancelled') return true;
  // Every second one by a person, the others by a deadline; the first letters of ids are random.
  const byDeadline = interactionId < 'i';
  if (stage === 'fulfilled') await together(outcome, () => confirmFulfilled(boss, interactionId));
  else if (stage === 'disputed' || can.decideNoAnswer === true)
    await together(outcome, () => decide(boss, outcome, accepted));
  else if (stage === 'ready' && byDeadline) await passDays(fixture.tara, interactionId, 40);
  else if (stage === 'ready') await together(outcome, () => markDone(pair.client, interactionId));
  else if (byDeadline) await passDays(fixture.tara, interactionId, 9);
  else await together(outcome, () => end(pair.client, outcome));
  return false;
}
