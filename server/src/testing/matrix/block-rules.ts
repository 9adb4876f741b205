import type { Call } from '@tara/contract/calls';
import { nowMs } from '@tara/contract/clock';
import { z } from 'zod';
import type { BlockWorld, WorldMember } from './block-world.ts';

/** What stays of the other in a request between the two (§6): the name, the plan's title, and what was written. */
const request = ({ name, planTitle, planId, word }: WorldMember) => [
  name,
  encodeURIComponent(name),
  planTitle,
  encodeURIComponent(planTitle),
  planId,
  `${word} message`,
];

/** The pictures that Ben sent are seen by Ana, who blocked him; he does not see hers. */
const evidence = ({ word, chatPictureId }: WorldMember) => (word === 'ben_x' ? [chatPictureId] : []);

const conversation = (other: WorldMember) => [
  ...[other.name, encodeURIComponent(other.name), other.accountId, `${other.word} message`],
  ...evidence(other),
];

/** What a read may show of a blocked member. */
export const exceptions: Record<string, (other: WorldMember) => string[]> = {
  'interactions.interaction': request,
  'interactions.manager': request,
  'interactions.interactionList': request,
  // Both stories of a dispute stay readable to both parties.
  'disputes.get': request,
  'notifications.list': request,
  'receipts.receipt': request,
  'messages.list': (other) => [...request(other), ...evidence(other)],
  // The member who blocked reads what was written, under the name alone; the pair key is what they requested with.
  'conversations.conversation': conversation,
  'storage.get': (other) => evidence(other),
  'storage.view': (other) => evidence(other),
  'storage.download': (other) => evidence(other),
  'storage.preview': (other) => evidence(other),
  'documents.list planInteractions': request,
  'documents.get planInteractions': request,
  'documents.list conversationReceipts': request,
  'documents.get conversationReceipts': request,
  'documents.list chatReceipts': request,
  'documents.get chatReceipts': request,
  // As the conversation above: its messages have the pair key.
  'documents.get conversations': conversation,
  'documents.list chats': conversation,
  'documents.get chats': conversation,
  // The list from which a block is ended.
  'blocks.blocked': ({ profileId, name, accountId }) => [profileId, name, accountId],
};

type Write =
  /** Acts on the writer's own records alone, or on none. */
  | { kind: 'own' }
  /** What it answers when it is aimed at something of the other: a part of the reply. */
  | {
      kind: 'aimed';
      body: (other: WorldMember, reader: WorldMember, world: BlockWorld) => object;
      answer: string;
      /** Where it is sent, of a call whose path has parameters. */
      path?: (other: WorldMember) => string;
      permitted?: (other: WorldMember) => string[];
    };

const own: Write = { kind: 'own' };
const aimedAt = (answer: string, body: (other: WorldMember) => object): Write => ({
  kind: 'aimed',
  body,
  answer,
});
/** Of a write that needs one field alone: it is aimed at the other's record of that kind. */
const aims: Record<string, Write> = {
  postId: aimedAt('post_not_found', ({ postId }) => ({ postId })),
  planId: aimedAt('plan_not_found', ({ planId }) => ({ planId })),
  reviewId: aimedAt('review_not_found', ({ reviewId }) => ({ reviewId })),
  commentId: aimedAt('comment_not_found', ({ commentId }) => ({ commentId })),
};
/** Only who blocked still reaches the conversation of the two, to read it. */
const aimedAtConversation = (
  body: (conversation: BlockWorld['shared']['conversation']) => object,
): Write => ({
  kind: 'aimed',
  body: (_other, _reader, { shared }) => body(shared.conversation),
  answer: '',
});
const atPostDocument: Write = {
  kind: 'aimed',
  path: ({ postId }) => `/v1/databases/tara/collections/posts/documents/${postId}`,
  body: () => ({ data: { caption: 'Mine now' } }),
  answer: 'document_not_found',
};
const inAWeek = new Date(nowMs() + 7 * 86_400_000).toISOString();

/** A step of a request that is open between the two stays possible where its stage allows it. */
const step = (index: number, more: object = {}): Write => ({
  kind: 'aimed',
  body: (_other, _reader, { shared }) => ({ interactionId: shared.interactionIds[index], ...more }),
  answer: '',
  permitted: request,
});

/** Tables of one's own account, or of nobody's: their writes reach no other member, and their reads show none. */
export const ownTables: readonly string[] = [
  'account',
  'accountTokens',
  'oauth2',
  'accounts',
  'secondFactor',
  'personalData',
  'payments',
  'earnings',
  'devices',
  'notificationSettings',
  'unsubscribe',
];

/** Reads of one’s own settings, numbers and messages, and of totals, in tables that are not. */
export const ownReads: readonly string[] = [
  'conversations.settings',
  'counts.own',
  'disputes.ownMessages',
  'sharedPlans.own',
  'publicLinks.own',
  'verification.usualTime',
  'documents.list conversationOwners',
  'documents.get conversationOwners',
  'documents.list verifying',
  'documents.get verifying',
];

/** What its creator shows to guests, and so to blocked members as well (decision 0037). */
export const publicReads: readonly string[] = [
  'posts.sharedPicture',
  'sharedPlans.open',
  ...['publicLinks.invitation', 'publicLinks.plan', 'publicLinks.picture'],
];

