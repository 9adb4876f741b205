import { nowMs } from '@tara/contract/clock';
import { interactions as calls, type Interaction } from '@tara/contract/interactions/interactions';
import { type Party, type StepName, stepNames } from '@tara/contract/interactions/stages';
import { receipts as receiptCalls } from '@tara/contract/messages/receipts';
import { adminMoney } from '@tara/contract/money/admin-money';
import { admin as confirmations } from '@tara/contract/money/confirmations';
import { disputes as disputeCalls, requestCases } from '@tara/contract/money/disputes';
import { reviews as reviewCalls } from '@tara/contract/plans/reviews';
import { expect } from 'vitest';
import { newId, newReferenceNumber } from '../../platform/ids.ts';
import { insertCapture } from '../../testing/features/captures.ts';
import { chatRoutes } from '../../testing/features/chats.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertBlock, insertMember, type Member } from '../../testing/features/members.ts';
import type { TestServer } from '../../testing/server.ts';
import { serverTest } from '../../testing/test.ts';
import { disputeRoutes } from '../disputes/index.ts';
import { disputes } from '../disputes/tables.ts';
import { openChat } from '../messages/index.ts';
import { escrowRoutes } from '../payments/routes.ts';
import { receiptIdOf } from '../receipts/open.ts';
import { receipts } from '../receipts/tables.ts';
import { reviewRoutes } from '../reviews/index.ts';
import { blocks } from '../visibility/index.ts';
import { interactionRoutes } from './routes.ts';
import type { interactions } from './tables.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const price = 250_00;

/** Times in ms from the beginning of the scenario. */
interface Scenario {
  times: { [Column in keyof typeof interactions.$inferInsert]?: number };
  more?: Partial<typeof interactions.$inferInsert>;
  hasChat?: true;
  /** Since when the creator's answer to the dispute is there. */
  answeredAt?: number;
  blocked?: true;
}

const requested = { meetsAt: 5 * day };
const accepted = { ...requested, acceptedAt: -hour, dayStartsAt: 4.5 * day };
const ready = { ...accepted, paidAt: -2 * hour };
const fulfilled = { ...ready, userSetDoneAt: -minute };
const disputed = { ...ready, disputedAt: -minute };
const completed = { ...fulfilled, adminSetDoneAt: -minute, completedAt: -minute };

const scenarios: Record<string, Scenario> = {
  requested: { times: requested },
  'requested without a day': { times: {} },
  paid: { times: { ...requested, paidAt: -hour } },
  accepted: { times: accepted },
  ready: { times: ready, hasChat: true },
  'ready and free': { times: ready, more: { priceCentavos: 0 } },
  'ready while the card issuer disputes the payment': { times: { ...ready, frozenAt: -minute } },
  'ready after the creator said that they met': {
    times: { ...ready, dayStartsAt: -day, creatorMetAt: -minute },
    more: { cardDown: true },
  },
  'ready between members of whom one blocked the other': { times: ready, hasChat: true, blocked: true },
  fulfilled: { times: fulfilled, hasChat: true },
  disputed: { times: disputed, hasChat: true },
  'disputed and answered': { times: disputed, answeredAt: -minute },
  completed: { times: completed, hasChat: true },
  'completed and reviewed': { times: completed, more: { reviewSubmitted: true } },
  cancelled: { times: { ...requested, cancelledAt: -minute }, hasChat: true },
};

/** Requests so far: each has a millisecond of its own, because a creator is booked once. */
let count = 0;
const slot = () => {
  count += 1;
  return count * 2;
};

