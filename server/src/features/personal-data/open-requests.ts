import type { OpenRequest } from '@tara/contract/personal-data';
import { openStages } from '@tara/contract/stages';
import { and, asc, eq, exists, gt, inArray, isNotNull, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { interactions } from '../interactions/index.ts';
import { payouts, refunds } from '../payments/index.ts';
import { profiles } from '../profiles/index.ts';
import { receipts } from '../receipts/index.ts';

const client = alias(profiles, 'client');
const creator = alias(profiles, 'creator');

/** A member's requests with money under way, oldest first: paid and not over, or money that did not arrive at them yet. */
export async function openRequests(
  database: Database | Transaction,
  profileId: string,
): Promise<OpenRequest[]> {
  const rows = await database
    .select({
      id: interactions.id,
      planTitle: interactions.planTitle,
      stage: interactions.stage,
      isCreator: sql<boolean>`${interactions.creatorId} = ${profileId}`,
      clientName: sql<string>`coalesce(${interactions.clientName}, ${client.name})`,
      creatorName: sql<string>`coalesce(${interactions.creatorName}, ${creator.name})`,
      receiptId: receipts.id,
    })
    .from(interactions)
    .innerJoin(client, eq(client.id, interactions.clientId))
    .innerJoin(creator, eq(creator.id, interactions.creatorId))
    .leftJoin(receipts, eq(receipts.interactionId, interactions.id))
    .where(
      and(
        gt(interactions.priceCentavos, 0),
        isNotNull(interactions.paidAt),
        or(eq(interactions.creatorId, profileId), eq(interactions.clientId, profileId)),
        or(
          inArray(interactions.stage, [...openStages]),
          // Also a part of a split, and a payment that came a second time.
          exists(
            sql`(select from ${payouts} where ${payouts.interactionId} = ${interactions.id}
              and ${payouts.recipientId} = ${profileId} and ${payouts.state} <> 'paid')`,
          ),
          and(
            eq(interactions.clientId, profileId),
            exists(
              sql`(select from ${refunds} where ${refunds.interactionId} = ${interactions.id}
                and ${refunds.state} <> 'refunded')`,
            ),
          ),
        ),
      ),
    )
    .orderBy(asc(interactions.createdAt), asc(interactions.id));
  return rows.map(({ isCreator, clientName, creatorName, ...request }) => ({
    ...request,
    otherName: isCreator ? clientName : creatorName,
  }));
}