/** Writes of the other tables of the contract whose fields do not say it. */
export const writes: Record<string, Write> = {
  'profiles.updateAbout': own,
  'profiles.updatePicture': own,
  'profiles.updateSharing': own,
  // One's own list, which shows nobody who is hidden.
  'profiles.removeFriend': own,
  // Blocking back is possible, and answers nothing of the other.
  'blocks.block': own,
  'blocks.unblock': own,
  'blocks.mute': aimedAt('profile_not_found', ({ profileId }) => ({ profileId })),
  'blocks.unmute': own,
  'posts.create': own,
  'posts.quick': own,
  'posts.update': aimedAt('post_not_found', ({ postId }) => ({
    postId,
    caption: '',
    location: '',
    tags: '',
  })),
  // One's own list, which shows nobody who is hidden.
  'posts.unsave': own,
  'files.create': own,
  'files.delete': own,
  'storage.update': own,
  // A like of the other's post.
  'documents.create': {
    kind: 'aimed',
    path: () => '/v1/databases/tara/collections/likedPosts/documents',
    body: ({ postId }) => ({ documentId: 'unique()', data: { postId } }),
    answer: '_not_found',
  },
  'documents.update': atPostDocument,
  'documents.delete': atPostDocument,
  'verification.send': own,
  'plans.create': own,
  // The answer holds nothing of the other.
  'sharedPlans.create': own,
  'sharedPlans.revoke': own,
  // One's own links; of another's plan there is none.
  'publicLinks.create': aimedAt('plan_not_found', ({ planId }) => ({ planId })),
  'publicLinks.revoke': own,
  'plans.update': aimedAt('plan_not_found', ({ planId }) => ({
    ...{ planId, title: 'Mine now', desc: '', time: '', durationMinutes: 60, place: '', price: 0 },
    ...{ terms: 'We meet in a public place.', imageId: 'cover', imageIds: [] },
  })),
  'interactions.acceptRequest': step(0),
  // Not the one whose chat is written in below.
  'interactions.cancelRequest': step(1),
  'interactions.proposeDay': step(0, { meetsAt: inAWeek, place: 'Luneta' }),
  'interactions.answerProposal': step(0, { proposalId: 'none', answer: 'agree' }),
  'interactions.sayMet': step(0),
  'interactions.markDone': step(0),
  'interactions.cardDown': step(0),
  'interactions.checkPayment': step(0),
  // One's own number, which only admins see besides.
  'interactions.setRefundNumber': own,
  'disputes.open': {
    kind: 'aimed',
    body: (_other, _reader, { shared }) => ({
      ...{ interactionId: shared.interactionIds[0], reason: 'absent', story: 'Nobody came.', imageIds: [] },
    }),
    answer: 'interaction_not_allowed',
    permitted: request,
  },
  'disputes.answer': {
    kind: 'aimed',
    body: (_other, _reader, { shared }) => ({
      ...{ interactionId: shared.interactionIds[0], story: 'I waited.', imageIds: [] },
    }),
    answer: 'interaction_not_allowed',
    permitted: request,
  },
  'receipts.createConversationReceipt': step(0),
  'receipts.sendMessage': {
    kind: 'aimed',
    // For a request that no earlier step ended.
    body: (_other, _reader, { shared }) => ({
      ...{ conversation: shared.receiptIds[2], message: 'Hello again', clientKey: 'after-the-block' },
    }),
    answer: 'chat_read_only',
  },
  'conversations.createConversation': {
    kind: 'aimed',
    body: (other, reader) => ({ creator1: reader.profileId, creator2: other.profileId }),
    answer: 'profile_not_found',
  },
  'conversations.sendMessage': {
    kind: 'aimed',
    body: (_other, _reader, { shared }) => ({
      ...{ convoId: shared.conversation.id, body: 'Hello again', clientKey: 'after-the-block' },
    }),
    answer: 'chat_read_only',
  },
  // Changes of one's own list and marks are not announced to the other.
  'conversations.markRead': aimedAtConversation(({ mixId }) => ({ mixId })),
  'conversations.deleteChat': aimedAtConversation(({ id }) => ({ convoId: id })),
  'conversations.answerRequest': aimedAtConversation(({ id }) => ({ convoId: id, answer: 'accept' })),
  'conversations.updateSettings': own,
  'notifications.markRead': own,
  'notifications.findRead': own,
  'notifications.markAllRead': own,
  'messages.mark': aimedAtConversation(({ id }) => ({ chatId: id, read: 2 })),
  'messages.unsend': {
    kind: 'aimed',
    body: ({ word }, _reader, { shared }) => ({
      ...{ chatId: shared.conversation.id, messageId: shared.messageIds[word] },
    }),
    answer: '_not_found',
  },
  // A report copies what its writer sees, and nothing that is hidden.
  'reports.create': aimedAt('report_record_not_found', ({ postId }) => ({
    ...{ kind: 'post', recordId: postId, reason: 'spam', detail: '' },
  })),
  'reviews.create': {
    kind: 'aimed',
    body: (_other, _reader, { shared }) => ({
      ...{ interactionId: shared.interactionIds[0], caption: 'Nice', location: '', stars: 8 },
    }),
    answer: 'type',
    permitted: request,
  },
  'reviews.update': aimedAt('review_not_found', ({ reviewId }) => ({
    ...{ reviewId, caption: 'Nice', location: '', stars: 8 },
  })),
  'reviews.createComment': aimedAt('review_not_found', ({ reviewId }) => ({
    ...{ reviewId, body: 'Hello again', clientKey: 'after-the-block' },
  })),
};

/** The rule of a write: its own, or by its fields; undefined for one that nobody classified. */
export function findRule(name: string, { body, path }: Call): Write | undefined {
  const known = writes[name];
  if (known !== undefined) return known;
  const takes = (value: object) => z.safeParse(body, value).success;
  const { shape } = body._zod.def as { shape?: object };
  if (!path.includes('/:') && (shape === undefined || Object.keys(shape).length === 0)) return own;
  return Object.entries(aims).find(([field]) => !takes({}) && takes({ [field]: 'none' }))?.[1];
}
