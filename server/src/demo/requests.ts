import { centavos } from '@tara/contract/plans';
import { eq, sql } from 'drizzle-orm';
import { interactions } from '../features/interactions/index.ts';
import { book, bookCapture, cash, escrow, payable, payouts } from '../features/payments/index.ts';
import { befriend, profiles } from '../features/profiles/index.ts';
import { receiptIdOf, receiptMessages, receipts } from '../features/receipts/index.ts';
import { reviews } from '../features/reviews/index.ts';
import type { Transaction } from '../platform/database/connect.ts';
import { newId, newReferenceNumber } from '../platform/ids.ts';
import { tasks } from '../platform/tasks.ts';
import type { DemoPerson, People } from './members.ts';
import { plans as offered } from './offers.ts';
import { type Stored, usePicture } from './pictures-in-store.ts';
import { ago } from './time.ts';

type Reached = 'sent' | 'accepted' | 'paid' | 'both' | 'fulfilled' | 'confirmed' | 'reviewed';

interface DemoRequest {
  plan: string;
  client: string;
  /** How far it has come. */
  reached: Reached;
  /** Days since it was sent. */
  days: number;
  /** Who says what in the per-plan chat; `client` or `creator`. */
  messages?: Array<['client' | 'creator', string]>;
}

/** A plan in every state (§4). */
const requests: DemoRequest[] = [
  { plan: 'coffee', client: 'ben', reached: 'sent', days: 0 },
  { plan: 'hop', client: 'jas', reached: 'accepted', days: 1 },
  { plan: 'night', client: 'lia', reached: 'paid', days: 1 },
  {
    plan: 'dive',
    client: 'ben',
    reached: 'both',
    days: 2,
    messages: [
      ['creator', 'Hi Ben! Saturday 6 am at the pier?'],
      ['client', 'Perfect. Do I need to bring anything?'],
      ['creator', 'Just a towel and a dry shirt. I have fins in your size.'],
      ['client', 'Great, see you there 🌊'],
    ],
  },
  {
    plan: 'games',
    client: 'paolo',
    reached: 'both',
    days: 3,
    messages: [
      ['client', 'Are beginners really fine?'],
      ['creator', 'That is the whole idea!'],
    ],
  },
  {
    plan: 'hike',
    client: 'lia',
    reached: 'fulfilled',
    days: 6,
    messages: [
      ['creator', 'The trail is dry, we are lucky.'],
      ['client', 'My legs disagree. Thank you for today!'],
    ],
  },
  {
    plan: 'coffee',
    client: 'miguel',
    reached: 'confirmed',
    days: 9,
    messages: [['client', 'Number three was the best.']],
  },
  {
    plan: 'hike',
    client: 'ben',
    reached: 'reviewed',
    days: 15,
    messages: [
      ['client', 'Is the summit cold?'],
      ['creator', 'Four degrees. Bring a jacket, I bring the coffee.'],
      ['client', 'Best morning of my year.'],
    ],
  },
];

const order: Reached[] = ['sent', 'accepted', 'paid', 'both', 'fulfilled', 'confirmed', 'reviewed'];
const from = (reached: Reached, state: Reached) => order.indexOf(reached) >= order.indexOf(state);

interface Sides {
  id: string;
  planId: string;
  client: DemoPerson;
  creator: DemoPerson;
  amount: number;
  request: DemoRequest;
}

/** Adds the requests with their money, chats and the review. */
export async function addRequests(
  transaction: Transaction,
  people: People,
  plans: ReadonlyMap<string, string>,
  stored: Stored,
): Promise<void> {
  for (const request of requests) {
    const plan = offered.find(({ key }) => key === request.plan);
    const planId = plans.get(request.plan);
    if (!plan || !planId) throw new Error(`The demo world has no plan ${request.plan}.`);
    const sides: Sides = {
      id: newId(),
      planId,
      client: people(request.client),
      creator: people(plan.by),
      amount: centavos(plan.pesos),
      request,
    };
    await addRequest(transaction, sides, plan.title, people('tala'));
    if (request.messages) await addChat(transaction, sides, request.messages, stored);
    if (request.reached === 'reviewed') await addReview(transaction, sides, stored);
  }
}

