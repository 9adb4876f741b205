import { nowDate } from '@tara/contract/clock';
import {
  interactions as calls,
  type Interaction,
  InteractionList,
} from '@tara/contract/interactions/interactions';
import {
  endStep,
  listOf,
  openStages,
  type StepName,
  stageOf,
  stages,
  stepNames,
} from '@tara/contract/interactions/stages';
import { waitsFor } from '@tara/contract/interactions/waiting';
import { latestAdultBirthDate } from '@tara/contract/members/profiles';
import { planCan } from '@tara/contract/plans/plans';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { newReferenceNumber } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { disputes } from '../disputes/tables.ts';
import { planCreateCondition } from '../plans/write.ts';
import { profiles } from '../profiles/index.ts';
import { receiptIdOf } from '../receipts/open.ts';
import { receipts } from '../receipts/tables.ts';
import { endByParty, isOpen } from './conditions.ts';
import { createInteraction } from './create.ts';
import { presentInteraction } from './present.ts';
import { findInteraction } from './read.ts';
import { interactionRoutes } from './routes.ts';
import { stepCondition } from './steps.ts';
import { interactions } from './tables.ts';
import { waitingFor } from './waiting.ts';

const test = serverTest((app, platform) => interactionRoutes(app, platform))
  .extend('members', { scope: 'file' }, async ({ database }) => ({
    client: await insertMember(database, { verified: true }),
    creator: await insertMember(database, { verified: true }),
    other: await insertMember(database, { verified: true, admin: true }),
  }))
  .extend('insert', { scope: 'file' }, ({ database, members }) => async (state: State): Promise<string> => {
    const { client, creator } = members;
    // A plan each: a member has one open request per plan.
    const planId = await insertPlan(database, creator);
    const now = nowDate();
    const since = (holds: boolean) => (holds ? now : null);
    // A time of its own: the creator is booked once.
    inserted += 1;
    const meetsAt =
      state.day === 'none'
        ? null
        : new Date(now.getTime() + (state.day === 'past' ? -inserted : inserted) * hourMs);
    const id = await insertInteraction(
      database,
      { client, creator, planId },
      {
        paidAt: since(state.paid),
        acceptedAt: since(state.accepted),
        userSetDoneAt: state.fulfilled ? new Date(now.getTime() - state.hoursSinceFulfilled * hourMs) : null,
        disputedAt: since(state.disputed),
        frozenAt: since(state.frozen),
        meetsAt,
        meetsUntil: meetsAt && new Date(meetsAt.getTime() + hourMs / 2),
        creatorMetAt: since(state.creatorMet),
        dayStartsAt: state.accepted ? new Date(now.getTime() - state.daysSince * 24 * hourMs) : null,
        priceCentavos: state.free ? 0 : 250_00,
        adminSetDoneAt: since(state.completed),
        completedAt: since(state.completed),
        cancelledAt: since(state.cancelled),
        cardDown: state.cardDown,
        reviewSubmitted: state.reviewed,
      },
    );
    if (state.disputed) {
      const answeredAt = since(state.answered);
      await database.insert(disputes).values({
        interactionId: id,
        reason: 'absent',
        story: 'Nobody came.',
        answeredAt,
        answer: answeredAt && 'I waited.',
      });
    }
    if (state.chat) {
      await database.insert(receipts).values({
        id: receiptIdOf(creator.profileId, client.profileId, newReferenceNumber()),
        interactionId: id,
        creatorId: creator.profileId,
        clientId: client.profileId,
        creatorAccountId: creator.accountId,
        clientAccountId: client.accountId,
      });
    }
    return id;
  });

const hourMs = 3_600_000;
let inserted = 0;

/** Every state that the table's own checks let a request reach, with a chat, a card and a review or without. */
const reachable = fc
  .record({
    paid: fc.boolean(),
    accepted: fc.boolean(),
    fulfilled: fc.boolean(),
    completed: fc.boolean(),
    cancelled: fc.boolean(),
    disputed: fc.boolean(),
    frozen: fc.boolean(),
    free: fc.boolean(),
    creatorMet: fc.boolean(),
    day: fc.constantFrom('none', 'past', 'ahead'),
    daysSince: fc.constantFrom(-3, 1, 8),
    hoursSinceFulfilled: fc.constantFrom(1, 49),
    cardDown: fc.boolean(),
    reviewed: fc.boolean(),
    chat: fc.boolean(),
  })
  .map((drawn) => {
    const fulfilled = drawn.fulfilled && drawn.paid && drawn.accepted;
    const completed = drawn.completed && fulfilled;
    return {
      ...drawn,
      fulfilled,
      completed,
      cancelled: drawn.cancelled && !completed,
      disputed: drawn.disputed && drawn.paid && !drawn.free,
      answered: drawn.reviewed,
      reviewed: drawn.reviewed && completed,
      chat: drawn.chat && drawn.paid,
    };
  });
type State = typeof reachable extends fc.Arbitrary<infer S> ? S : never;

const parties = ['client', 'creator', 'other'] as const;

