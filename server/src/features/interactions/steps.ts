import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { friends } from '../profiles/index.ts';
import { interactions } from './tables.ts';
import type { Transition } from './transition.ts';

const byCreator = (viewer: Viewer) => eq(interactions.creatorId, viewer.profileId);
const byClient = (viewer: Viewer) => eq(interactions.clientId, viewer.profileId);
const byEither = (viewer: Viewer) => or(byCreator(viewer), byClient(viewer));

/** The creator accepts, and the two become friends of each other (decisions §1, 'friend list'). */
export const accept: Transition = {
  may: 'accept',
  by: byCreator,
  when: isNull(interactions.acceptedAt),
  set: () => ({ acceptedAt: sql`now()` }),
  also: async (transaction, { creatorId, clientId }) => {
    await transaction
      .insert(friends)
      .values([
        { ownerId: creatorId, friendId: clientId },
        { ownerId: clientId, friendId: creatorId },
      ])
      .onConflictDoNothing();
  },
};

/** Either party cancels what is not paid; its payment link is closed by a job. */
export const cancel: Transition = {
  may: 'cancel',
  by: byEither,
  when: and(isNull(interactions.paidAt), isNull(interactions.userSetDoneAt)),
  set: (viewer) => ({ cancelledAt: sql`now()`, cancelledBy: viewer.profileId }),
  also: async (transaction, { id }) => {
    const payload = { interactionId: id };
    await enqueue(transaction, 'payments.archiveLink', payload, { key: `payments.archiveLink:${id}` });
  },
};

/** The client says 'Plan is fulfilled' (§4). */
export const fulfil: Transition = {
  may: 'fulfil',
  by: byClient,
  when: and(
    isNotNull(interactions.paidAt),
    isNotNull(interactions.acceptedAt),
    isNull(interactions.userSetDoneAt),
  ),
  set: () => ({ userSetDoneAt: sql`now()` }),
};

/** 'Put the card down' (§4). */
export const putCardDown: Transition = {
  may: 'putCardDown',
  by: byEither,
  when: eq(interactions.cardDown, false),
  set: () => ({ cardDown: true }),
};
