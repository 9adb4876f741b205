import type { Interaction } from '@tara/contract/interactions/interactions';
import { and, eq, getTableColumns, getViewSelectedFields, isNull, type SQLWrapper, sql } from 'drizzle-orm';
import { alias, type PgColumn, QueryBuilder } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { noOwners } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns } from '../files/index.ts';
import { plans } from '../plans/index.ts';
import { announceFriends, personColumns, profiles } from '../profiles/index.ts';
import { hiddenName } from '../visibility/index.ts';
import { flagTimes, stateFlags } from './flags.ts';
import { interactionCan } from './policy.ts';
import { presentInteraction } from './present.ts';
import { interactionLinks, interactionMoney, interactions, meetingProposals } from './tables.ts';

const client = alias(profiles, 'client');
const clientPicture = alias(files, 'client_picture');
const creator = alias(profiles, 'creator');
const creatorPicture = alias(files, 'creator_picture');
const cover = alias(files, 'cover');

const { interactionId: _linkedId, ...linkColumns } = getViewSelectedFields(interactionLinks);

/** A profile of the outer statement's request: in a select of one table, drizzle names columns without their table. */
const outer = ({ name }: PgColumn) => sql`${interactions}.${sql.identifier(name)}`;
const clientId = outer(interactions.clientId);
const creatorId = outer(interactions.creatorId);

/** The plan chat and review of each request, and the names under which its parties are hidden from each other. */
const links = new QueryBuilder()
  .select({
    ...linkColumns,
    /** The client's name, when client and creator are hidden from each other. */
    hiddenClientName: hiddenName(creatorId, clientId).as('hidden_client_name'),
    hiddenCreatorName: hiddenName(clientId, creatorId).as('hidden_creator_name'),
  })
  .from(interactionLinks)
  .where(eq(interactionLinks.interactionId, interactions.id))
  .limit(1)
  .as('links');

const { interactionId: _interactionId, ...progressColumns } = getViewSelectedFields(interactionMoney);

/** How far the money of each request is, looked up by its id: joined, Postgres would read that of all requests. */
const progress = new QueryBuilder()
  .select(progressColumns)
  .from(interactionMoney)
  .where(eq(interactionMoney.interactionId, interactions.id))
  .limit(1)
  .as('progress');

const interactionColumns = {
  request: getTableColumns(interactions),
  client: personColumns(client),
  clientPicture: pictureColumns(clientPicture),
  creator: personColumns(creator),
  creatorPicture: pictureColumns(creatorPicture),
  /** Null once the creator's account is deleted. */
  cover: pictureColumns(cover),
  links: links._.selectedFields,
  state: stateFlags(links),
  flagTimes,
  readAt: sql`now()`.mapWith(interactions.createdAt),
  /** The open one. */
  proposal: getTableColumns(meetingProposals),
  progress: progress._.selectedFields,
};

const selectInteractions = (database: Database | Transaction) =>
  database
    .select(interactionColumns)
    .from(interactions)
    .innerJoin(client, eq(client.id, interactions.clientId))
    .innerJoin(creator, eq(creator.id, interactions.creatorId))
    .innerJoin(plans, eq(plans.id, interactions.planId))
    .leftJoin(
      meetingProposals,
      and(eq(meetingProposals.interactionId, interactions.id), isNull(meetingProposals.answer)),
    )
    .innerJoinLateral(progress, sql`true`)
    .innerJoinLateral(links, sql`true`)
    .leftJoin(cover, eq(cover.id, plans.imageId))
    .leftJoin(clientPicture, eq(clientPicture.id, client.imageId))
    .leftJoin(creatorPicture, eq(creatorPicture.id, creator.imageId))
    .$dynamic();

/**
 * Requests with both parties, their pictures, the open proposal, the cover, and the ids of receipt and review, in one
 * statement. Their ids are read first, as an array: a condition on the joined rows would be planned as one on all of them.
 * @param ids a query of the ids of one page.
 */
export const selectInteractionsById = (database: Database | Transaction, ids: SQLWrapper) =>
  selectInteractions(database).where(sql`${interactions.id} = any(array(${ids}))`);

/** A request with what is joined to it. */
export type InteractionRow = Awaited<ReturnType<typeof selectInteractions>>[number];

/** One request, or null. What its reader may see of it is the policy's and the presenter's business. */
export async function findInteraction(
  database: Database | Transaction,
  id: string,
): Promise<InteractionRow | null> {
  const [row] = await selectInteractions(database).where(eq(interactions.id, id));
  return row ?? null;
}

type Reader = Pick<Viewer, 'accountId' | 'admin'>;

/** @throws Problem `interaction_not_found`, also for one that the viewer may not know of. */
export async function requireInteraction(
  database: Database,
  viewer: Reader,
  id: string,
): Promise<InteractionRow> {
  const row = await findInteraction(database, id);
  const readable =
    row &&
    interactionCan.read(viewer, {
      clientAccountId: row.client.accountId,
      creatorAccountId: row.creator.accountId,
    });
  if (!readable) throw new Problem('interaction_not_found');
  return row;
}

/** One request as the viewer may see it. @throws Problem `interaction_not_found`. */
export async function readInteraction(database: Database, viewer: Reader, id: string): Promise<Interaction> {
  return presentInteraction(await requireInteraction(database, viewer, id), viewer.accountId);
}

type AnnounceContext = Pick<Platform, 'database' | 'bus'>;

/**
 * Announces a change to both parties, each as they may see the request (only the client gets the checkout's address).
 * Call it after the commit; returns the request as it is now.
 */
export async function announceInteraction(
  { database, bus }: AnnounceContext,
  id: string,
  change: 'create' | 'update' = 'update',
): Promise<InteractionRow | null> {
  const row = await findInteraction(database, id);
  if (!row) return null;
  for (const accountId of new Set([row.client.accountId, row.creator.accountId])) {
    bus.publish('document', {
      collection: 'planInteractions',
      id,
      change,
      document: { ...presentInteraction(row, accountId) },
      audience: [accountId],
      owners: noOwners,
    });
  }
  return row;
}

/** Announces to both parties that the acceptance made them friends. */
export const announceFriendship = (bus: Platform['bus'], { client, creator }: InteractionRow): void =>
  announceFriends(
    bus,
    [client, creator].map(({ id, accountId }) => ({ profileId: id, accountId })),
  );
