import { callUrl } from '@tara/contract/url';
import { type CollectionId, documents } from '@tara/contract/wire/documents';
import { eq } from 'drizzle-orm';
import { announceFile } from '../../backend/storage/file-replies.ts';
import { files } from '../../features/files/tables.ts';
import { announceInteraction } from '../../features/interactions/index.ts';
import { messages } from '../../features/messages/index.ts';
import { announceProfileChange } from '../../features/profiles/index.ts';
import {
  announceRemovedComment,
  announceRemovedReview,
  removeComment,
  removeReview,
  reviewComments,
} from '../../features/reviews/index.ts';
import { announceRequest } from '../../features/verification/requests.ts';
import { verifications } from '../../features/verification/tables.ts';
import { wholeRow } from '../../platform/database/columns.ts';
import { lastRow } from '../../platform/documents.ts';
import { newId } from '../../platform/ids.ts';
import type { openRoads, Person } from './exit-roads.ts';

type Roads = Awaited<ReturnType<typeof openRoads>>;
type Listener = Awaited<ReturnType<Roads['listen']>>;

/** What people do with the marked records, so that every kind of change of each is announced. */
export function exitActs({ world, platform, ask }: Roads, listener: Listener) {
  const { owner, party, ids, parameters } = world;
  const { other = null } = world.people;
  const { database } = platform;
  const [postId = '', theirPostId = ''] = ids.post ?? [];
  const [reviewId = ''] = ids.review ?? [];
  const [planId = ''] = ids.plan ?? [];
  const chatIds = parameters.chatId ?? [];

  const hundred = encodeURIComponent('{"method":"limit","values":[100]}');
  const documentPath = (collectionId: CollectionId, documentId: string) =>
    callUrl(documents.get, { params: { databaseId: 'tara', collectionId, documentId } });

  /** Writes a field of a document as it is. */
  async function rewrite(who: Person, path: string, field: string) {
    const { text, ok } = await ask(who, 'GET', path);
    if (ok) await ask(who, 'PATCH', path, { data: { [field]: JSON.parse(text)[field] } });
  }

  /** Sends what is in the chat already, reads it on the other side, and takes it back. */
  async function talk(chatId: string, isConversation: boolean): Promise<void> {
    const [{ body = '' } = {}] = await database
      .select({ body: messages.body })
      .from(messages)
      .where(eq(messages.chatId, chatId))
      .limit(1);
    for (const [who, name] of [
      [owner, 'owner'],
      [party, 'party'],
    ] as const) {
      listener.type(name, chatId);
      const reply = isConversation
        ? await ask(who, 'POST', '/api/message/sendMessage', { convoId: chatId, body, clientKey: newId() })
        : await ask(who, 'POST', '/api/plan/sendMessage', {
            ...{ conversation: chatId, message: body, clientKey: newId() },
          });
      for (const reader of [owner, party])
        await ask(reader, 'POST', '/api/chat/mark', { chatId, delivered: 1000, read: 1000 });
      if (reply.ok)
        await ask(who, 'POST', '/api/chat/unsend', { chatId, messageId: JSON.parse(reply.text).id });
    }
  }

  /** Somebody new writes to the owner, who accepts. */
  async function meet(who: Person): Promise<void> {
    const pair = { creator1: who?.profileId, creator2: owner.profileId };
    const { text, ok } = await ask(who, 'POST', '/api/message/createConversation', pair);
    if (!ok) return;
    const { id: convoId } = JSON.parse(text);
    await ask(who, 'POST', '/api/message/sendMessage', { convoId, body: 'Hi', clientKey: newId() });
    await ask(owner, 'POST', '/api/message/answerRequest', { convoId, answer: 'accept' });
  }

  const ownFiles = () => database.select().from(files).where(eq(files.ownerAccountId, owner.accountId));

  return {
    /** Everything but what removes a record. */
    async touch(): Promise<void> {
      for (const { profileId } of [owner, party]) await announceProfileChange(platform, profileId);
      await rewrite(owner, documentPath('posts', postId), 'caption');
      await rewrite(owner, documentPath('plans', planId), 'title');
      await rewrite(owner, documentPath('reviews', reviewId), 'caption');
      for (const step of ['close', 'reopen']) await ask(owner, 'POST', `/api/plan/${step}`, { planId });
      for (const [who, id] of [
        [party, postId],
        [owner, theirPostId],
      ] as const)
        for (const step of ['unlike', 'like', 'unsave', 'save'])
          await ask(who, 'POST', `/api/post/${step}`, {
            ...{ postId: id, ...(step.endsWith('like') ? { totalLikes: 1 } : {}) },
          });
      for (const step of ['unlike', 'like'])
        await ask(owner, 'POST', `/api/review/${step}`, { reviewId, totalLikes: 1 });
      for (const id of ids.request ?? []) {
        await announceInteraction(platform, id, 'create');
        await announceInteraction(platform, id);
      }
      for (const id of ids.verification ?? []) {
        const [row] = await database
          .select({ last: wholeRow(verifications) })
          .from(verifications)
          .where(eq(verifications.id, id));
        const last = lastRow(verifications, row?.last ?? {});
        for (const change of [
          { change: 'create' },
          { change: 'update' },
          { change: 'delete', last },
        ] as const)
          await announceRequest(platform, change, { id, userId: owner.profileId, valid: null });
      }
      for (const file of await ownFiles())
        for (const change of ['create', 'update', 'delete'] as const) announceFile(platform, change, file);
      const { text } = await ask(owner, 'GET', '/v1/account/prefs');
      await ask(owner, 'PATCH', '/v1/account/prefs', { prefs: JSON.parse(text) });
      platform.bus.publish('viewerChanged', owner);
      await meet(other);
      for (const [index, chatId] of chatIds.entries()) await talk(chatId, index === 0);
    },
    /** Deletes what can be deleted. */
    async remove(): Promise<void> {
      for (const collectionId of ['likedPosts', 'saves', 'likedReviews'] as const) {
        const list = callUrl(documents.list, { params: { databaseId: 'tara', collectionId } });
        const { documents: rows } = JSON.parse(
          (await ask(owner, 'GET', `${list}?queries[0]=${hundred}`)).text,
        );
        for (const { $id } of rows) await ask(owner, 'DELETE', documentPath(collectionId, $id));
      }
      for (const { bucket, chosenId } of await ownFiles())
        await ask(owner, 'DELETE', `/v1/storage/buckets/${bucket}/files/${chosenId}`);
      await ask(owner, 'POST', '/api/profile/removeFriend', { friendId: party.profileId });
      // As an admin removes them.
      for (const { id } of await database.select().from(reviewComments)) {
        const removed = await database.transaction((transaction) => removeComment(transaction, id));
        if (removed) announceRemovedComment(platform.bus, removed);
      }
      const removed = await database.transaction((transaction) => removeReview(transaction, reviewId));
      if (removed) announceRemovedReview(platform.bus, removed);
      await ask(owner, 'POST', '/api/post/delete', { postId });
    },
  };
}
