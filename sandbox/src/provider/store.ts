import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { openDatabase } from '../private-folder.ts';
import { ID_PREFIXES, newId } from './ids.ts';
import type { Attributes, Kind, Kinds, Stored } from './kinds.ts';
import { SCHEMA } from './schema.ts';
import type { Clock } from './settings.ts';

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
const Due = z.object({ at: z.number().nullable() });

export type ListQuery = {
  limit: number;
  /** Ids. Lists are newest first: `before` selects newer items, `after` older ones. */
  before?: string;
  after?: string;
  parent?: string;
  /** Equality with top-level attributes. */
  where?: Record<string, string>;
};

export type Store = ReturnType<typeof openStore>;

/** Stores every resource in `<folder>/provider.sqlite`. */
export function openStore(folder: string) {
  const database: DatabaseSync = openDatabase(folder, 'provider.sqlite', SCHEMA);
  const insert = database.prepare(
    `insert into objects (id, kind, parent, attributes, created_at, updated_at, due_at)
     values (?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare(
    'update objects set attributes = ?, created_at = ?, updated_at = ?, due_at = ? where id = ? and kind = ?',
  );
  const byId = database.prepare('select * from objects where id = ? and kind = ?');
  const remove = database.prepare('delete from objects where id = ?');
  const dueRows = database.prepare(
    'select * from objects where kind = ? and due_at <= ? order by due_at, seq',
  );
  const nextDue = database.prepare('select min(due_at) as at from objects where due_at is not null');
  let depth = 0;

  function read<K extends Kind>(kind: K, row: unknown): Stored<K> {
    const { id, parent, attributes, created_at, updated_at, due_at } = Row.parse(row);
    // Only `add` and `save` write rows, with the attributes of the row's kind.
    const record = JSON.parse(attributes) as Attributes<K>;
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

    add<K extends Kind>(record: Omit<Stored<K>, 'updatedAt'>): Stored<K> {
      const { id, kind, parent, attributes, createdAt, dueAt } = record;
      insert.run(id, kind, parent, JSON.stringify(attributes), createdAt, createdAt, dueAt);
      return { ...record, updatedAt: createdAt };
    },

    save<K extends Kind>(record: Stored<K>, now: number): Stored<K> {
      const { attributes, createdAt, dueAt, id, kind } = record;
      update.run(JSON.stringify(attributes), createdAt, now, dueAt, id, kind);
      return { ...record, updatedAt: now };
    },

    get<K extends Kind>(kind: K, id: string): Stored<K> | undefined {
      const row = byId.get(id, kind);
      return row && read(kind, row);
    },

    /** Newest first. Reads one more than `limit` to know whether there are more. */
    list<K extends Kind>(kind: K, query: ListQuery): { items: Stored<K>[]; hasMore: boolean } {
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
      for (const [id, operator] of [
        [query.before, '>'],
        [query.after, '<'],
      ] as const) {
        if (id === undefined) continue;
        conditions.push(`seq ${operator} (select seq from objects where id = ?)`);
        values.push(id);
      }
      const sql = `select * from objects where ${conditions.join(' and ')} order by seq desc limit ?`;
      const rows = database.prepare(sql).all(...values, query.limit + 1);
      return {
        items: rows.slice(0, query.limit).map((row) => read(kind, row)),
        hasMore: rows.length > query.limit,
      };
    },

    remove(id: string): void {
      remove.run(id);
    },

    /** Resources of a kind that are due for completion. */
    due<K extends Kind>(kind: K, now: number): Stored<K>[] {
      return dueRows.all(kind, now).map((row) => read(kind, row));
    },

    /** When the next resource is due for completion, in ms, or null. */
    nextDue(): number | null {
      return Due.parse(nextDue.get()).at;
    },

    /** Runs `work` in a transaction. Nested calls join the outer transaction. */
    transact<T>(work: () => T): T {
      if (depth > 0) return work();
      database.exec('begin immediate');
      depth += 1;
      try {
        const result = work();
        database.exec('commit');
        return result;
      } catch (error) {
        // A full disk may have sendIfClosed it already.
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

type NewRecord = { id?: string; parent?: string | null; dueAt?: number | null };

/** Adds and changes resources at the time of the provider's clock. */
export const createRecords = (store: Store, clock: Clock, livemode: boolean) => ({
  /** Stores a new resource; without an `id` it gets a new one of its kind. */
  add<K extends Kind>(
    kind: K,
    attributes: Kinds[K],
    { id = newId(ID_PREFIXES[kind]), parent = null, dueAt = null }: NewRecord = {},
  ): Stored<K> {
    const record = { id, kind, parent, attributes: { ...attributes, livemode }, dueAt };
    return store.add({ ...record, createdAt: clock.now() });
  },
  /** Stores new values of some attributes, and when the resource is due if that changes. */
  change<K extends Kind>(
    record: Stored<K>,
    changes: Partial<Kinds[K]>,
    dueAt: number | null = record.dueAt,
  ): Stored<K> {
    return store.save({ ...record, dueAt, attributes: { ...record.attributes, ...changes } }, clock.now());
  },
});
export type Records = ReturnType<typeof createRecords>;
