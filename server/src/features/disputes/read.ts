import type { Dispute, DisputedRequest, RequestDecision } from '@tara/contract/money/disputes';
import { pesos } from '@tara/contract/plans/plans';
import { and, eq, getTableColumns, inArray, type SQLWrapper } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { type PictureRow, picturesOf, presentPicture } from '../files/index.ts';
import {
  interactions,
  presentInteraction,
  requestDecisions,
  requireInteraction,
} from '../interactions/index.ts';
import { disputePhotos, disputes } from './tables.ts';

/** The photos of one side, in their order. */
const photosBy = (profileId: SQLWrapper) =>
  picturesOf(
    disputePhotos,
    and(eq(disputePhotos.interactionId, disputes.interactionId), eq(disputePhotos.profileId, profileId)),
  );

const presentSide = (text: string, photos: readonly PictureRow[], createdAt: Date) => ({
  text,
  photos: photos.map(presentPicture),
  createdAt: createdAt.toISOString(),
});

/** The disputes about requests, by the request's id: both stories with their photos, in one statement. */
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
    })
    .from(disputes)
    .innerJoin(interactions, eq(interactions.id, disputes.interactionId))
    .where(inArray(disputes.interactionId, [...interactionIds]));
  return new Map(
    rows.map(({ dispute: { interactionId, ...dispute }, clientPhotos, creatorPhotos }) => [
      interactionId,
      {
        reason: dispute.reason,
        client: presentSide(dispute.story, clientPhotos, dispute.createdAt),
        creator:
          dispute.answeredAt === null
            ? null
            : presentSide(dispute.answer ?? '', creatorPhotos, dispute.answeredAt),
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
