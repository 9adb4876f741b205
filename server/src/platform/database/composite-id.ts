import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from './connect.ts';
import { violates } from './constraint.ts';

/** Records that a member has of others, one of each: likes and saves. */
interface OwnRecords {
  table: PgTable & { readonly id: PgColumn };
  /** The column of the member. */
  owner: PgColumn;
  /** The column of the other record. */
  subject: PgColumn;
  /** The unique index on the owner and the id. */
  index: string;
}

/** Ids of records that are made of two other ids. */
export interface CompositeIds {
  /**
   * The first 8 characters of the owner's id and of the subject's (§3). Where another of the owner's records has that id
   * already, as clients choose ids that begin alike, it is longer, by the hash of the subject's whole id.
   */
  make(ownerId: string, subjectId: string): SQL;
  /** Writes a record with such an id, and does it again when another of the owner's took the id meanwhile. */
  write<Answer>(write: () => Promise<Answer>): Promise<Answer>;
  /** The id of an owner's record; undefined without one. */
  find(database: Database, ownerId: string, subjectId: string): Promise<string | undefined>;
}

export function compositeIds({ table, owner, subject, index }: OwnRecords): CompositeIds {
  return {
    make(ownerId, subjectId) {
      const id = ownerId.slice(0, 8) + subjectId.slice(0, 8);
      return sql`case when exists (select 1 from ${table} where ${owner} = ${ownerId} and ${table.id} = ${id})
        then ${`${id}.`}::text || left(md5(${subjectId}::text), 19) else ${id}::text end`;
    },
    async write(write) {
      try {
        return await write();
      } catch (error) {
        if (violates(error, index)) return write();
        throw error;
      }
    },
    async find(database, ownerId, subjectId) {
      const [row] = await database
        .select({ id: sql<string>`${table.id}` })
        .from(table)
        .where(and(eq(owner, ownerId), eq(subject, subjectId)));
      return row?.id;
    },
  };
}
