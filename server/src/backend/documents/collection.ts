import { Id } from '@tara/contract/fields';
import type { CollectionId, Document } from '@tara/contract/wire/documents';
import type { SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Visit } from '../../features/accounts/index.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { LastState } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import type { PictureAddresses } from '../pictures.ts';

/** What is read or compared: a column of a table, or SQL over its columns. */
export type Expression = PgColumn | SQL;

/** Of `time` the wire shows ISO text; `strings` is a list of texts. */
export type AttributeType = 'string' | 'integer' | 'number' | 'boolean' | 'time' | 'strings';

interface AttributeOptions {
  /** Whether lists may be filtered and ordered by it: where an index, or few rows of the viewer's own, make it cheap. */
  indexed?: true;
  /**
   * The record's id in the table of `column`, where that is a joined one with an index of both: orders by it end with this
   * id, and leave out what has no row there.
   */
  joinedId?: PgColumn;
  /** The condition of the records that a viewer may look for by it; all of them without. */
  searchable?: (viewer: Viewer) => SQL;
  /** Texts are compared without regard to case; `column` is in lower case. */
  folded?: true;
  /** Shown to the parties of the record alone; to others it is null. */
  private?: true;
  /** The condition of the records that have the words of a text, for `search`. */
  search?: (text: string, viewer: Viewer) => SQL;
}

/** Who reads, and in which form. */
export interface Reader {
  /** Null for a document as everybody may see it. */
  viewer: Pick<Viewer, 'accountId' | 'hiddenAccountIds' | 'hiddenProfileIds'> | null;
  databaseId: string;
  /** SDKs before the response format 1.9.0 read `$sequence` as a number. */
  numericSequence: boolean;
  pictures: PictureAddresses;
}

/** One attribute of a document. Make it with `attribute`, `derived` or `related`. */
export interface Attribute extends AttributeOptions {
  type: AttributeType;
  /** What is filtered and ordered by; null for what is only shown and never null. */
  column: Expression | null;
  /** What is read of the record for it. */
  cells: readonly Expression[];
  /** Makes the value of the wire of the cells; without, it is the only cell as `type` says. */
  present?: (cells: readonly unknown[], reader: Reader) => unknown;
}

/** A document inside a document, such as `creator`; null of a member who is hidden from the reader. */
export interface Relation {
  /** How the related document is read; its table must have an alias of its own. */
  source: DocumentSource;
  on: SQL;
  /** The column with the other's id: `equal("creator", [id])` compares it. */
  column: Expression;
  indexed?: true;
}

/** @throws Problem `document_not_found` when it was deleted meanwhile */
export function requireId(id: string | undefined): string {
  if (id === undefined) throw new Problem('document_not_found');
  return id;
}

/** An attribute that is stored in one column. */
export const attribute = (
  type: AttributeType,
  column: Expression,
  options: AttributeOptions = {},
): Attribute => ({ type, column, cells: [column], ...options });

/** An attribute that is made of other columns and is never null, such as the address of a picture. */
export const derived = (
  type: AttributeType,
  cells: readonly Expression[],
  present: NonNullable<Attribute['present']>,
): Attribute => ({ type, column: null, cells, present, indexed: true });

/** An attribute of texts that SQL makes as a JSON array; an empty list for null. */
export const texts = (json: SQL): Attribute =>
  derived('strings', [json], ([sent]) => (typeof sent === 'string' ? JSON.parse(sent) : (sent ?? [])));

/** An attribute that holds another document. */
export const related = (
  column: Expression,
  source: DocumentSource,
  on: SQL,
  options: Pick<Relation, 'indexed'> = {},
): Relation => ({ column, source, on, ...options });

export const isRelation = (entry: Attribute | Relation): entry is Relation => 'source' in entry;

/** How documents of a collection are read, from a table or an alias of it. */
export interface DocumentSource {
  collectionId: CollectionId;
  table: PgTable;
  /** Tables that the expressions below need besides, each at most one row for a record. */
  joins?: readonly { table: PgTable; on: SQL }[];
  id: Expression;
  createdAt: Expression;
  updatedAt: Expression;
  /** Counts the records in the order of their insertion; without, `$sequence` is the creation in epoch ms. */
  sequence?: Expression;
  /** Accounts whose record it is, the one who made it first: `$permissions` are made of them. */
  parties: readonly Expression[];
  /** What the rules grant (§6), as strings of the wire. `''` is a party that is nobody or hidden from the reader. */
  permissions: (parties: readonly string[]) => string[];
  attributes: Readonly<Record<string, Attribute | Relation>>;
}

/** A table with its key and times under their usual names; one that counts its records has a `number` besides. */
type RecordTable = PgTable & { id: PgColumn; createdAt: PgColumn; updatedAt?: PgColumn; number?: PgColumn };

/** How the records of a table are named, dated and counted. What never changes is as old as its last change. */
export const recordOf = (table: RecordTable) => ({
  table,
  id: table.id,
  createdAt: table.createdAt,
  updatedAt: table.updatedAt ?? table.createdAt,
  sequence: table.number,
});

/** `$permissions` of what every member reads and the first party changes. */
export const grants = {
  /** Signed-in members with a confirmed email. */
  readByMembers: 'read("users/verified")',
  readBy: (accountId: string) => `read("user:${accountId}")`,
  updateBy: (accountId: string) => `update("user:${accountId}")`,
  deleteBy: (accountId: string) => `delete("user:${accountId}")`,
  readByAdmins: 'read("label:admin")',
  decidedByAdmins: ['read("label:admin")', 'update("label:admin")', 'delete("label:admin")'],
} as const;

/** `$permissions` of what its owner alone reads and deletes. */
export const ownRecord = ([owner = '']: readonly string[]) => [grants.readBy(owner), grants.deleteBy(owner)];

