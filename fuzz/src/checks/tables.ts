import { setTimeout } from 'node:timers/promises';
import type { Connection } from '@tara/server/platform/database/connect';

/**
 * Tables that may change while a call is refused, with the reason. Everything else must be after a refusal what it was before.
 */
export const mayChange: Readonly<Record<string, string>> = {
  account_events: 'security events record failed attempts too',
  audit_log: 'an admin’s view of a document is recorded before it is known whether the file can be read',
  nodes: 'the server notes every few seconds that it lives',
  member_presence: 'a member’s socket shows that they are here, whatever is sent on it',
};

/**
 * Tables that jobs, the reconciler and the provider's deliveries change by themselves, at any moment: on a busy machine also the
 * announcement of a notification, what a plan chat says of a request, and the lists of chats come late. The reconciler notes each half
 * minute how far it read the provider's payments: a run of seconds never meets it, a longer one does.
 */
const changedByJobs = [
  ...['attempts', 'captured_payments', 'disbursements', 'interactions', 'money_alarms', 'postponed_items'],
  ...['provider_events', 'provider_reads', 'provider_webhooks'],
  ...['chat_entries', 'chat_entry_progress', 'chats', 'messages', 'notifications'],
];

/** Whether a change that the same inputs do not repeat can be a job's. */
export const jobsMayChange = (changed: readonly string[]) =>
  changed.every((table) => changedByJobs.includes(table) || table.startsWith('ledger_'));

export type Checksums = ReadonlyMap<string, string>;

/** Product tables of a database, with what they hold. */
export interface Tables {
  /** One checksum for each table. */
  checksums(): Promise<Checksums>;
  /** The rows of a table as text. */
  rows(table: string): Promise<string[]>;
  /** Waits until no job is due and the server runs no statement, also for clients that have hung up; at most a minute. */
  settle(): Promise<void>;
}

/** Watches every table of the product; the queue of jobs is not one of them. */
export async function openTables({ sql }: Pick<Connection, 'sql'>): Promise<Tables> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like '%migration%' order by 1`;
  const names = tables.map(({ name }) => name).filter((name) => !(name in mayChange));
  const query = names
    .map(
      (name) =>
        `select '${name}' as name, md5(coalesce(string_agg(hash, '' order by hash), '')) as checksum
         from (select md5(t::text) as hash from "${name}" t) rows`,
    )
    .join(' union all ');
  const due = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from graphile_worker._private_jobs
      where run_at <= now() + interval '1 second' and attempts < max_attempts`;
    return row?.count ?? 0;
  };
  const running = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and state <> 'idle'
        and pid <> pg_backend_pid()`;
    return row?.count ?? 0;
  };
  return {
    checksums: async () => {
      const rows = await sql.unsafe<{ name: string; checksum: string }[]>(query);
      return new Map(rows.map(({ name, checksum }) => [name, checksum]));
    },
    rows: async (table) => {
      const rows = await sql.unsafe<{ row: string }[]>(`select t::text as row from "${table}" t order by 1`);
      return rows.map(({ row }) => row);
    },
    settle: async () => {
      const until = Date.now() + 60_000;
      // Twice in a row: between two statements of a call nothing runs for a moment.
      for (let quiet = 0; quiet < 2 && Date.now() < until; ) {
        quiet = (await due()) === 0 && (await running()) === 0 ? quiet + 1 : 0;
        if (quiet < 2) await setTimeout(quiet === 0 ? 50 : 10);
      }
    },
  };
}

/** Names of the tables that differ. */
export const changedTables = (before: Checksums, after: Checksums): string[] =>
  [...after].flatMap(([name, checksum]) => (before.get(name) === checksum ? [] : [name]));
