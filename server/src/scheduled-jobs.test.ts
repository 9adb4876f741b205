import { randomBytes } from 'node:crypto';
import { nowDate, nowMs } from '@tara/contract/clock';
import { getTableName, inArray, like, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { expect } from 'vitest';
import {
  accounts,
  accountTasks,
  challenges,
  oauthStates,
  sessions,
  tokens,
} from './features/accounts/index.ts';
import { conversationTasks } from './features/conversations/index.ts';
import { disputeTasks } from './features/disputes/index.ts';
import { files, fileTasks, objectRemovals, uploads } from './features/files/index.ts';
import { interactions } from './features/interactions/index.ts';
import { chats, messageTasks, unsentMessages } from './features/messages/index.ts';
import { notifications } from './features/notifications/index.ts';
import { notificationTasks } from './features/notifications/tasks.ts';
import { capturedPayments, lastLedgerCheck, paymentTasks } from './features/payments/index.ts';
import { personalDataTasks } from './features/personal-data/index.ts';
import { dataExports } from './features/personal-data/tables.ts';
import { verifications, verificationTasks } from './features/verification/index.ts';
import { newId } from './platform/ids.ts';
import { postponedItems } from './platform/jobs/tables.ts';
import type { Task } from './platform/jobs/task.ts';
import { openLog } from './platform/log.ts';
import { schedule, tasks } from './platform/tasks.ts';
import { documentsKey, helpers } from './testing/backend/storage.ts';
import { insertConversation } from './testing/features/conversations.ts';
import { insertInteraction, insertPlan } from './testing/features/interactions.ts';
import { insertMember } from './testing/features/members.ts';
import { paymentTest } from './testing/features/payment-fixture.ts';
import { insertPicture } from './testing/features/pictures.ts';
import { insertChat } from './testing/features/receipts.ts';
import { openRequestFixture, waitFor } from './testing/features/request-fixture.ts';
import type { FixturesOf } from './testing/test.ts';

const dayMs = 24 * 3_600_000;

const test = paymentTest
  .extend('lines', { scope: 'file' }, (): Record<string, unknown>[] => [])
  /** Runs a job by its name, with a log that is read into `lines`. */
  .extend('run', { scope: 'file' }, ({ fixture, lines }) => {
    const log = openLog({
      level: 'warn',
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    });
    const platform = { ...fixture.platform, log };
    const jobs: Record<string, Task> = {
      ...accountTasks(platform, { send: async () => {} }),
      ...fileTasks(platform, documentsKey),
      ...personalDataTasks(platform, documentsKey),
      ...verificationTasks(platform),
      ...messageTasks(platform),
      ...notificationTasks(platform),
      ...conversationTasks(platform),
      ...disputeTasks(platform),
      ...paymentTasks(platform, fixture.provider.client),
    };
    return async (task: string, signal = helpers.signal) => jobs[task]?.({}, { ...helpers, log, signal });
  })
  .extend('member', ({ database }) => insertMember(database))
  .extend('insertRequest', ({ database }) => async (state: Partial<typeof interactions.$inferInsert>) => {
    const creator = await insertMember(database, { verified: true });
    const client = await insertMember(database);
    const planId = await insertPlan(database, creator);
    return insertInteraction(database, { creator, client, planId }, { priceCentavos: 0, ...state });
  });

test.beforeAll(({ connection }) =>
  connection.sql.unsafe(`
    create function refuse_poisoned() returns trigger language plpgsql as $$ begin
      if to_jsonb(coalesce(new, old))::text like '%' || tg_argv[0] || '%' then raise exception 'poisoned'; end if;
      return coalesce(new, old);
    end $$`),
);

type Fixtures = Pick<FixturesOf<typeof test>, 'fixture' | 'database' | 'member' | 'insertRequest'>;

/** What one job does with one kind of record. */
interface ItemCase {
  /** Inserts a record that is due since then, and returns its id. */
  insert: (fixtures: Fixtures, since: Date) => Promise<string>;
  /** The table whose row the work writes or deletes: there it is refused for one record. */
  table: PgTable | string;
  /** The ids of those of the records that still wait. */
  waiting: (ids: string[]) => SQL;
  /** Whether the work queues a job for each: it counts until the record is seen no more. */
  isQueued?: boolean;
}

/** Records that the work deletes. */
const deleted = (table: PgTable, id: PgColumn) => ({
  table,
  waiting: (ids: string[]) => sql`select ${id} as id from ${table} where ${inArray(id, ids)}`,
});
const unlessNull = (column: PgColumn, table: PgTable, id: PgColumn) => ({
  table,
  waiting: (ids: string[]) =>
    sql`select ${id} as id from ${table} where ${inArray(id, ids)} and ${column} is not null`,
});
const expiring = (table: PgTable, id: PgColumn, more: (id: string, accountId: string) => object) => ({
  ...deleted(table, id),
  insert: async ({ database, member }: Fixtures, expiresAt: Date) => {
    const key = newId();
    await database.insert(table).values({ id: key, ...more(key, member.accountId), expiresAt });
    return key;
  },
});
const jobOf = (field: string, id: SQL) =>
  sql`exists (select from graphile_worker._private_jobs where payload ->> ${field} = ${id})`;

const later = (date: Date, ms: number) => new Date(date.getTime() + ms);

/** Each scheduled job, and the reconciler, with every kind of record that it works. */
const cases: Record<string, Record<string, ItemCase>> = {
  [tasks.workDeadlines.name]: {
    unpaid: {
      insert: ({ insertRequest }, since) => insertRequest({ payUntil: since }),
      table: interactions,
      waiting: (ids) =>
        sql`select id from ${interactions} where ${inArray(interactions.id, ids)} and cancelled_at is null`,
    },
    unanswered: {
      insert: ({ insertRequest }, since) => insertRequest({ paidAt: later(since, -8 * dayMs) }),
      table: interactions,
      waiting: (ids) =>
        sql`select id from ${interactions} where ${inArray(interactions.id, ids)} and cancelled_at is null`,
    },
    upcoming: {
      insert: ({ insertRequest }, since) => {
        // Agreed on two days before it, the oldest takes place first.
        const [agreedAt, meetsAt] = [later(since, -dayMs), later(since, dayMs / 2)];
        return insertRequest({
          ...{ paidAt: agreedAt, acceptedAt: agreedAt, dayStartsAt: later(meetsAt, -dayMs / 2) },
          ...{ meetsAt, meetsUntil: later(meetsAt, 3_600_000) },
        });
      },
      table: notifications,
      waiting: (ids) => sql`select id from ${interactions} where ${inArray(interactions.id, ids)}
        and not exists (select from ${notifications} where interaction_id = interactions.id and event = 'upcoming')`,
    },
    reminder: {
      insert: ({ insertRequest }, since) =>
        insertRequest({ paidAt: since, acceptedAt: since, dayStartsAt: later(since, -dayMs) }),
      table: notifications,
      waiting: (ids) => sql`select id from ${interactions} where ${inArray(interactions.id, ids)}
        and not exists (select from ${notifications} where interaction_id = interactions.id and event = 'reminder')`,
    },
  },
  [tasks.sweepFiles.name]: {
    unused: {
      ...deleted(files, files.id),
      insert: ({ database, member }, since) =>
        insertPicture(database, { ownerAccountId: member.accountId, createdAt: later(since, -dayMs) }),
    },
    unfinished: {
      ...deleted(uploads, uploads.id),
      insert: async ({ database, member }, since) => {
        const id = newId();
        const upload = { id, ownerAccountId: member.accountId, bucket: 'images' as const, size: 100 };
        await database.insert(uploads).values({ ...upload, updatedAt: later(since, -dayMs) });
        return id;
      },
    },
    objects: {
      ...deleted(objectRemovals, objectRemovals.key),
      insert: async ({ database }, since) => {
        const key = `files/${newId()}`;
        await database.insert(objectRemovals).values({ key, dueAt: since });
        return key;
      },
    },
    unsigned: {
      insert: ({ database, member }, since) =>
        insertPicture(database, {
          ...{ ownerAccountId: member.accountId, createdAt: since, usedAt: since },
          signature: '0'.repeat(64),
        }),
      table: files,
      waiting: (ids) =>
        sql`select id from ${files} where ${inArray(files.id, ids)} and length(signature) = 64`,
    },
  },
  [tasks.deleteLeftAccounts.name]: {
    accounts: {
      insert: async ({ database }, deletesAt) => {
        const { accountId } = await insertMember(database);
        await database
          .update(accounts)
          .set({ deletesAt })
          .where(inArray(accounts.id, [accountId]));
        return accountId;
      },
      table: 'graphile_worker._private_jobs',
      waiting: (ids) => sql`select id from ${accounts} where ${inArray(accounts.id, ids)}
        and not ${jobOf('accountId', sql`accounts.id`)}`,
    },
  },
  [tasks.removeOldExports.name]: {
    exports: {
      ...deleted(dataExports, dataExports.id),
      insert: async ({ database, member }, since) => {
        const id = newId();
        const createdAt = later(since, -7 * dayMs);
        await database.insert(dataExports).values({ id, accountId: member.accountId, createdAt });
        return id;
      },
    },
  },
  [tasks.cleanUpAccounts.name]: {
    tokens: expiring(tokens, tokens.id, (_id, accountId) => ({
      ...{ accountId, kind: 'recovery', secretHash: randomBytes(32) },
    })),
    challenges: expiring(challenges, challenges.id, (id) => ({
      ...{ kind: 'email-code', reference: id, email: 'ana@example.com', secretHash: randomBytes(32) },
    })),
    sessions: expiring(sessions, sessions.id, (_id, accountId) => ({
      ...{ accountId, secretHash: randomBytes(32) },
    })),
    signInsUnderWay: {
      insert: async ({ database }, expiresAt) => {
        const stateHash = randomBytes(32);
        await database.insert(oauthStates).values({
          ...{ stateHash, browserHash: randomBytes(32), provider: 'google', sealed: '', result: 'session' },
          ...{ successUrl: '', failureUrl: '', expiresAt },
        });
        return stateHash.toString('hex');
      },
      table: oauthStates,
      waiting: (ids) => sql`select encode(state_hash, 'hex') as id from ${oauthStates}
        where ${inArray(sql`encode(state_hash, 'hex')`, ids)}`,
    },
  },
  [tasks.removeUnsentMessages.name]: {
    originals: {
      ...deleted(unsentMessages, unsentMessages.chatId),
      insert: async ({ database }, since) => {
        const { chatId } = await insertChat(database);
        await database.insert(unsentMessages).values({ chatId, sequence: 1, body: 'my address' });
        const closedAt = later(since, -30 * dayMs);
        await database
          .update(chats)
          .set({ closedAt })
          .where(inArray(chats.id, [chatId]));
        return chatId;
      },
    },
  },
  [tasks.removeReadNotifications.name]: {
    read: {
      ...deleted(notifications, notifications.id),
      insert: async ({ database, member: { profileId } }, since) => {
        const id = newId();
        const row = { id, profileId, event: 'exportReady', groupName: 'account', inApp: true };
        await database
          .insert(notifications)
          .values({ ...row, occasion: id, readAt: later(since, -90 * dayMs) });
        return id;
      },
    },
  },
  [tasks.notifyUnanswered.name]: {
    requests: {
      insert: ({ insertRequest }, since) =>
        insertRequest({
          ...{ paidAt: since, acceptedAt: since, dayStartsAt: later(since, -8 * dayMs) },
          priceCentavos: 100,
        }),
      table: notifications,
      waiting: (ids) => sql`select id from ${interactions} where ${inArray(interactions.id, ids)}
        and not exists (select from ${notifications} where interaction_id = interactions.id and event = 'noAnswer')`,
    },
  },
  [tasks.notifyExpiring.name]: {
    conversations: {
      insert: async ({ database, member }, since) => {
        const { id } = await insertConversation(database, member, await insertMember(database));
        await database
          .update(chats)
          .set({ createdAt: later(since, -6 * dayMs), expiresAt: later(since, dayMs / 2), lastSequence: 1 })
          .where(inArray(chats.id, [id]));
        return id;
      },
      table: notifications,
      waiting: (ids) => sql`select id from ${chats} where ${inArray(chats.id, ids)}
        and not exists (select from ${notifications} where record_id = chats.id and event = 'conversationExpiring')`,
    },
  },
  [tasks.expireVerifications.name]: {
    pictures: {
      ...unlessNull(verifications.photoId, verifications, verifications.id),
      insert: async ({ database }, since) => {
        const { accountId, profileId } = await insertMember(database);
        const picture = { ownerAccountId: accountId, bucket: 'verificationFiles', usedAt: since } as const;
        const [idFrontId, idBackId, photoId] = await Promise.all(
          [1, 2, 3].map(() => insertPicture(database, picture)),
        );
        const id = newId();
        await database.insert(verifications).values({
          ...{ id, userId: profileId, idFrontId, idBackId, photoId, address: 'Makati', valid: true },
          acceptedAt: later(since, -30 * dayMs),
        });
        return id;
      },
    },
  },
  [tasks.reconcilePayments.name]: {
    lost: {
      insert: ({ insertRequest }, createdAt) => insertRequest({ priceCentavos: 250_00, createdAt }),
      table: 'graphile_worker._private_jobs',
      waiting: (ids) =>
        sql`select id from ${interactions} where ${inArray(interactions.id, ids)} and link_id is null`,
      isQueued: true,
    },
    payments: {
      insert: async ({ fixture }) => {
        await fixture.provider.fault({ kind: 'drop_deliveries' });
        const requests = await openRequestFixture(fixture);
        const id = await requests.requested();
        await requests.payFor(id);
        const link = await fixture.provider.client.links.get((await requests.row(id)).linkId ?? '');
        return link.payments[0]?.id ?? '';
      },
      table: capturedPayments,
      waiting: (ids) =>
        sql`select listed.id from json_array_elements_text(${JSON.stringify(ids)}::json) as listed(id)
          where not exists (select from captured_payments where id = listed.id)`,
    },
  },
};

test('every scheduled job has a case', () => {
  // These have no records that could be worked by themselves.
  const uncased = [tasks.checkLedger, tasks.notifyWork, tasks.watchMoney].map(({ name }) => name);
  const cased = [...Object.keys(cases), ...uncased];
  expect(cased.sort()).toEqual([...Object.keys(schedule), tasks.reconcilePayments.name].sort());
});

test('no scheduled job, nor the reconciler, runs beside itself or waits more than once', () => {
  const alone = Object.values(tasks).filter(({ isAlone }) => isAlone);
  expect(alone.map(({ name }) => name).sort()).toEqual(
    [...Object.keys(schedule), tasks.reconcilePayments.name].sort(),
  );
});

test.for(
  Object.entries(cases).flatMap(([task, kinds]) =>
    Object.entries(kinds).map(([kind, itemCase]) => ({ task, kind, itemCase })),
  ),
)(
  'one record that fails does not keep $task from the others: $kind',
  async ({ task, itemCase }, { connection, fixture, database, member, insertRequest, run, lines }) => {
    const fixtures = { fixture, database, member, insertRequest };
    const { insert, table, waiting, isQueued = false } = itemCase;
    const ids: string[] = [];
    // The first is the oldest, so it is worked first.
    for (const hours of [3, 2, 1]) ids.push(await insert(fixtures, new Date(nowMs() - hours * 3_600_000)));
    const [poisoned = ''] = ids;
    const tableName = typeof table === 'string' ? table : getTableName(table);
    await connection.sql.unsafe(`create trigger a_poison before insert or update or delete on ${tableName}
      for each row execute function refuse_poisoned('${poisoned}')`);
    const wait = async () => (await database.execute<{ id: string }>(waiting(ids))).map(({ id }) => id);
    const failures = async () =>
      (
        await database
          .select()
          .from(postponedItems)
          .where(like(postponedItems.itemId, `%${poisoned}%`))
      ).map(({ attempts, lastError }) => ({ attempts, lastError }));

    await run(task);
    await expect.poll(wait, waitFor).toEqual([poisoned]);
    expect(await failures()).toEqual([{ attempts: 1, lastError: 'poisoned' }]);
    // Then it waits for longer and longer.
    for (let round = 0; round < 2; round++) await run(task);
    expect(await failures()).toEqual([{ attempts: 2, lastError: 'poisoned' }]);
    expect(lines.filter(({ itemId }) => String(itemId).includes(poisoned))).toMatchObject([{ attempts: 1 }]);

    await connection.sql.unsafe(`drop trigger a_poison on ${tableName}`);
    await database.update(postponedItems).set({ retryAt: sql`now() - interval '1 second'` });
    await run(task);
    await expect.poll(wait, waitFor).toEqual([]);
    expect(await failures()).toEqual(
      isQueued ? [{ attempts: 3, lastError: 'Its job was queued again.' }] : [],
    );
  },
);

const stopped = new Error('stopped');

test.for(
  Object.entries(cases).flatMap(([task, kinds]) =>
    Object.entries(kinds).map(([kind, itemCase]) => ({ task, kind, itemCase })),
  ),
)(
  '$task begins with no further record once its signal fired: $kind',
  async ({ task, itemCase }, { connection, fixture, database, member, insertRequest, run }) => {
    const id = await itemCase.insert(
      { fixture, database, member, insertRequest },
      new Date(nowMs() - 3_600_000),
    );
    await connection.sql`delete from graphile_worker._private_jobs`;
    await expect(run(task, AbortSignal.abort(stopped))).rejects.toBe(stopped);
    expect((await database.execute<{ id: string }>(itemCase.waiting([id]))).length).toBe(1);
    expect(
      await database
        .select()
        .from(postponedItems)
        .where(like(postponedItems.itemId, `%${id}%`)),
    ).toEqual([]);
  },
);

test('the check of the ledger stores nothing once its signal fired', async ({ database, run }) => {
  const before = await lastLedgerCheck(database);
  await expect(run(tasks.checkLedger.name, AbortSignal.abort(stopped))).rejects.toBe(stopped);
  expect(await lastLedgerCheck(database)).toEqual(before);
});

test('one rule that cannot be checked does not keep the check of the ledger from the others', async ({
  connection,
  database,
  insertRequest,
  run,
}) => {
  const admin = await insertMember(database, { admin: true });
  const [paidAt, acceptedAt, userSetDoneAt, adminSetDoneAt, completedAt] = Array(5).fill(nowDate());
  const steps = { paidAt, acceptedAt, userSetDoneAt, adminSetDoneAt, completedAt };
  const id = await insertRequest({ ...steps, priceCentavos: 100 });
  const subject = await connection.sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    const [row] = await transaction`
      insert into ledger_transfers (key, kind, interaction_id) values ('capture:odd', 'capture', ${id}) returning id::text`;
    await transaction`insert into ledger_entries (transfer_id, account, owner, amount) values (${row?.id}, 'cash', '', 1)`;
    return row?.id;
  });
  await connection.sql.unsafe(`alter table chargebacks rename to stored_chargebacks;
    create view chargebacks as select * from stored_chargebacks where 1 / 0 = 1`);
  await run(tasks.checkLedger.name);
  const check = await lastLedgerCheck(database);
  const failed = { rule: 'the ledger can be checked', text: 'It cannot: division by zero' };
  expect(check?.differences).toMatchObject([
    failed,
    { rule: 'a transfer sums to zero', subject },
    // The chargebacks in what is sent, beside the provider's disputes, and in the wallet.
    failed,
    failed,
    failed,
  ]);
  const isAboutLedger = inArray(notifications.event, ['ledgerDiffers']);
  expect(await database.select().from(notifications).where(isAboutLedger)).toMatchObject([
    { profileId: admin.profileId, details: { count: '3' } },
  ]);
});
