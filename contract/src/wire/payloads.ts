import * as z from 'zod/mini';
import type { Call, Schema } from '../calls.ts';

/**
 * Fields of §7's payloads that the server knows better: the session says who calls, the stored records say the rest
 * (decisions §2). They are accepted with any value and never read. This is the only place that decides it.
 *
 * `file` is a picture, which JSON cannot hold: it is uploaded first, and named by its id (decisions §1).
 */
export const ignoredFields: Readonly<Record<string, readonly string[]>> = {
  '/api/profile/updateAbout': ['userId'],
  '/api/verification/send': ['userId', 'accountId', 'idFront', 'idBack', 'photo'],
  '/api/post/create': ['userId', 'accountId', 'file'],
  '/api/post/update': ['userId', 'accountId', 'imageUrl', 'file'],
  '/api/post/quick': ['creator'],
  '/api/post/delete': ['imageId'],
  '/api/post/like': ['userId', 'totalLikes'],
  '/api/post/unlike': ['userId', 'likedId', 'totalLikes'],
  '/api/post/updateLikes': ['totalLikes'],
  '/api/post/save': ['userId'],
  '/api/review/create': ['userId', 'userAccountId', 'ownerId', 'planId', 'file'],
  '/api/review/createComment': ['creator', 'creatorId', 'creatorAccountId'],
  '/api/review/like': ['userId', 'totalLikes'],
  '/api/review/unlike': ['userId', 'likedId', 'totalLikes'],
  '/api/review/updateLikes': ['totalLikes'],
  '/api/plan/create': ['userId', 'totalPlan', 'imageCover', 'file'],
  '/api/plan/createInteraction': [
    ...['plan', 'planTitle', 'price', 'paid', 'paymentId', 'referenceNumber', 'checkoutUrl', 'webhookId'],
    ...['whoSentReq', 'creator', 'clientAccountId', 'creatorAccountId', 'conversationReceipt'],
  ],
  '/api/plan/createConversationReceipt': ['convoId', 'creatorAccountId', 'clientAccountId'],
  '/api/plan/sendMessage': ['name', 'userId', 'imageUrl', 'accountId1', 'accountId2'],
  '/api/message/createConversation': ['userId1', 'userId2'],
  '/api/message/sendMessage': [
    ...['creator', 'userId', 'conversation', 'imageUrl', 'accountId1', 'accountId2'],
  ],
  '/api/chat/unsend': ['imageId'],
  '/api/admin/confirmPlans': ['id', 'id2', 'creatorId', 'clientId'],
};

/** Accepts any value without reading it. */
const ignored = z.pipe(
  z.optional(z.unknown()),
  z.transform(() => undefined),
);

/** The same for a picture, which JSON writes as `{}`. A text could be the id of one, which would be lost. */
const unsentFile = z.pipe(
  z
    .optional(z.unknown())
    .check(
      z.refine(
        (file) => typeof file !== 'string' || file === '',
        'Upload the file first, and send its id instead.',
      ),
    ),
  z.transform(() => undefined),
);

const payloads = new WeakMap<Call, Schema>();

/** The schema of what a call accepts as its body: its own fields, and those of §7 that it ignores. */
export function payloadOf<C extends Call>(call: C): C['body'] {
  const names = ignoredFields[call.path];
  if (names === undefined) return call.body;
  const known = payloads.get(call);
  if (known) return known;
  const fields = Object.fromEntries(names.map((name) => [name, name === 'file' ? unsentFile : ignored]));
  const payload = z.pipe(
    // Each call of the table has an object as its body; `safeExtend` keeps its rules.
    z.safeExtend(call.body as z.ZodMiniObject, fields),
    // Nothing is left of them, so that a call can spread what it was sent.
    z.transform((sent) => Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)))),
  );
  payloads.set(call, payload);
  return payload;
}

/** `payloadOf`, for what was sent: without a field that is ignored, as from our own web, it is the call's own schema. */
export function payloadFor<C extends Call>(call: C, sent: unknown): C['body'] {
  const names = ignoredFields[call.path];
  const hasIgnored =
    typeof sent === 'object' && sent !== null && names?.some((name) => Object.hasOwn(sent, name));
  return hasIgnored ? payloadOf(call) : call.body;
}
