import type { Readable } from 'node:stream';
import type { DataExport, PersonalData } from '@tara/contract/accounts/personal-data';
import { nowMs } from '@tara/contract/clock';
import { exportIntervalMs, exportLifetimeMs } from '@tara/contract/limits';
import { longDate } from '@tara/contract/philippine-time';
import { and, desc, eq, gt, isNull, lte, not, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { workItems } from '../../platform/jobs/items.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { accounts, lockOwnAccount, recordEvent, type Visit } from '../accounts/index.ts';
import { notify } from '../notifications/index.ts';
import { profiles } from '../profiles/index.ts';
import {
  exportFileKey,
  personalDataZip,
  readExport,
  type StoredExport,
  storeExport,
  type ZipContext,
} from './export-file.ts';
import { openRequests } from './leave.ts';
import { dataExports } from './tables.ts';

type ExportRow = typeof dataExports.$inferSelect;

/** Exports that are removed at once. */
const batchSize = 500;

const presentExport = (row: ExportRow): DataExport => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  sizeBytes: row.sizeBytes,
});

const nextAt = ({ createdAt }: ExportRow) => new Date(createdAt.getTime() + exportIntervalMs);

/** Whether an export was asked for by the account's present owner: another person may have begun the account. */
const isOwners = sql`${dataExports.createdAt} >
  (select ${accounts.createdAt} from ${accounts} where ${accounts.id} = ${dataExports.accountId})`;

const selectLatest = (database: Pick<Database, 'select'>, { accountId }: Viewer) =>
  database
    .select()
    .from(dataExports)
    .where(and(eq(dataExports.accountId, accountId), isOwners))
    .orderBy(desc(dataExports.createdAt))
    .limit(1);

/** What /settings shows of one's own data. */
export async function readPersonalData(database: Database, viewer: Viewer): Promise<PersonalData> {
  const [[latest], open] = await Promise.all([
    selectLatest(database, viewer),
    openRequests(database, viewer.profileId),
  ]);
  const isThere = latest && (latest.expiresAt === null || latest.expiresAt.getTime() > nowMs());
  return {
    latestExport: isThere ? presentExport(latest) : null,
    nextExportAt: latest && nextAt(latest).getTime() > nowMs() ? nextAt(latest).toISOString() : null,
    openRequests: open,
  };
}

/**
 * Has one's data collected by a job, once a day.
 * @throws Problem `account_export_too_soon` with the time from which it is possible again
 */
export function requestExport(database: Database, viewer: Viewer, visit: Visit): Promise<DataExport> {
  return database.transaction(async (transaction) => {
    // Two requests at once wait for each other here.
    await lockOwnAccount(transaction, viewer);
    const [latest] = await selectLatest(transaction, viewer);
    const waitMs = latest ? nextAt(latest).getTime() - nowMs() : 0;
    if (waitMs > 0) {
      const hours = Math.ceil(waitMs / 3_600_000);
      throw new Problem('account_export_too_soon', {
        text: `you can do it again in ${hours} ${hours === 1 ? 'hour' : 'hours'}`,
        retryAfter: Math.ceil(waitMs / 1000),
      });
    }
    const [row] = await transaction
      .insert(dataExports)
      .values({ id: newId(), accountId: viewer.accountId })
      .returning();
    if (row === undefined) throw new Error('The export was not stored.');
    await tasks.exportData.enqueue(transaction, { exportId: row.id });
    await recordEvent(transaction, viewer.accountId, 'export.create', visit);
    return presentExport(row);
  });
}

/** One's own export that is ready. @throws Problem `account_export_not_found`, also for another's or an expired one */
export async function findExport(
  database: Database,
  viewer: Viewer,
  id: string,
): Promise<StoredExport & { id: string }> {
  const [row] = await database
    .select()
    .from(dataExports)
    .where(
      and(
        eq(dataExports.id, id),
        eq(dataExports.accountId, viewer.accountId),
        isOwners,
        gt(dataExports.expiresAt, sql`now()`),
      ),
    );
  if (!row || row.sealedKey === null || row.sizeBytes === null) {
    throw new Problem('account_export_not_found');
  }
  return { id: row.id, sealedKey: row.sealedKey, sizeBytes: row.sizeBytes };
}