const test = serverTest((app, platform) => {
  interactionRoutes(app, platform);
  escrowRoutes(app, platform);
  disputeRoutes(app, platform);
  chatRoutes(app, platform);
  reviewRoutes(app, platform);
})
  .extend('members', async ({ database }) => ({
    client: await insertMember(database, { verified: true }),
    creator: await insertMember(database, { verified: true }),
    other: await insertMember(database, { admin: true }),
  }))
  /** Inserts the request of a scenario as it is so many ms after its beginning; returns the ids of request and chat. */
  .extend(
    'insert',
    ({ database, members: { client, creator } }) =>
      async (scenario: Scenario, at: number) => {
        const { times, more, hasChat, answeredAt, blocked } = scenario;
        const begin = nowMs() - at;
        const dates = Object.fromEntries(
          Object.entries(times).map(([column, offset]) => [column, new Date(begin + offset)]),
        );
        const meetsAt = times.meetsAt === undefined ? null : new Date(begin + times.meetsAt + slot());
        const meetsUntil = meetsAt && new Date(meetsAt.getTime() + 1);
        const planId = await insertPlan(database, creator);
        const referenceNumber = newReferenceNumber();
        const id = await insertInteraction(
          database,
          { client, creator, planId },
          { referenceNumber, ...more, ...dates, meetsAt, meetsUntil },
        );
        if (times.paidAt !== undefined && more?.priceCentavos !== 0) await insertCapture(database, id, price);
        if (dates.disputedAt !== undefined) {
          const answer = answeredAt === undefined ? null : 'I waited.';
          await database.insert(disputes).values({
            ...{ interactionId: id, reason: 'absent', story: 'Nobody came.' },
            ...{ answer, answeredAt: answer && new Date(begin + (answeredAt ?? 0)) },
          });
        }
        const chatId = receiptIdOf(creator.profileId, client.profileId, referenceNumber);
        if (hasChat) {
          const accounts = { creatorAccountId: creator.accountId, clientAccountId: client.accountId };
          const parties = { creatorId: creator.profileId, clientId: client.profileId, ...accounts };
          await database.insert(receipts).values({ id: chatId, interactionId: id, ...parties });
          await database.transaction((transaction) =>
            openChat(transaction, {
              ...{ id: chatId, kind: 'receipt', expiresAt: null, awaitsId: null },
              closedAt: dates.completedAt ?? dates.cancelledAt ?? null,
              first: { id: creator.profileId, accountId: creator.accountId },
              second: { id: client.profileId, accountId: client.accountId },
            }),
          );
        }
        if (blocked) {
          // Again for each: a block stops the chats that there are.
          await database.delete(blocks);
          await insertBlock(database, creator, client);
        }
        return { id, chatId };
      },
  )
  .extend('read', ({ server, members }) => async (party: Party, id: string) => {
    const { reply } = await server.call(members[party], calls.interaction, { params: { id } });
    return reply;
  });

/** What depends on the clock, as it is shown. */
const shown = ({ can, timePassed, dayReached, objectUntil }: Interaction) => ({
  ...{ can, timePassed, dayReached, isObjectionOpen: objectUntil !== null },
});

interface Attempt {
  server: TestServer;
  who: Member;
  id: string;
  chatId: string;
  stage: Interaction['stage'];
}

const end =
  (reason: Interaction['cancelReason']) =>
  async ({ server, who, id }: Attempt) => {
    const ended = await server.call(who, calls.cancelRequest, { body: { interactionId: id } });
    return ended.status === 200 && ended.reply.cancelReason === reason;
  };

/** One call decides both kinds of cases. */
const decide =
  (isDispute: boolean) =>
  async ({ server, who, id, stage }: Attempt) => {
    const body = { interactionId: id, outcome: 'refund', note: 'They did not meet.' };
    const { status } = await server.call(who, requestCases.decideRequest, { body });
    return status === 200 && (stage === 'disputed') === isDispute;
  };