/** What a write gets beside its input. */
export interface WriteContext extends Platform {
  visit: Visit;
}

/** Reads a document as the caller does; one without fields when it does not exist for them. */
export type ReadDocument = (collectionId: CollectionId, id: unknown) => Promise<Record<string, unknown>>;

/** How documents of a collection are created. */
export interface Creation {
  /** The attributes that a caller may set. */
  fields: z.ZodObject;
  /** What the server sets of a new record: a caller who sends exactly this is not refused. */
  sets?: (viewer: Viewer, data: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** The same of what follows from another record that the data name; read only when some of it was sent. */
  relatedSets?: (
    data: Readonly<Record<string, unknown>>,
    read: ReadDocument,
  ) => Promise<Record<string, unknown>>;
  /**
   * The id of the record that the creation would answer as it is, where one of these data exists already: what equals it is not refused
   * either.
   */
  findExisting?: (
    context: Pick<Platform, 'database'>,
    viewer: Viewer,
    data: Readonly<Record<string, unknown>>,
  ) => Promise<string | undefined>;
  /** Does it by the feature's own function and answers the id; `documentId` is null where the server chooses one. */
  run: (
    context: WriteContext,
    viewer: Viewer,
    input: { data: never; documentId: string | null },
  ) => Promise<string>;
  /** How many a minute one account may create. */
  perMinute: number;
  /** Whether an account whose email is not confirmed may do it. */
  unconfirmed?: true;
  /** Whether a suspended member may: as of the product's own call that does the same. */
  whileSuspended?: true;
}

/** How a document is changed; `document` is what the viewer reads of it before. */
export interface Change {
  fields: z.ZodObject;
  run: (context: WriteContext, viewer: Viewer, input: { data: never; document: Document }) => Promise<void>;
  perMinute: number;
  /** The attributes that a suspended member may set: as of the product's own calls that do the same. */
  whileSuspended?: readonly string[];
}

export interface Removal {
  run: (context: WriteContext, viewer: Viewer, document: Document) => Promise<unknown>;
  perMinute: number;
  whileSuspended?: true;
}

/** A related document as a caller names it: by its id, or by the document that was read, or by one with the names of §3. */
export const Reference = z.union([
  Id,
  z.object({ $id: Id }).transform(({ $id }) => $id),
  z.object({ id: Id }).transform(({ id }) => id),
]);

/** An attribute that the server derives: any value is accepted and has no effect. */
export const derivedByServer = z
  .unknown()
  .optional()
  .transform(() => undefined);

interface Write<Fields extends z.ZodObject, Given, Answer> {
  fields: Fields;
  run: (context: WriteContext, viewer: Viewer, input: { data: z.output<Fields> } & Given) => Promise<Answer>;
}

/** A creation whose `data` is of the type of its fields. */
export const creation = <Fields extends z.ZodObject>(
  of: Write<Fields, { documentId: string | null }, string> &
    Pick<Creation, 'sets' | 'relatedSets' | 'findExisting' | 'perMinute' | 'unconfirmed' | 'whileSuspended'>,
): Creation => of as Creation;

/**
 * The creation of a member's own record that the server made with the profile, under the profile's id: an app whose
 * sign-up creates it too gets it as it is.
 */
export const existing = (sets: NonNullable<Creation['sets']>): Creation =>
  creation({
    fields: z.strictObject({}),
    sets,
    findExisting: async (_context, { profileId }) => profileId,
    perMinute: 30,
    unconfirmed: true,
    whileSuspended: true,
    run: async (_context, { profileId }) => profileId,
  });

/** A change whose `data` is of the type of its fields. */
export const change = <Fields extends z.ZodObject>(
  of: Write<Fields, { document: Document }, unknown> & Pick<Change, 'perMinute' | 'whileSuspended'>,
): Change => of as Change;

/**
 * Where the rows of a collection are whose tables a Citus cluster has on its workers: it joins none of them with those of the coordinator.
 * Then rows of the workers are read first, and stand for their tables in the statement that makes documents of them.
 */
export type Spread =
  | {
      records: 'coordinator';
      /** The rows of the workers that belong to a record, or to all records of a viewer. */
      readRows(database: Database, viewer: Viewer, id: string | null): Promise<LastState>;
    }
  | {
      records: 'workers';
      /** The column by which the rows are spread, and its value of a record that was announced. */
      key: PgColumn;
      keyOf(document: Readonly<Record<string, unknown>>): unknown;
    };

/** What is listed and read as documents are. */
export interface ReadableCollection {
  source: DocumentSource;
  spread?: Spread;
  /**
   * The condition of the records that a viewer reads: the feature's own of its lists, and of a single record where that
   * is another (muted members are in no list).
   */
  readable: {
    list: (viewer: Viewer) => SQL | undefined;
    one: (viewer: Viewer) => SQL | undefined;
    /**
     * The conditions that `list` joins by `or`, one for each index: by each the ids of a page are read, and then the records
     * of the page alone. Without, the order of the list has an index, or the viewer few records.
     */
    sides?: (viewer: Viewer) => readonly (SQL | undefined)[];
  };
  /**
   * Whether each new, changed and gone record is announced on the bus: then totals are kept until something is. Records
   * of which a viewer has few need no such thing.
   */
  announced: boolean;
  /** An account whose email is not confirmed reads it too, and then `readable` is its own records alone. */
  whileUnconfirmed?: true;
}

/**
 * A collection of the backend service: this table and nothing else says what it holds, who reads it, and which function
 * of the product writes it.
 */
export interface Collection extends ReadableCollection {
  create: Creation;
  update?: Change;
  delete?: Removal;
}
