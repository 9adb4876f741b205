import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { openDatabase } from '../database.ts';
import type { Kept, Kind, Kinds } from './kinds.ts';
import { SCHEMA } from './schema.ts';

const Row = z.object({
  seq: z.number(),
  id: z.string(),
  kind: z.string(),
  parent: z.string().nullable(),
  attributes: z.string(),
  created_at: z.number(),
  updated_at: z.number(),
  due_at: z.number().nullable(),
});

export type ListQuery = {
  limit: number;
  /** Ids: newer than `before`, older than `after`, since lists begin with the newest. */
  before?: string;
  after?: string;
  parent?: string;
  /** Equality with top-level attributes. */
  where?: Record<string, string>;
};

export type Store = ReturnType<typeof openStore>;

/** Every resource, in `<folder>/provider.sqlite`. */
export function openStore(folder: string) {
  const database: DatabaseSync = openDatabase(folder, 'provider.sqlite', SCHEMA);
  const insert = database.prepare(
    `insert into objects (id, kind, parent, attributes, created_at, updated_at, due_at)
     values (?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare(
    'update objects set attributes = ?, updated_at = ?, due_at = ? where id = ? and kind = ?',
  );
  const byId = database.prepare('select * from objects where id = ? and kind = ?');
  const dueRows = database.prepare(
    'select * from objects where kind = ? and due_at <= ? order by due_at, seq',
  );
  const nextDue = database.prepare('select min(due_at) as at from objects where due_at is not null');
  let depth = 0;

  function read<K extends Kind>(kind: K, row: unknown): Kept<K> {
    const { id, parent, attributes, created_at, updated_at, due_at } = Row.parse(row);
    // Rows of a kind are written by `add` and `save` only, which take that kind's attributes.
    const record = JSON.parse(attributes) as Kinds[K];
    return {
      id,
      kind,
      parent,
      attributes: record,
      createdAt: created_at,
      updatedAt: updated_at,
      dueAt: due_at,
    };
  }

  return {
    database,

    add<K extends Kind>(record: Omit<Kept<K>, 'updatedAt'>): Kept<K> {
      const { id, kind, parent, attributes, createdAt, dueAt } = record;
      insert.run(id, kind, parent, JSON.stringify(attributes), createdAt, createdAt, dueAt);
      return { ...record, updatedAt: createdAt };
    },

    save<K extends Kind>(record: Kept<K>, now: number): Kept<K> {
      update.run(JSON.stringify(record.attributes), now, record.dueAt, record.id, record.kind);
      return { ...record, updatedAt: now };
    },

    get<K extends Kind>(kind: K, id: string): Kept<K> | undefined {
      const row = byId.get(id, kind);
      return row && read(kind, row);
    },

    /** Newest first. One more than `limit` is looked for, to know whether there are more. */
    list<K extends Kind>(kind: K, query: ListQuery): { items: Kept<K>[]; hasMore: boolean } {
      const conditions = ['kind = ?'];
      const values: (string | number)[] = [kind];
      if (query.parent !== undefined) {
        conditions.push('parent = ?');
        values.push(query.parent);
      }
      for (const [name, value] of Object.entries(query.where ?? {})) {
        conditions.push('json_extract(attributes, ?) = ?');
        values.push(`$.${name}`, value);
      }
      for (const [id, sign] of [
        [query.before, '>'],
        [query.after, '<'],
      ] as const) {
        if (id === undefined) continue;
        conditions.push(`seq ${sign} (select seq from objects where id = ?)`);
        values.push(id);
      }
      const sql = `select * from objects where ${conditions.join(' and ')} order by seq desc limit ?`;
      const rows = database.prepare(sql).all(...values, query.limit + 1);
      return {
        items: rows.slice(0, query.limit).map((row) => read(kind, row)),
        hasMore: rows.length > query.limit,
      };
    },

    /** Those of a kind whose time to settle has come. */
    due<K extends Kind>(kind: K, now: number): Kept<K>[] {
      return dueRows.all(kind, now).map((row) => read(kind, row));
    },

    /** When the next resource settles, in ms, or null. */
    nextDue(): number | null {
      return z.object({ at: z.number().nullable() }).parse(nextDue.get()).at;
    },

    /** Runs `work` so that all of it is kept, or nothing. Calls may nest. */
    transact<T>(work: () => T): T {
      if (depth > 0) return work();
      database.exec('begin immediate');
      depth += 1;
      try {
        const result = work();
        database.exec('commit');
        return result;
      } catch (error) {
        // A full disk may have ended it already.
        if (database.isTransaction) database.exec('rollback');
        throw error;
      } finally {
        depth -= 1;
      }
    },

    close(): void {
      if (database.isOpen) database.close();
    },
  };
}
