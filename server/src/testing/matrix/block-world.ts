import { nowDate } from '@tara/contract/clock';
import { type BucketId, files } from '@tara/contract/files';
import { callUrl } from '@tara/contract/url';
import { eq, inArray } from 'drizzle-orm';
import { attachFile, files as fileRows } from '../../features/files/index.ts';
import { interactions } from '../../features/interactions/index.ts';
import { chats, openChat, rebuildEntries } from '../../features/messages/index.ts';
import { messageStore } from '../../features/messages/store.ts';
import { notify } from '../../features/notifications/index.ts';
import { plans } from '../../features/plans/index.ts';
import { postLikes, posts, saves } from '../../features/posts/tables.ts';
import { friends, profiles } from '../../features/profiles/tables.ts';
import { publicLinks } from '../../features/public-links/index.ts';
import { receipts } from '../../features/receipts/index.ts';
import { receiptIdOf } from '../../features/receipts/open.ts';
import { reviewComments, reviewLikes, reviews } from '../../features/reviews/tables.ts';
import type { Database } from '../../platform/database/connect.ts';
import { newId, newReferenceNumber } from '../../platform/ids.ts';
import { insertConversation } from '../features/conversations.ts';
import { insertPicture, pictureBytes } from '../features/pictures.ts';
import { addMember, type TestMember } from '../features/sessions.ts';

/** A member, the words that are in everything they made, and the ids of it. */
export interface WorldMember extends TestMember {
  /** Part of every text of theirs. */
  word: string;
  name: string;
  postId: string;
  planId: string;
  planTitle: string;
  /** A review by the member about the third, and a comment on a review by the third. */
  reviewId: string;
  commentId: string;
  /** Id of the picture that the member sent in the conversation of the two. */
  chatPictureId: string;
  /** Ids that lead to the member, or to what they made, of which the other sees nothing. */
  ids: string[];
  /** Texts of posts, comments and reviews, which a mute hides. */
  content: string[];
}

/** Two members who have to do with each other in every way, and a third. */
export interface BlockWorld {
  ana: WorldMember;
  ben: WorldMember;
  cora: WorldMember;
  /** Ids of requests and chats between the two, open and ended: they stay reachable as far as §6 says. */
  shared: {
    interactionIds: string[];
    receiptIds: string[];
    /** Their conversation, with its pair key. */
    conversation: { id: string; mixId: string };
    /** Each one's message in it, by the word. */
    messageIds: Record<string, string>;
  };
  /** The conversation of each of the two with the third, by the word. */
  conversationIds: Record<string, string>;
}

const ended = () => {
  const at = nowDate();
  return { acceptedAt: at, userSetDoneAt: at, adminSetDoneAt: at, completedAt: at, reviewSubmitted: true };
};

/** Uploads a picture as a member, or as nobody, to a running server. `more` are further fields of the form. */
export async function sendPicture(
  url: string,
  secret: string | null,
  bucketId: BucketId,
  more: Record<string, string | string[]> = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(more))
    for (const one of [value].flat()) form.append(Array.isArray(value) ? `${name}[]` : name, one);
  form.set('fileId', 'unique()');
  form.set('file', new Blob([new Uint8Array(await pictureBytes())], { type: 'image/jpeg' }), 'photo.jpg');
  const path = callUrl(files.create, { params: { bucketId } });
  const headers: Record<string, string> = secret === null ? {} : { 'x-appwrite-session': secret };
  return fetch(url + path, { method: 'POST', headers, body: form });
}

/** The id of a picture that a member uploads. */
export async function upload(
  url: string,
  { secret }: TestMember,
  bucketId: BucketId = 'images',
): Promise<string> {
  const reply = await sendPicture(url, secret, bucketId);
  if (!reply.ok) throw new Error(await reply.text());
  const { $id } = (await reply.json()) as { $id: string };
  return $id;
}

