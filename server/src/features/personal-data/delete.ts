import { deletedName } from '@tara/contract/limits';
import { and, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { columnDefaults } from '../../platform/database/columns.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { workItems } from '../../platform/jobs/items.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { accounts, endSessions } from '../accounts/index.ts';
import { files, removeOwnFiles, removeUnfinished, uploads } from '../files/index.ts';
import { announceProfileChange, profiles } from '../profiles/index.ts';
import { type MemberIds, type PersonalTable, primaryKey } from './entry.ts';
import { exportFileKey } from './export-file.ts';
import { openRequests } from './leave.ts';
import { personalTables } from './list.ts';
import { dataExports } from './tables.ts';

type Context = Pick<Platform, 'database' | 'files' | 'bus'>;

/** Rows of one statement: a deletion holds no lock for long and can stop between two. */
const batchSize = 500;

/** Enqueues a deletion for every account whose 14 days are over; one that waits for its money is among them each time. */
export const enqueueDeletions = (database: Database, helpers: Pick<JobHelpers, 'log' | 'signal'>) =>
  workItems(
    { database, ...helpers },
    {
      name: 'personalData.deleteLeft',
      select: (isDue) =>
        database
          .select({ accountId: accounts.id })
          .from(accounts)
          .where(and(lte(accounts.deletesAt, sql`now()`), isDue(accounts.id)))
          .orderBy(accounts.deletesAt),
      id: ({ accountId }) => accountId,
      work: ({ accountId }) => tasks.deleteAccount.enqueue(database, { accountId }),
    },
  );

/**
 * Deletes what is a member's own, in batches, once the 14 days are over. Repeating it changes nothing, and after an
 * interruption it goes on. While money is under way it does nothing: the next round looks again.
 */
export async function deleteAccount(
  context: Context,
  accountId: string,
  { log, signal }: Pick<JobHelpers, 'log' | 'signal'>,
): Promise<void> {
  const { database } = context;
  const [account] = await database
    .select({ profileId: profiles.id })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .where(and(eq(accounts.id, accountId), lte(accounts.deletesAt, sql`now()`)))
    // A sign-in that is under way is committed first; nobody signs in later.
    .for('update', { of: accounts });
  if (account === undefined) return;
  const member: MemberIds = { accountId, profileId: account.profileId };
  if ((await openRequests(database, member.profileId)).length > 0) {
    log.warn({ accountId }, 'an account is not deleted while its money is under way');
    return;
  }
  await removeExports(context, member);
  await database.transaction((transaction) => endSessions(transaction, context.bus, accountId));
  for (const entry of personalTables) {
    for (let changed = batchSize; changed > 0; ) {
      signal.throwIfAborted();
      changed = await deleteBatch(context, entry, member);
    }
  }
  await database.transaction((transaction) => eraseIdentity(transaction, member));
  // A picture that was uploaded meanwhile, and the profile's own, which nothing refers to any more.
  while ((await removeOwnFiles(context, accountId, batchSize)) > 0) signal.throwIfAborted();
  const left = await database.$count(files, eq(files.ownerAccountId, accountId));
  if (left > 0) throw new Error(`${left} files of a deleted account are still in use.`);
  await database
    .update(accounts)
    .set({ deletesAt: null, deletedAt: sql`now()` })
    .where(eq(accounts.id, accountId));
  context.bus.publish('viewerChanged', { accountId });
  context.bus.publish('viewersChanged', { accountId });
  await announceProfileChange(context, member.profileId);
}

/** The files of exports, whose rows go with the list. */
async function removeExports({ database, files: store }: Context, { accountId }: MemberIds): Promise<void> {
  const rows = await database
    .select({ id: dataExports.id })
    .from(dataExports)
    .where(eq(dataExports.accountId, accountId));
  for (const { id } of rows) await store.delete(exportFileKey(id));
}

/** Removes some of a member's rows of one table; returns how many, 0 when there is nothing left to do. */
async function deleteBatch(context: Context, entry: PersonalTable, member: MemberIds): Promise<number> {
  const { table, own, deletion } = entry;
  const { database } = context;
  const where = own(member);
  // Not by the place of the row, which is another one's on each shard.
  const key = primaryKey(table);
  switch (deletion.kind) {
    case 'kept':
    case 'identity':
      return 0;
    case 'files':
      return removeOwnFiles(context, member.accountId, batchSize);
    case 'unfinished':
      return removeUnfinished(context, eq(uploads.ownerAccountId, member.accountId), batchSize);
    case 'deleted': {
      const gone = await database.execute(sql`
        delete from ${table} where (${key}) in (select ${key} from ${table} where ${where} limit ${batchSize})`);
      return gone.count;
    }
    case 'emptied': {
      const { set } = deletion;
      const columns = Object.entries(typeof set === 'function' ? set(member) : set);
      const changed = await database.execute(sql`
        update ${table} set ${sql.join(
          columns.map(([name, value]) => sql`${sql.identifier(name)} = ${value}`),
          sql`, `,
        )}
        where (${key}) in (
          select ${key} from ${table} where ${where} and (${or(
            ...columns.map(([name, value]) => sql`${sql.identifier(name)} is distinct from ${value}`),
          )}) limit ${batchSize})`);
      return changed.count;
    }
  }
}

const keys = ['id', 'createdAt', 'updatedAt'];
const counts = ['limitedPlan', 'totalPlan', 'totalInteraction', 'totalReviews', 'totalStars'];
/** Postgres makes these of the others. */
const derived = ['number', 'words', 'cityKey', 'completeness'];

/** What a deletion sets in the member's profile: every column but those that say nothing of the person. */
export const erasedProfile = {
  ...columnDefaults(profiles, ['accountId', ...keys, ...counts, ...derived]),
  name: deletedName,
  username: '',
  deletedAt: sql`now()`,
};

/** What a deletion sets in the member's account; `deletesAt` and `deletedAt` follow at its very end. */
export const erasedAccount = {
  ...columnDefaults(accounts, [
    ...['accessedAt', 'passwordUpdatedAt', 'deletesAt', 'deletedAt', 'demo'],
    ...keys,
  ]),
  // Unique, and no address that a mail could reach.
  email: sql`'deleted-' || lower(${accounts.id}) || '@deleted.invalid'`,
  passwordHash: '',
  blockedAt: sql`coalesce(${accounts.blockedAt}, now())`,
};

/** What is left of a member beside records of money: two rows of ids, without anything of the person. */
async function eraseIdentity(transaction: Transaction, { accountId, profileId }: MemberIds): Promise<void> {
  await transaction
    .update(accounts)
    .set(erasedAccount)
    .where(and(eq(accounts.id, accountId), isNotNull(accounts.deletesAt), isNull(accounts.deletedAt)));
  await transaction.update(profiles).set(erasedProfile).where(eq(profiles.id, profileId));
}