async function addRequest(
  transaction: Transaction,
  sides: Sides,
  planTitle: string,
  admin: DemoPerson,
): Promise<void> {
  const { id, planId, client, creator, amount, request } = sides;
  const { reached, days } = request;
  const at = (state: Reached, hours: number) =>
    from(reached, state) ? ago({ days, hours: -hours, minutes: 30 }) : null;
  const paid = reached !== 'accepted' && from(reached, 'paid');
  const accepted = reached === 'accepted' || from(reached, 'both');
  const confirmedAt = at('confirmed', 40);
  await transaction.insert(interactions).values({
    ...{ id, planId, planTitle },
    clientId: client.profileId,
    creatorId: creator.profileId,
    priceCentavos: amount,
    referenceNumber: paid ? newReferenceNumber() : null,
    paidAt: paid ? ago({ days, minutes: 20 }) : null,
    acceptedAt: accepted ? ago({ days, minutes: 10 }) : null,
    userSetDoneAt: at('fulfilled', 30),
    adminSetDoneAt: confirmedAt,
    completedAt: confirmedAt,
    confirmedBy: confirmedAt ? admin.accountId : null,
    reviewSubmitted: reached === 'reviewed',
    paidOutAt: confirmedAt && amount > 0 ? confirmedAt : null,
    createdAt: ago({ days, minutes: 55 }),
    updatedAt: ago({ days, minutes: 5 }),
  });
  if (accepted) await befriend(transaction, creator.profileId, client.profileId);
  if (!paid && amount > 0) await tasks.createPaymentLink.enqueue(transaction, { interactionId: id });
  if (amount > 0) await moveMoney(transaction, sides, paid, confirmedAt);
  if (confirmedAt) await raiseCounts(transaction, sides);
}

async function moveMoney(
  transaction: Transaction,
  sides: Sides,
  paid: boolean,
  confirmedAt: Date | null,
): Promise<void> {
  const { id: interactionId, creator, amount } = sides;
  const creatorId = creator.profileId;
  if (paid) await bookCapture(transaction, interactionId, { amount, fee: 0 });
  if (!confirmedAt) return;
  const release = { [escrow(interactionId)]: amount, [payable(creatorId)]: -amount };
  await book(transaction, { kind: 'release', interactionId, entries: release });
  const payout = { [payable(creatorId)]: amount, [cash]: -amount };
  await book(transaction, { kind: 'payout', interactionId, entries: payout });
  await transaction
    .insert(payouts)
    .values({ interactionId, creatorId, amountCentavos: amount, state: 'paid', paidAt: confirmedAt });
}

async function raiseCounts(transaction: Transaction, { client, creator }: Sides): Promise<void> {
  const more = { totalInteraction: sql`${profiles.totalInteraction} + 1` };
  await transaction.update(profiles).set(more).where(eq(profiles.id, client.profileId));
  await transaction
    .update(profiles)
    .set({ ...more, limitedPlan: sql`${profiles.limitedPlan} + 1` })
    .where(eq(profiles.id, creator.profileId));
}

async function addChat(
  transaction: Transaction,
  { id: interactionId, client, creator, request }: Sides,
  messages: NonNullable<DemoRequest['messages']>,
  stored: Stored,
): Promise<void> {
  const [row] = await transaction
    .update(interactions)
    .set({ referenceNumber: sql`coalesce(${interactions.referenceNumber}, ${newReferenceNumber()})` })
    .where(eq(interactions.id, interactionId))
    .returning({ referenceNumber: interactions.referenceNumber });
  const receiptId = receiptIdOf(creator.profileId, client.profileId, row?.referenceNumber ?? '');
  const withPicture = request.plan === 'dive';
  await transaction.insert(receipts).values({
    ...{ id: receiptId, interactionId },
    creatorId: creator.profileId,
    clientId: client.profileId,
    creatorAccountId: creator.accountId,
    clientAccountId: client.accountId,
    lastSequence: messages.length + (withPicture ? 1 : 0),
  });
  const writtenAt = (at: number) => ago({ days: request.days, minutes: 4 - at });
  for (const [at, [side, body]] of messages.entries()) {
    const { profileId, name } = side === 'client' ? client : creator;
    await transaction.insert(receiptMessages).values({
      ...{ receiptId, sequence: at + 1, id: newId(), userId: profileId, name, body },
      clientKey: newId(),
      createdAt: writtenAt(at),
    });
  }
  if (!withPicture) return;
  const imageId = await usePicture(transaction, stored, {
    name: 'message-pier',
    ownerAccountId: creator.accountId,
    bucket: 'messageFiles',
    readers: [client.accountId, creator.accountId],
    alt: 'The boat we will take',
    at: writtenAt(messages.length),
  });
  await transaction.insert(receiptMessages).values({
    ...{
      receiptId,
      sequence: messages.length + 1,
      id: newId(),
      userId: creator.profileId,
      name: creator.name,
      imageId,
    },
    clientKey: newId(),
    createdAt: writtenAt(messages.length),
  });
}

async function addReview(transaction: Transaction, sides: Sides, stored: Stored): Promise<void> {
  const { id: interactionId, planId, client, creator, request } = sides;
  const at = ago({ days: request.days - 2 });
  const imageId = await usePicture(transaction, stored, {
    name: 'review-hike',
    ownerAccountId: client.accountId,
    alt: 'The mountain just after sunrise',
    at,
  });
  await transaction.insert(reviews).values({
    ...{ id: newId(), interactionId, planId, imageId },
    creatorId: client.profileId,
    ownerId: creator.profileId,
    caption: 'Miguel waited at every bend, knew every bird, and the coffee at the top was hot. Go.',
    location: 'Mount Ulap, Benguet',
    stars: 10,
    createdAt: at,
    updatedAt: at,
  });
}
