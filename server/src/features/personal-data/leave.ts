import type { OpenRequest } from '@tara/contract/accounts/personal-data';
import { nowMs } from '@tara/contract/clock';
import { accountDeletionDelayMs } from '@tara/contract/limits';
import { longDate } from '@tara/contract/philippine-time';
import { and, asc, eq, exists, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import {
  type AccountLimits,
  accounts,
  endSessions,
  lockOwnAccount,
  recordEvent,
  requirePassword,
  revokeEmailChanges,
  type Visit,
} from '../accounts/index.ts';
import {
  announceInteraction,
  endByParty,
  interactions,
  isOpen,
  isParty,
  isPlanChatReadable,
} from '../interactions/index.ts';
import { notify, renameGroups } from '../notifications/index.ts';
import { disbursements } from '../payments/index.ts';
import { profiles } from '../profiles/index.ts';
import { removePublicLinks } from '../public-links/index.ts';
import { receipts } from '../receipts/index.ts';
import { hiddenName } from '../visibility/index.ts';

type Context = Pick<Platform, 'database' | 'bus'>;

/**
 * Leaves by the account's password (§7), as `leave`.
 * @throws Problem `user_invalid_credentials` | `account_requests_open`
 */
export async function leaveByPassword(
  context: Context,
  viewer: Viewer,
  password: string,
  visit: Visit,
  limits: AccountLimits,
): Promise<Date> {
  await requirePassword(context.database, viewer, password, limits);
  return leave(context, viewer, visit);
}

/**
 * Begins the deletion of an account: the member is hidden at once, every session ends, and requests that hold no money
 * are cancelled. For 14 days it can be undone with `keepAccount`.
 * @throws Problem `account_requests_open`, naming the requests
 */
export async function leave(context: Context, viewer: Viewer, visit: Visit): Promise<Date> {
  const { database, bus } = context;
  const { deletesAt, cancelled } = await database.transaction(async (transaction) => {
    const account = await lockOwnAccount(transaction, viewer);
    if (account.deletesAt !== null) return { deletesAt: account.deletesAt, cancelled: [] };
    const cancelled = await cancelWithoutMoney(transaction, viewer);
    const open = await openRequests(transaction, viewer.profileId);
    if (open.length > 0) {
      const names = open.map(({ planTitle, otherName }) => `“${planTitle}” with ${otherName}`);
      throw new Problem('account_requests_open', { text: `finish them first: ${names.join(', ')}` });
    }
    const deletesAt = new Date(nowMs() + accountDeletionDelayMs);
    await transaction
      .update(accounts)
      .set({ deletesAt, updatedAt: sql`now()` })
      .where(eq(accounts.id, viewer.accountId));
    // Guests see shared posts and public links without any viewer to hide them from; a member who stays chooses again what to share.
    await transaction.update(profiles).set({ sharesPosts: false }).where(eq(profiles.id, viewer.profileId));
    await removePublicLinks(transaction, viewer.profileId);
    await renameGroups(transaction, { actorId: viewer.profileId });
    await endSessions(transaction, bus, viewer.accountId);
    await revokeEmailChanges(transaction, viewer.accountId);
    await recordEvent(transaction, viewer.accountId, 'user.delete', visit);
    await notify(transaction, {
      event: 'leaving',
      to: { accountId: viewer.accountId },
      occasion: deletesAt.toISOString(),
      details: { on: longDate(deletesAt) },
    });
    return { deletesAt, cancelled };
  });
  const { accountId } = viewer;
  bus.publish('viewersChanged', { accountId });
  bus.publish('chatsChanged', { accountId, otherAccountId: null, hides: true });
  for (const id of cancelled) await announceInteraction(context, id);
  return deletesAt;
}

/** Cancels a member's open requests that hold no money, not paid or free, and notifies the other sides. Returns their ids. */
async function cancelWithoutMoney(transaction: Transaction, viewer: Viewer): Promise<string[]> {
  const holdsNoMoney = and(
    or(eq(interactions.priceCentavos, 0), isNull(interactions.paidAt)),
    isOpen(),
    isParty(viewer),
  );
  const rows = await transaction
    .update(interactions)
    .set({
      ...endByParty(viewer),
      updatedAt: sql`now()`,
    })
    .where(holdsNoMoney)
    .returning({
      id: interactions.id,
      priceCentavos: interactions.priceCentavos,
      isClient: sql<boolean>`${interactions.clientId} = ${viewer.profileId}`,
      reason: interactions.cancelReason,
    });
  for (const { id: interactionId, priceCentavos, isClient, reason } of rows) {
    if (priceCentavos > 0) await tasks.archivePaymentLink.enqueue(transaction, { interactionId });
    const to = isClient ? ('creator' as const) : ('client' as const);
    const details = { reason: reason ?? '' };
    await notify(transaction, { event: 'cancelled', interactionId, to: [to], details });
  }
  return rows.map(({ id }) => id);
}

/**
 * Keeps an account that would be deleted; one that stays anyway is left as it is.
 * @throws Problem `account_deletion_begun` once its 14 days are over
 */
export async function keepAccount(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  visit: Visit,
): Promise<void> {
  if (viewer.deletesAt === null) return;
  await database.transaction(async (transaction) => {
    const changed = await transaction
      .update(accounts)
      .set({ deletesAt: null, updatedAt: sql`now()` })
      .where(and(eq(accounts.id, viewer.accountId), gt(accounts.deletesAt, sql`now()`)))
      .returning({ id: accounts.id });
    if (changed.length === 0) throw new Problem('account_deletion_begun');
    await recordEvent(transaction, viewer.accountId, 'user.keep', visit);
  });
  const { accountId } = viewer;
  bus.publish('viewerChanged', { accountId });
  bus.publish('viewersChanged', { accountId });
  bus.publish('chatsChanged', { accountId, otherAccountId: null, hides: false });
}

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
      // After a block the name by which the member knew the other.
      clientName: sql<string>`coalesce(${interactions.clientName},
        ${hiddenName(sql`${profileId}`, client.id)}, ${client.name})`,
      creatorName: sql<string>`coalesce(${interactions.creatorName},
        ${hiddenName(sql`${profileId}`, creator.id)}, ${creator.name})`,
      receiptId: receipts.id,
      hiddenName: hiddenName(client.id, creator.id).as('hidden_name'),
    })
    .from(interactions)
    .innerJoin(client, eq(client.id, interactions.clientId))
    .innerJoin(creator, eq(creator.id, interactions.creatorId))
    .leftJoin(receipts, eq(receipts.interactionId, interactions.id))
    .where(
      and(
        gt(interactions.priceCentavos, 0),
        isNotNull(interactions.paidAt),
        isParty({ profileId }),
        or(
          isOpen(),
          // Also a part of a split, and a payment that came a second time.
          exists(
            sql`(select from ${disbursements} where ${disbursements.interactionId} = ${interactions.id}
              and ${disbursements.recipientId} = ${profileId} and ${disbursements.state} in ('owed', 'sending'))`,
          ),
        ),
      ),
    )
    .orderBy(asc(interactions.createdAt), asc(interactions.id));
  return rows.map(({ isCreator, clientName, creatorName, receiptId, hiddenName: hidden, ...request }) => ({
    ...request,
    receiptId: isPlanChatReadable(request.stage, hidden !== null) ? receiptId : null,
    otherName: isCreator ? clientName : creatorName,
  }));
}
