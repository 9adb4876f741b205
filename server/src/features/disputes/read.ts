import { disputeMessagesOffered } from '@tara/contract/limits';
import type {
  Dispute,
  DisputedRequest,
  DisputeMessage,
  OfferedMessages,
  RequestDecision,
  Story,
} from '@tara/contract/money/disputes';
import { pesos } from '@tara/contract/plans/plans';
import { and, eq, getTableColumns, inArray, type SQLWrapper, sql } from 'drizzle-orm';
import { jsonObject } from '../../platform/database/columns.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { type PictureRow, picturesOf, presentPicture } from '../files/index.ts';
import {
  interactions,
  presentInteraction,
  requestDecisions,
  requireInteraction,
} from '../interactions/index.ts';
import { listOwnTexts } from '../messages/index.ts';
import { disputeMessages, disputePhotos, disputes } from './tables.ts';

/** The photos of one side, in their order. */
const photosBy = (profileId: SQLWrapper) =>
  picturesOf(
    disputePhotos,
    and(eq(disputePhotos.interactionId, disputes.interactionId), eq(disputePhotos.profileId, profileId)),
  );

const messageColumns = {
  id: disputeMessages.messageId,
  text: disputeMessages.body,
  sentAt: disputeMessages.sentAt,
};

/** The messages that one side added, oldest first. */
const messagesBy = (profileId: SQLWrapper) => sql<DisputeMessage[]>`(
  select coalesce(json_agg(${jsonObject(messageColumns)} order by ${disputeMessages.position}), '[]')
  from ${disputeMessages}
  where ${and(eq(disputeMessages.interactionId, disputes.interactionId), eq(disputeMessages.profileId, profileId))})`;

interface Side {
  text: string;
  photos: readonly PictureRow[];
  messages: readonly DisputeMessage[];
  createdAt: Date;
}

const presentSide = ({ text, photos, messages, createdAt }: Side): Story => ({
  text,
  photos: photos.map(presentPicture),
  messages: messages.map(({ id, text, sentAt }) => ({ id, text, sentAt: new Date(sentAt).toISOString() })),
  createdAt: createdAt.toISOString(),
});

/** The disputes about requests, by the request's id: both stories with what was added to them, in one statement. */
export async function findDisputes(
  database: Database,
  interactionIds: readonly string[],
): Promise<Map<string, Dispute>> {
  if (interactionIds.length === 0) return new Map();
  const rows = await database
    .select({
      dispute: getTableColumns(disputes),
      clientPhotos: photosBy(interactions.clientId).as('client_photos'),
      creatorPhotos: photosBy(interactions.creatorId).as('creator_photos'),
      clientMessages: messagesBy(interactions.clientId).as('client_messages'),
      creatorMessages: messagesBy(interactions.creatorId).as('creator_messages'),
    })
    .from(disputes)
    .innerJoin(interactions, eq(interactions.id, disputes.interactionId))
    .where(inArray(disputes.interactionId, [...interactionIds]));
  return new Map(
    rows.map(({ dispute: { interactionId, ...dispute }, ...row }) => [
      interactionId,
      {
        reason: dispute.reason,
        client: presentSide({
          ...{ text: dispute.story, photos: row.clientPhotos, messages: row.clientMessages },
          createdAt: dispute.createdAt,
        }),
        creator:
          dispute.answeredAt === null
            ? null
            : presentSide({
                ...{ text: dispute.answer ?? '', photos: row.creatorPhotos, messages: row.creatorMessages },
                createdAt: dispute.answeredAt,
              }),
      },
    ]),
  );
}

/** How the money of a request was decided; null while it is not, or went its usual way. */
async function findDecision(
  database: Database,
  interactionId: string,
  priceCentavos: number,
): Promise<RequestDecision | null> {
  const [row] = await database
    .select()
    .from(requestDecisions)
    .where(eq(requestDecisions.interactionId, interactionId));
  if (!row) return null;
  return {
    outcome: row.outcome,
    released: pesos(priceCentavos - row.refundCentavos),
    refunded: pesos(row.refundCentavos),
    note: row.note,
    createdAt: row.createdAt.toISOString(),
  };
}

/** A request with its dispute and decision, for its parties and admins. @throws Problem `interaction_not_found` */
export async function readDispute(
  database: Database,
  viewer: Viewer,
  interactionId: string,
): Promise<DisputedRequest> {
  const row = await requireInteraction(database, viewer, interactionId);
  const [disputes, decision] = await Promise.all([
    findDisputes(database, [interactionId]),
    findDecision(database, interactionId, row.request.priceCentavos),
  ]);
  return {
    request: presentInteraction(row, viewer.accountId),
    dispute: disputes.get(interactionId) ?? null,
    decision,
  };
}

/**
 * The messages that a party can add to a dispute about a request: their own newest texts of its plan chat. None while they can neither
 * open nor answer one. @throws Problem `interaction_not_found`
 */
export async function listOwnMessages(
  database: Database,
  viewer: Viewer,
  interactionId: string,
): Promise<OfferedMessages> {
  const row = await requireInteraction(database, viewer, interactionId);
  const { can } = presentInteraction(row, viewer.accountId);
  const { receiptId } = row.links;
  if (receiptId === null || (can.dispute !== true && can.answerDispute !== true))
    return { items: [], hasMore: false };
  const texts = await listOwnTexts(database, viewer, receiptId, { newest: disputeMessagesOffered + 1 });
  const items = texts.slice(0, disputeMessagesOffered);
  return {
    items: items.map(({ sentAt, ...text }) => ({ ...text, sentAt: sentAt.toISOString() })),
    hasMore: texts.length > items.length,
  };
}
