import { nowDate } from '@tara/contract/clock';
import type { CollectionId } from '@tara/contract/wire/documents';
import { eq } from 'drizzle-orm';
import { conversations } from '../../features/conversations/tables.ts';
import { interactions } from '../../features/interactions/index.ts';
import { chats, openChat } from '../../features/messages/index.ts';
import { messageStore } from '../../features/messages/store.ts';
import { postLikes, posts, saves } from '../../features/posts/tables.ts';
import { friends, profiles } from '../../features/profiles/index.ts';
import { receipts } from '../../features/receipts/index.ts';
import { receiptIdOf } from '../../features/receipts/open.ts';
import { reviewComments, reviewLikes, reviews } from '../../features/reviews/index.ts';
import { verifications } from '../../features/verification/index.ts';
import type { Database } from '../../platform/database/connect.ts';
import { newId, newReferenceNumber } from '../../platform/ids.ts';
import { insertConversation } from '../features/conversations.ts';
import { insertInteraction, insertPlan } from '../features/interactions.ts';
import { insertBlock } from '../features/members.ts';
import { insertPicture } from '../features/pictures.ts';
import { confirmed } from '../features/reviews.ts';
import { addMember, type TestMember } from '../features/sessions.ts';

/**
 * The actor: nobody; the member whose record it is; the other party of it; any other member; one whom the owner
 * blocked; an admin.
 */
export const people = ['guest', 'owner', 'party', 'other', 'blocked', 'admin'] as const;
export type PersonName = (typeof people)[number];
export type People = Record<Exclude<PersonName, 'guest'>, TestMember>;

/** Creates a record as the party, by the wire; returns its id. */
type PartyCreate = (collectionId: CollectionId, data: Record<string, unknown>) => Promise<string>;

/** How the records of a collection are made for the matrix, and what is tried with them. */
export interface PermissionCase {
  /** Inserts a new record of the owner, and with the party where there is one; returns its id. */
  insert: () => Promise<string>;
  /** The data of a creation, aimed at something of the owner where it is aimed at all. */
  create: (who: TestMember) => Promise<Record<string, unknown>>;
  update: Record<string, unknown>;
  /** How the party changes a record, where an update by hand is not announced to all who see it; returns its id. */
  change?: (create: PartyCreate) => Promise<string>;
}

const terms = 'We meet in a public place and share the bill.';

/** The members of the matrix, all verified adults; the blocked one is blocked by the owner. */
export async function insertPeople(database: Database): Promise<People> {
  const join = async (name: string, labels: string[] = []) => {
    const member = await addMember({ database }, { name, username: 'User025', labels });
    await database
      .update(profiles)
      .set({ verified: true, birthDate: '1995-06-15', limitedPlan: 1000 })
      .where(eq(profiles.id, member.profileId));
    return member;
  };
  const [owner, party, other] = [await join('Ana Cruz'), await join('Ben Reyes'), await join('Cora Lim')];
  const [blocked, admin] = [await join('Dan Ocampo'), await join('Eve Santos', ['admin'])];
  await insertBlock(database, owner, blocked);
  return { owner, party, other, blocked, admin };
}