/** The bytes of one's own export. @throws Problem `account_export_not_found` */
export async function openExport(
  platform: Pick<Platform, 'database' | 'files' | 'sealer'>,
  viewer: Viewer,
  id: string,
): Promise<{ sizeBytes: number; content: Readable }> {
  const stored = await findExport(platform.database, viewer, id);
  if (!(await platform.files.exists(exportFileKey(id)))) throw new Problem('account_export_not_found');
  return { sizeBytes: stored.sizeBytes, content: readExport(platform, id, stored) };
}

type ExportContext = ZipContext & Pick<Platform, 'sealer'>;

/** Makes an export and notifies its owner that it is ready. Repeated, it writes the same file again. */
export async function makeExport(
  context: ExportContext,
  exportId: string,
  { signal }: Pick<JobHelpers, 'signal'>,
): Promise<void> {
  const { database } = context;
  const [owner] = await database
    .select({
      accountId: accounts.id,
      profileId: profiles.id,
    })
    .from(dataExports)
    .innerJoin(accounts, eq(accounts.id, dataExports.accountId))
    .innerJoin(profiles, eq(profiles.accountId, accounts.id))
    .where(and(eq(dataExports.id, exportId), isNull(dataExports.readyAt), isOwners));
  if (owner === undefined) return;
  const stored = await storeExport(context, exportId, personalDataZip(context, owner, signal));
  const expiresAt = new Date(nowMs() + exportLifetimeMs);
  const isKept = await database.transaction(async (transaction) => {
    const [row] = await transaction
      .select({ readyAt: dataExports.readyAt })
      .from(dataExports)
      .where(and(eq(dataExports.id, exportId), isOwners))
      .for('update', { of: dataExports });
    if (row === undefined) return false;
    // Another node may have made it meanwhile: the file that is there now is this one, by another key.
    const isFirst = row.readyAt === null;
    await transaction
      .update(dataExports)
      .set({ ...stored, ...(isFirst ? { readyAt: sql`now()`, expiresAt } : {}) })
      .where(eq(dataExports.id, exportId));
    if (!isFirst) return true;
    await notify(transaction, {
      event: 'exportReady',
      to: { accountId: owner.accountId },
      occasion: exportId,
      details: { until: longDate(expiresAt) },
    });
    return true;
  });
  // The account was deleted meanwhile, or passed to another person.
  if (!isKept) await context.files.delete(exportFileKey(exportId));
}

/** Removes the exports of before an account passed to another person. */
export async function removeEarlierExports(
  { database, files: store }: Pick<Platform, 'database' | 'files'>,
  accountId: string,
): Promise<void> {
  const earlier = await database
    .select({ id: dataExports.id })
    .from(dataExports)
    .where(and(eq(dataExports.accountId, accountId), not(isOwners)));
  for (const { id } of earlier) {
    await store.delete(exportFileKey(id));
    await database.delete(dataExports).where(eq(dataExports.id, id));
  }
}

/** Removes exports whose time is over, and those that could not be made. */
export const removeOldExports = (
  { database, files: store }: Pick<Platform, 'database' | 'files'>,
  helpers: Pick<JobHelpers, 'log' | 'signal'>,
) =>
  workItems(
    { database, ...helpers },
    {
      name: 'personalData.removeExports',
      select: (isDue) =>
        database
          .select({ id: dataExports.id })
          .from(dataExports)
          .where(
            and(
              lte(
                sql`coalesce(${dataExports.expiresAt}, ${dataExports.createdAt} + interval '7 days')`,
                sql`now()`,
              ),
              isDue(dataExports.id),
            ),
          )
          .orderBy(dataExports.createdAt)
          .limit(batchSize),
      id: ({ id }) => id,
      work: async ({ id }) => {
        await store.delete(exportFileKey(id));
        await database.delete(dataExports).where(eq(dataExports.id, id));
      },
    },
  );
