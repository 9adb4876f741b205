import { nowMs } from '@tara/contract/clock';
import type { interactions as calls, Interaction } from '@tara/contract/interactions/interactions';
import { dayPassed } from '@tara/contract/interactions/steps';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type * as z from 'zod';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { notify } from '../notifications/index.ts';
import { plans } from '../plans/index.ts';
import { befriend } from '../profiles/index.ts';
import { agreedDay, closeProposals, isBooked, meetingDetails } from './days.ts';
import { presentInteraction } from './present.ts';
import { announceFriendship, announceInteraction } from './read.ts';
import { lockCreator, refusal, stepCondition, whenBooked } from './steps.ts';
import { interactions, meetingProposals } from './tables.ts';

type ProposalContext = Pick<Platform, 'database' | 'bus' | 'config'>;
type Request = typeof interactions.$inferSelect;
type Day = Pick<Request, 'meetsAt' | 'meetsUntil' | 'place'> & { meetsAt: Date; meetsUntil: Date };

/**
 * Proposes another day. Until the creator accepts, the standing day is the client's own proposal, which a client changes
 * at once; any other waits for the answer of the other party, and the standing day holds meanwhile. It replaces the
 * proposal that was open.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason, `interaction_time_taken`.
 */
export function proposeDay(
  context: ProposalContext,
  viewer: Viewer,
  { interactionId, meetsAt, place }: z.infer<typeof calls.proposeDay.body>,
): Promise<Interaction> {
  return changeDay(context, viewer, interactionId, async (transaction, request) => {
    const day = await proposedDay(transaction, request, new Date(meetsAt), place);
    await requireFree(transaction, request, day);
    await closeProposals(transaction, request.id);
    const isClient = viewer.profileId === request.clientId;
    const id = newId();
    if (isClient && request.acceptedAt === null) await moveRequest(transaction, request.id, day);
    else {
      await transaction
        .insert(meetingProposals)
        .values({ id, interactionId: request.id, proposedBy: viewer.profileId, ...day });
      await touch(transaction, request.id);
    }
    await notify(transaction, {
      event: isClient && request.acceptedAt === null ? 'dayChanged' : 'dayProposed',
      interactionId: request.id,
      to: [isClient ? 'creator' : 'client'],
      occasion: id,
      details: meetingDetails(day),
    });
  });
}

/**
 * Answers the other party's proposal. Once agreed, its day holds from then on; where the creator proposed it before
 * accepting, that was the creator's acceptance.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason, `interaction_time_taken`.
 */
export function answerProposal(
  context: ProposalContext,
  viewer: Viewer,
  { interactionId, proposalId, answer }: z.infer<typeof calls.answerProposal.body>,
): Promise<Interaction> {
  return changeDay(context, viewer, interactionId, async (transaction, request) => {
    const proposal = await takeProposal(transaction, viewer, { request, proposalId, answer });
    const proposer = viewer.profileId === request.clientId ? 'creator' : 'client';
    if (answer === 'agree') {
      await moveRequest(transaction, request.id, proposal, {
        acceptedAt: sql`coalesce(${interactions.acceptedAt}, now())`,
        ...agreedDay(context.config, sql`${proposal.meetsAt.toISOString()}::timestamptz`),
      });
      if (request.acceptedAt === null) await befriend(transaction, request.creatorId, request.clientId);
    } else await touch(transaction, request.id);
    await notify(transaction, {
      event: answer === 'agree' ? 'dayAgreed' : 'dayDeclined',
      interactionId: request.id,
      to: [proposer],
      occasion: proposal.id,
      details: meetingDetails(proposal),
    });
  });
}

/** What both calls have in common: the request is held for the change, and both parties see what came of it. */
async function changeDay(
  context: ProposalContext,
  viewer: Viewer,
  interactionId: string,
  change: (transaction: Transaction, request: Request) => Promise<void>,
): Promise<Interaction> {
  const before = await whenBooked(context.database, async (transaction) => {
    await lockCreator(transaction, eq(interactions.id, interactionId));
    const [request] = await transaction
      .select()
      .from(interactions)
      .where(and(eq(interactions.id, interactionId), stepCondition('proposeDay', viewer)))
      .for('update');
    if (request) await change(transaction, request);
    return request;
  });
  if (!before) throw await refusal(context.database, viewer, interactionId, ['proposeDay']);
  const row = await announceInteraction(context, interactionId);
  if (!row) throw new Problem('interaction_not_found');
  const interaction = presentInteraction(row, viewer.accountId);
  if (interaction.accepted && before.acceptedAt === null) announceFriendship(context.bus, row);
  return interaction;
}

/** A day as long as the standing one, or as the plan takes. */
async function proposedDay(
  transaction: Transaction,
  request: Request,
  meetsAt: Date,
  place: string,
): Promise<Day> {
  const { meetsAt: start, meetsUntil: end } = request;
  if (start && end) {
    return { meetsAt, meetsUntil: new Date(meetsAt.getTime() + end.getTime() - start.getTime()), place };
  }
  const [plan] = await transaction
    .select({ durationMinutes: plans.durationMinutes })
    .from(plans)
    .where(eq(plans.id, request.planId));
  if (!plan) throw new Error(`the plan of request ${request.id} is missing`);
  return { meetsAt, meetsUntil: new Date(meetsAt.getTime() + plan.durationMinutes * 60_000), place };
}

async function requireFree(transaction: Transaction, request: Request, day: Day): Promise<void> {
  const range = {
    start: sql`${day.meetsAt.toISOString()}::timestamptz`,
    end: sql`${day.meetsUntil.toISOString()}::timestamptz`,
  };
  const taken = isBooked(sql`${request.creatorId}`, range, ({ id }) => eq(id, request.id));
  const [row] = await transaction.execute<{ taken: boolean }>(sql`select ${taken} as taken`);
  if (row?.taken) throw new Problem('interaction_time_taken');
}

const touch = (transaction: Transaction, id: string) =>
  transaction.update(interactions).set({ updatedAt: sql`now()` }).where(eq(interactions.id, id));

const moveRequest = (
  transaction: Transaction,
  id: string,
  { meetsAt, meetsUntil, place }: Day,
  also: object = {},
) =>
  transaction
    .update(interactions)
    .set({ meetsAt, meetsUntil, place, updatedAt: sql`now()`, ...also })
    .where(eq(interactions.id, id));

/** Marks the proposal as answered. */
async function takeProposal(
  transaction: Transaction,
  viewer: Viewer,
  {
    request,
    proposalId,
    answer,
  }: { request: Request; proposalId: string; answer: z.infer<typeof calls.answerProposal.body>['answer'] },
) {
  const refuse = (text: string) => new Problem('interaction_not_allowed', { text });
  const [proposal] = await transaction
    .update(meetingProposals)
    .set({ answer: answer === 'agree' ? 'agreed' : 'declined', answeredAt: sql`now()` })
    .where(
      and(
        eq(meetingProposals.id, proposalId),
        eq(meetingProposals.interactionId, request.id),
        isNull(meetingProposals.answer),
      ),
    )
    .returning();
  if (!proposal) throw refuse('This proposal is no longer open.');
  if (proposal.proposedBy === viewer.profileId) throw refuse('The other one answers your proposal.');
  if (answer === 'agree' && proposal.meetsAt.getTime() <= nowMs()) throw refuse(dayPassed);
  return proposal;
}