/** Fills the database of a running server. */
export async function blockWorld(database: Database, url: string): Promise<BlockWorld> {
  const shared: BlockWorld['shared'] = {
    ...{ interactionIds: [], receiptIds: [], messageIds: {} },
    conversation: { id: '', mixId: '' },
  };
  const conversationIds: BlockWorld['conversationIds'] = {};

  async function join(word: string): Promise<WorldMember> {
    const name = `${word} Reyes`;
    const member = await addMember({ database }, { name, username: `${word}user` });
    const [face, photo] = [await upload(url, member), await upload(url, member)];
    const cover = await insertPicture(database, { ownerAccountId: member.accountId, usedAt: nowDate() });
    const [postId, planId, planTitle] = [newId(), newId(), `${word} plan`];
    const isNew = inArray(fileRows.id, [face, photo]);
    await database.update(fileRows).set({ usedAt: nowDate() }).where(isNew);
    const about = { bio: `${word} bio`, hobby: `${word}hobby`, education: `${word} school` };
    await database
      .update(profiles)
      .set({ ...about, lookingFor: `${word} looks`, imageId: face, verified: true })
      .where(eq(profiles.id, member.profileId));
    const creatorId = member.profileId;
    await database.insert(posts).values({
      ...{ id: postId, creatorId, imageId: photo, caption: `${word}caption`, location: `${word}place` },
      tags: [`${word}tag`],
    });
    await database.insert(plans).values({
      ...{ id: planId, creatorId, imageId: cover, title: planTitle, description: `${word} desc` },
      ...{ priceCentavos: 0, terms: `${word} terms of a public place` },
    });
    await database.insert(publicLinks).values({ id: `${word}link`, profileId: creatorId, planId });
    const ids = [member.profileId, member.accountId, face, photo, cover, postId];
    const content = [`${word}caption`];
    const records = { postId, planId, planTitle, reviewId: newId(), commentId: '', chatPictureId: '' };
    return { ...member, word, name, ...records, ids, content };
  }

  /** A request of a client for a creator's plan; an ended one has a review. */
  async function request(client: WorldMember, creator: WorldMember, open: boolean): Promise<string> {
    const id = newId();
    const referenceNumber = newReferenceNumber();
    const parties = { creatorId: creator.profileId, clientId: client.profileId };
    await database.insert(interactions).values({
      ...{ id, planId: creator.planId, planTitle: creator.planTitle, priceCentavos: 0, referenceNumber },
      ...{ paidAt: nowDate(), ...parties, ...(open ? {} : ended()) },
    });
    const receiptId = receiptIdOf(creator.profileId, client.profileId, referenceNumber);
    await database.insert(receipts).values({
      ...{ id: receiptId, interactionId: id, ...parties },
      ...{ creatorAccountId: creator.accountId, clientAccountId: client.accountId },
    });
    await database.transaction((transaction) =>
      openChat(transaction, {
        ...{ id: receiptId, kind: 'receipt', expiresAt: null, awaitsId: null },
        first: { id: creator.profileId, accountId: creator.accountId },
        second: { id: client.profileId, accountId: client.accountId },
      }),
    );
    await talk(receiptId, [client, creator]);
    if (!open) await database.update(chats).set({ closedAt: nowDate() }).where(eq(chats.id, receiptId));
    if (!open) {
      const caption = `${client.word}review`;
      const reviewId = creator.word === 'cora_x' ? client.reviewId : newId();
      await database.insert(reviews).values({
        ...{ id: reviewId, interactionId: id, creatorId: client.profileId, ownerId: creator.profileId },
        ...{ planId: creator.planId, caption, stars: 8 },
      });
      client.ids.push(reviewId);
      client.content.push(caption);
      if (client.word === 'cora_x') await commentOn(reviewId);
    }
    const isShared = ![client, creator].some(({ word }) => word === 'cora_x');
    if (isShared) {
      shared.interactionIds.push(id);
      shared.receiptIds.push(receiptId);
      await database.transaction(async (transaction) => {
        await notify(transaction, { event: 'accepted', interactionId: id, to: ['client', 'creator'] });
        await notify(transaction, {
          ...{ event: 'review', to: { profileId: creator.profileId } },
          ...{ recordId: id, actorId: client.profileId, details: { title: creator.planTitle } },
        });
      });
    }
    return id;
  }

  /** A message of each of the two in their chat, which their lists show; returns the ids. */
  async function talk(chatId: string, [one, other]: [WorldMember, WorldMember]): Promise<string[]> {
    const drafts = [one, other].map(({ profileId, name, word }) => ({
      ...{ chatId, userId: profileId, name, body: `${word} message` },
      ...{ picture: null, replyTo: null, clientKey: newId() },
    }));
    const outcomes = await messageStore(database)(drafts);
    await rebuildEntries(database);
    return outcomes.map((outcome) => (outcome.state === 'stored' ? outcome.id : ''));
  }

  /** A picture in a chat, which only its two members may see. */
  async function sendChatPicture(chatId: string, writer: WorldMember, readers: string[]): Promise<void> {
    const id = await upload(url, writer, 'messageFiles');
    const { profileId: userId, accountId: ownerAccountId, name } = writer;
    await database.transaction(async (transaction) => {
      const picture = await attachFile(transaction, { id, ownerAccountId, bucket: 'messageFiles', readers });
      await messageStore(transaction)([
        { chatId, userId, name, body: '', picture, replyTo: null, clientKey: newId() },
      ]);
    });
    writer.chatPictureId = id;
    writer.ids.push(id);
  }

  /** A comment of each of the two on a review by the third. */
  async function commentOn(reviewId: string): Promise<void> {
    for (const writer of [ana, ben]) {
      const body = `${writer.word}comment`;
      writer.commentId = newId();
      await database.insert(reviewComments).values({
        ...{ id: writer.commentId, reviewId, creatorId: writer.profileId, clientKey: newId(), body },
      });
      writer.ids.push(writer.commentId);
      writer.content.push(body);
    }
  }

  /** A comment of the third on a review by one of the two: who does not see the review sees no comment on it. */
  async function commentOnReviewBy(writer: WorldMember): Promise<void> {
    const id = newId();
    await database.insert(reviewComments).values({
      ...{ id, reviewId: writer.reviewId, creatorId: cora.profileId, clientKey: newId() },
      body: `${cora.word}comment on a review`,
    });
    writer.ids.push(id);
  }

  const [ana, ben, cora] = [await join('ana_x'), await join('ben_x'), await join('cora_x')];
  shared.conversation = await insertConversation(database, ana, ben);
  const [anas = '', bens = ''] = await talk(shared.conversation.id, [ana, ben]);
  shared.messageIds = { [ana.word]: anas, [ben.word]: bens };
  for (const one of [ana, ben])
    await sendChatPicture(shared.conversation.id, one, [ana.accountId, ben.accountId]);
  for (const one of [ana, ben]) {
    const other = one === ana ? ben : ana;
    const { id } = await insertConversation(database, one, cora);
    conversationIds[one.word] = id;
    await talk(id, [one, cora]);
    await request(one, other, true);
    await request(one, other, false);
    await request(one, cora, false);
    await commentOnReviewBy(one);
    await request(cora, one, false);
    const whoLiked = one.profileId;
    for (const { postId } of [ana, ben, cora]) {
      await database.insert(postLikes).values({ id: newId().slice(0, 16), whoLiked, postId });
      await database.insert(saves).values({ id: newId().slice(0, 16), userId: whoLiked, postId });
    }
    for (const friend of [other, cora])
      await database.insert(friends).values({ ownerId: one.profileId, friendId: friend.profileId });
  }
  for (const { profileId: whoLiked } of [ana, ben]) {
    for (const { reviewId } of [ana, ben])
      await database.insert(reviewLikes).values({ id: newId().slice(0, 16), whoLiked, reviewId });
  }
  return { ana, ben, cora, shared, conversationIds };
}
