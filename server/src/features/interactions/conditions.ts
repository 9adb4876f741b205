import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Viewer } from '../../platform/http/viewer.ts';
import { interactions } from './tables.ts';

/**
 * Neither completed nor cancelled, as `openStages` says: by the columns of the partial indexes, which no condition on the
 * stage can use. Give the columns of an alias where there is one.
 */
export const isOpen = ({
  cancelledAt,
  completedAt,
}: Record<'cancelledAt' | 'completedAt', PgColumn> = interactions): SQL | undefined =>
  and(isNull(cancelledAt), isNull(completedAt));

/** The member is the client, and is the creator: each with an index. */
export const partySides = ({ profileId }: Pick<Viewer, 'profileId'>): SQL[] => [
  eq(interactions.clientId, profileId),
  eq(interactions.creatorId, profileId),
];

/** The member is the client or the creator. */
export const isParty = (viewer: Pick<Viewer, 'profileId'>): SQL | undefined => or(...partySides(viewer));

/** What the client paid. */
export const paidCentavos = sql<number>`case when ${interactions.paidAt} is null then 0
  else ${interactions.priceCentavos} end`;

/** What is stored when one of the two parties ends a request; the reasons are those of `endStep`. */
export const endByParty = ({ profileId }: Pick<Viewer, 'profileId'>) => ({
  cancelledAt: sql`now()`,
  cancelledBy: profileId,
  cancelReason: sql`case when ${interactions.clientId} = ${profileId} then 'withdrawn'
    when ${interactions.acceptedAt} is null then 'declined' else 'cancelled' end`,
});