/** Takes each step by its call; whether it was accepted. `pay` has none: the provider takes the payment. */
const attempts: Record<Exclude<StepName, 'pay'>, (attempt: Attempt) => Promise<boolean>> = {
  accept: async ({ server, who, id }) =>
    (await server.call(who, calls.acceptRequest, { body: { interactionId: id } })).status === 200,
  proposeDay: async ({ server, who, id }) => {
    const meetsAt = new Date(nowMs() + 100 * day + slot()).toISOString();
    const body = { interactionId: id, meetsAt, place: 'Luneta' };
    return (await server.call(who, calls.proposeDay, { body })).status === 200;
  },
  withdraw: end('withdrawn'),
  decline: end('declined'),
  cancel: end('cancelled'),
  openReceipt: async ({ server, who, id }) => {
    const opened = await server.call(who, receiptCalls.createConversationReceipt, {
      body: { interactionId: id },
    });
    return opened.status === 200;
  },
  sendMessage: async ({ server, who, chatId }) => {
    const body = { conversation: chatId, message: 'Hello', clientKey: newId() };
    return (await server.call(who, receiptCalls.sendMessage, { body })).status === 200;
  },
  putCardDown: async ({ server, who, id }) =>
    (await server.call(who, calls.cardDown, { body: { interactionId: id } })).status === 200,
  fulfil: async ({ server, who, id }) =>
    (await server.call(who, calls.markDone, { body: { interactionId: id } })).status === 200,
  sayMet: async ({ server, who, id }) =>
    (await server.call(who, calls.sayMet, { body: { interactionId: id } })).status === 200,
  dispute: async ({ server, who, id }) => {
    const body = { interactionId: id, reason: 'absent', story: 'Nobody came.', imageIds: [] };
    return (await server.call(who, disputeCalls.open, { body })).status === 200;
  },
  answerDispute: async ({ server, who, id }) => {
    const body = { interactionId: id, story: 'I waited.', imageIds: [] };
    return (await server.call(who, disputeCalls.answer, { body })).status === 200;
  },
  decideDispute: decide(true),
  decideNoAnswer: decide(false),
  refund: async ({ server, who, id }) => {
    const body = { interactionId: id, reason: 'They agreed.' };
    return (await server.call(who, adminMoney.refundRequest, { body })).status === 200;
  },
  confirm: async ({ server, who, id }) =>
    (await server.call(who, confirmations.confirmPlans, { body: { interactionId: id } })).status === 200,
  review: async ({ server, who, id }) => {
    const body = { interactionId: id, caption: 'A good day', location: '', stars: 9, tags: '', imageIds: [] };
    return (await server.call(who, reviewCalls.create, { body })).status === 200;
  },
};
const attempted = Object.keys(attempts) as (keyof typeof attempts)[];

test('a chat that is opened after a block is read-only', async ({ server, members, insert, read }) => {
  const who = members.client;
  const { id, chatId } = await insert({ times: ready, blocked: true }, 0);
  expect(await attempts.openReceipt({ server, who, id, chatId, stage: 'ready' })).toBe(true);
  const { can, conversationReceipt } = await read('client', id);
  expect(can.sendMessage).toBe('This chat is read-only: you can no longer write to each other.');
  const chat = { id, chatId: conversationReceipt ?? '' };
  expect(await attempts.sendMessage({ server, who, ...chat, stage: 'ready' })).toBe(false);
});

test('a request is paid by its client alone (§6-client-pays)', async ({ insert, read }) => {
  const { id } = await insert({ times: accepted }, 0);
  expect((await read('client', id)).can.pay).toBe(true);
  expect((await read('creator', id)).can.pay).toBe('Only the client pays.');
});

const viewers = (['client', 'creator', 'other'] as const).flatMap((party) =>
  Object.keys(scenarios).map((name) => [party, name] as const),
);

test('each step but the payment has its call here', () => {
  expect([...attempted, 'pay'].sort()).toEqual([...stepNames].sort());
});

test.for(viewers)(
  'the %s of a request that is %s may take the steps whose calls are accepted, until that changes and then others',
  async ([party, name], { server, members, insert, read }) => {
    const scenario = scenarios[name];
    if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
    const who = members[party];
    let earlier: Interaction | null = null;
    for (let at: number | null = 0; at !== null; ) {
      const now: number = at;
      const ids = await insert(scenario, now);
      const begin: number = nowMs() - now;
      const request: Interaction = await read(party, ids.id);
      if (earlier) expect(shown(request)).not.toEqual(shown(earlier));
      const may = (step: StepName) => request.can[step] === true;
      const accepted: [StepName, boolean][] = [];
      for (const step of attempted) {
        if (earlier && request.can[step] === earlier.can[step]) continue;
        // What is accepted changes the request: the next step has another.
        const fresh = may(step) ? await insert(scenario, now) : ids;
        accepted.push([step, await attempts[step]({ server, who, ...fresh, stage: request.stage })]);
      }
      expect({ now, accepted }).toEqual({ now, accepted: accepted.map(([step]) => [step, may(step)]) });
      at = request.changesAt === null ? null : Date.parse(request.changesAt) - begin;
      const last = await insert(scenario, at === null ? now + 400 * day : at - minute);
      expect(shown(await read(party, last.id))).toEqual(shown(request));
      if (at !== null) {
        expect(at).toBeGreaterThan(now);
        at += 1_000;
      }
      earlier = request;
    }
  },
);