test('gives the same verdict by statement and by table, for every step, reachable state and party, and of what waits', async ({
  database,
  members,
  insert,
}) => {
  const verdicts = new Set<string>();
  await fc.assert(
    fc.asyncProperty(reachable, async (state) => {
      const id = await insert(state);
      const row = await findInteraction(database, id);
      if (!row) throw new Error('the request is missing');
      for (const party of parties) {
        const request = presentInteraction(row, members[party].accountId);
        expect(request.stage).toBe(stageOf(request));
        const conditions = stepNames.map((name) => [
          name,
          sql<boolean>`${stepCondition(name, members[party])}`,
        ]);
        const waits =
          party === 'other'
            ? sql<boolean>`false`
            : sql<boolean>`(${waitingFor(members[party], party, stages)}) is true`;
        const [answer] = await database
          .select({ ...(Object.fromEntries(conditions) as Record<StepName, SQL<boolean>>), waits })
          .from(interactions)
          .where(eq(interactions.id, id));
        const table = stepNames.map((name) => [name, request.can[name] === true] as const);
        const { waits: isWaiting, ...allowed } = answer ?? expect.fail('the request is missing');
        expect(allowed).toEqual(Object.fromEntries(table));
        expect(isWaiting).toBe(waitsFor(request, party));
        verdicts.add(`waits for ${party} ${isWaiting}`);
        for (const [name, may] of table) verdicts.add(`${name} ${may}`);
      }
    }),
    { numRuns: 200, seed: 20_260_101 },
  );
  // Every step was seen allowed and refused.
  const seen = [...stepNames, 'waits for client', 'waits for creator'];
  expect([...verdicts].sort()).toEqual(
    [...seen.flatMap((name) => [`${name} false`, `${name} true`]), 'waits for other false'].sort(),
  );
});

test('says by statement and by table alike whether a request is open, and why one of its parties ended it', async ({
  database,
  members,
  insert,
}) => {
  const reasons = { withdraw: 'withdrawn', decline: 'declined', cancel: 'cancelled' };
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(reachable, async (state) => {
      const id = await insert(state);
      const row = await findInteraction(database, id);
      if (!row) throw new Error('the request is missing');
      for (const party of ['client', 'creator'] as const) {
        const request = presentInteraction(row, members[party].accountId);
        const [stored] = await database
          .select({ isOpen: sql<boolean>`${isOpen()}`, reason: endByParty(members[party]).cancelReason })
          .from(interactions)
          .where(eq(interactions.id, id));
        expect(stored?.isOpen).toBe(openStages.some((stage) => stage === request.stage));
        const step = endStep(request.stage, party);
        if (request.can[step] !== true) continue;
        expect(stored?.reason).toBe(reasons[step]);
        seen.add(step);
      }
    }),
    { numRuns: 60, seed: 20_260_104 },
  );
  expect([...seen].sort()).toEqual(Object.keys(reasons).sort());
});

test('lists a request where the table says, and nowhere else', async ({ server, members, insert }) => {
  await fc.assert(
    fc.asyncProperty(reachable, async (state) => {
      const id = await insert(state);
      for (const party of ['client', 'creator'] as const) {
        const lists: string[] = [];
        let own: Interaction | undefined;
        for (const list of InteractionList.options) {
          const { reply } = await server.call(members[party], calls.interactionList, { params: { list } });
          const request = reply.items.find((item) => item.id === id);
          if (request) lists.push(list);
          own ??= request;
        }
        expect(lists).toEqual(own ? [listOf(own.stage, party)] : []);
        expect(own).toBeDefined();
      }
    }),
    { numRuns: 10, seed: 20_260_102 },
  );
});

test('lets a member publish a plan by the statement exactly when planCan.create does', async ({
  database,
  members,
}) => {
  const { creator } = members;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(true, null),
      fc.constantFrom(null, '1990-01-01', latestAdultBirthDate(), nowDate().toISOString().slice(0, 10)),
      fc.nat(5),
      fc.nat(2),
      async (verified, bDay, totalPlan, left) => {
        const limitedPlan = totalPlan + left;
        const own = eq(profiles.id, creator.profileId);
        await database.update(profiles).set({ verified, birthDate: bDay, totalPlan, limitedPlan }).where(own);
        const rows = await database
          .select({ id: profiles.id })
          .from(profiles)
          .where(and(own, planCreateCondition()));
        const verdict = planCan.create({ verified, bDay, totalPlan, limitedPlan });
        expect(rows.length === 1).toBe(verdict === true);
      },
    ),
    { numRuns: 40, seed: 20_260_103 },
  );
});

test('lets a member request a plan by the statement exactly when planCan.request does', async ({
  database,
  platform,
}) => {
  const client = await insertMember(database);
  const creator = await insertMember(database);
  const verdicts = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(client, client, client, creator),
      fc.constantFrom(true, null),
      fc.constantFrom(null, '1990-01-01', latestAdultBirthDate(), nowDate().toISOString().slice(0, 10)),
      fc.constantFrom(null, nowDate()),
      fc.constantFrom(true, null),
      async (member, verified, bDay, closedAt, isCreatorVerified) => {
        const planId = await insertPlan(database, creator, { closedAt });
        const set = (profileId: string, row: Partial<typeof profiles.$inferInsert>) =>
          database.update(profiles).set(row).where(eq(profiles.id, profileId));
        await set(creator.profileId, { verified: isCreatorVerified });
        await set(member.profileId, { verified, birthDate: bDay });
        const result = await createInteraction(platform, member, { planId }).then(
          () => true,
          (error: unknown) => (error instanceof Problem ? error.type : Promise.reject(error)),
        );
        const verdict = planCan.request(
          { id: member.profileId, verified, bDay },
          { creator: { id: creator.profileId, verified: isCreatorVerified }, closedAt },
        );
        expect(result).toBe(verdict);
        verdicts.add(verdict);
      },
    ),
    { numRuns: 100, seed: 20_260_105 },
  );
  expect(verdicts.size).toBe(7);
});