/** One permissionCase for each collection; a new one fails to compile until it is added here. */
export async function permissionCases(
  database: Database,
  { owner, party, other }: People,
): Promise<Record<CollectionId, PermissionCase>> {
  const insertPost = async () => {
    const id = newId();
    await database.insert(posts).values({ id, creatorId: owner.profileId, caption: 'Hello', usedDp: true });
    return id;
  };
  const compositeId = (id: string) => owner.profileId.slice(0, 8) + id.slice(0, 8);
  /** A request of a client for a creator's plan. */
  const insertRequest = async (
    creator: TestMember,
    client: TestMember,
    state: Partial<typeof interactions.$inferInsert> = {},
  ) => {
    const planId = await insertPlan(database, creator);
    return insertInteraction(
      database,
      { creator, client, planId },
      { paidAt: nowDate(), referenceNumber: newReferenceNumber(), ...state },
    );
  };
  const insertReview = async () => {
    const id = newId();
    const interactionId = await insertRequest(party, owner, confirmed);
    const [request] = await database.select().from(interactions).where(eq(interactions.id, interactionId));
    await database.insert(reviews).values({
      ...{ id, interactionId, planId: request?.planId ?? '', caption: 'Nice', stars: 8 },
      ...{ creatorId: owner.profileId, ownerId: party.profileId },
    });
    return id;
  };
  const insertReceipt = async () => {
    const interactionId = await insertRequest(owner, party);
    const id = receiptIdOf(owner.profileId, party.profileId, newReferenceNumber());
    await database.transaction(async (transaction) => {
      await transaction.insert(receipts).values({
        ...{ id, interactionId, creatorId: owner.profileId, clientId: party.profileId },
        ...{ creatorAccountId: owner.accountId, clientAccountId: party.accountId },
      });
      await openChat(transaction, {
        ...{ id, kind: 'receipt', expiresAt: null, awaitsId: null },
        first: { id: owner.profileId, accountId: owner.accountId },
        second: { id: party.profileId, accountId: party.accountId },
      });
    });
    return id;
  };
  const insertMessage = async (chatId: string) => {
    const message = { chatId, userId: owner.profileId, name: 'Ana Cruz', body: 'Hello', picture: null };
    const [outcome] = await messageStore(database)([{ ...message, replyTo: null, clientKey: newId() }]);
    if (outcome?.state !== 'stored') throw new Error('The message is not stored.');
    return outcome.id;
  };
  const identityForm = async ({ accountId: ownerAccountId }: TestMember) => {
    const picture = () =>
      insertPicture(database, { ownerAccountId, bucket: 'verificationFiles', variants: [] });
    const pictures = { idFrontId: await picture(), idBackId: await picture(), photoId: await picture() };
    return { ...pictures, address: '1 Mabini Street, Cebu' };
  };
  const verifyAll = () => database.update(profiles).set({ verified: true });
  /** Nobody is verified, and nobody asked to be. */
  const forgetVerifications = async () => {
    await database.delete(verifications);
    await database.update(profiles).set({ verified: null, sentVerifiedReq: false });
  };
  const insertComment = async () => {
    const [id, reviewId] = [newId(), await insertReview()];
    const comment = { id, reviewId, creatorId: owner.profileId, clientKey: newId(), body: 'Hello' };
    await database.insert(reviewComments).values(comment);
    return id;
  };
  let { id: conversationId } = await insertConversation(database, owner, party);
  const receiptId = await insertReceipt();
  await insertMessage(conversationId);
  await insertMessage(receiptId);
  const [ownPost, ownReview] = [await insertPost(), await insertReview()];
  const unsending = { body: 'message unsent' };

  return {
    users: {
      insert: async () => {
        await database.update(profiles).set({ hobby: '' }).where(eq(profiles.id, owner.profileId));
        return owner.profileId;
      },
      create: async ({ profileId }) => {
        await database.update(profiles).set({ username: 'User025' }).where(eq(profiles.id, profileId));
        return { username: 'newcomer' };
      },
      update: { hobby: 'chess' },
    },
    posts: {
      insert: () => insertPost(),
      create: async () => ({ caption: 'Hello' }),
      update: { caption: 'Changed' },
    },
    likedPosts: {
      insert: async () => {
        const postId = await insertPost();
        const like = { id: compositeId(postId), whoLiked: owner.profileId, postId };
        await database.insert(postLikes).values(like);
        return like.id;
      },
      create: async () => ({ postId: ownPost }),
      update: { postId: 'another' },
    },
    saves: {
      insert: async () => {
        const postId = await insertPost();
        const save = { id: compositeId(postId), userId: owner.profileId, postId };
        await database.insert(saves).values(save);
        return save.id;
      },
      create: async () => ({ postId: await insertPost() }),
      update: { postId: 'another' },
    },
    plans: {
      insert: () => insertPlan(database, owner),
      create: async ({ accountId: ownerAccountId }) => {
        await verifyAll();
        const imageId = await insertPicture(database, { ownerAccountId });
        return { title: 'Coffee', desc: 'An hour.', time: '3 pm', price: 250, terms, imageId };
      },
      update: { title: 'Tea' },
    },
    planInteractions: {
      insert: () => insertRequest(owner, party),
      create: async () => {
        await verifyAll();
        return { planId: await insertPlan(database, owner) };
      },
      update: { cardDown: true },
    },
    conversationReceipts: {
      insert: insertReceipt,
      create: async () => ({ interactionId: await insertRequest(owner, party) }),
      update: { read: 1 },
      change: async (create) =>
        create('conversationReceipts', { interactionId: await insertRequest(owner, party) }),
    },
    chatReceipts: {
      insert: () => insertMessage(receiptId),
      create: async () => ({ conversationReceiptId: receiptId, body: 'Hello' }),
      update: unsending,
    },
    conversations: {
      insert: async () => conversationId,
      create: async ({ profileId }) => ({ creators: [profileId, owner.profileId] }),
      update: { read: 1 },
      change: async (create) => {
        await database.delete(chats).where(eq(chats.id, conversationId));
        await database.delete(conversations).where(eq(conversations.id, conversationId));
        conversationId = await create('conversations', { creators: [party.profileId, owner.profileId] });
        return conversationId;
      },
    },
    chats: {
      insert: () => insertMessage(conversationId),
      create: async () => ({ convoId: conversationId, body: 'Hello' }),
      update: unsending,
    },
    conversationOwners: {
      insert: async () => owner.profileId,
      create: async () => ({ conversations: [] }),
      update: { conversations: [] },
      change: async (create) => {
        await create('chats', { convoId: conversationId, body: 'Hello' });
        return owner.profileId;
      },
    },
    verifying: {
      insert: async () => {
        await forgetVerifications();
        const id = newId();
        const row = { id, userId: owner.profileId, address: '1 Mabini Street, Cebu' };
        await database.insert(verifications).values(row);
        return id;
      },
      create: async (who) => {
        await forgetVerifications();
        return identityForm(who);
      },
      update: { valid: true },
    },
    reviews: {
      insert: insertReview,
      create: async () => ({
        ...{ interactionId: await insertRequest(party, owner, confirmed), caption: 'Nice' },
        ...{ location: '', stars: 9 },
      }),
      update: { caption: 'Changed' },
    },
    likedReviews: {
      insert: async () => {
        const reviewId = await insertReview();
        const like = { id: compositeId(reviewId), whoLiked: owner.profileId, reviewId };
        await database.insert(reviewLikes).values(like);
        return like.id;
      },
      create: async () => ({ reviewId: ownReview }),
      update: { reviewId: 'another' },
    },
    reviewComments: {
      insert: insertComment,
      create: async () => ({ reviewId: ownReview, body: 'Hello' }),
      update: { body: 'Changed' },
    },
    friendLists: {
      insert: async () => {
        const friendship = { ownerId: owner.profileId, friendId: other.profileId };
        await database.insert(friends).values(friendship).onConflictDoNothing();
        return owner.profileId;
      },
      create: async () => ({ friends: [] }),
      update: { friends: [] },
    },
  };
}
