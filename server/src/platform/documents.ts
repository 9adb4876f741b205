import type { CollectionId } from '@tara/contract/wire/realtime';
import { getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { StoredRow } from './database/columns.ts';

/** The members whom a record shows. */
export interface Owners {
  profileIds: readonly string[];
  /** Who wrote it, of posts, comments and reviews: those who muted the author do not get it. */
  authorId: string | null;
}

/** For records whose audience is chosen by account: the two parties of a request, and admins at work. */
export const noOwners: Owners = { profileIds: [], authorId: null };

/** What a deleted record was: its own row and those that went with it, by the names of their tables. */
export type LastState = Readonly<Record<string, readonly StoredRow[]>>;

/** The last state of a record of one row. */
export const lastRow = (table: PgTable, row: StoredRow): LastState => ({ [getTableName(table)]: [row] });

/** What happened to a record. Clients of the wire get a deleted one as `getDocument` would have answered it before. */
export type Change = { change: 'create' | 'update' } | { change: 'delete'; last: LastState };

/** A change of a record, announced on the bus after its commit; the realtime wire turns it into an event. */
export type DocumentChange = Change & {
  collection: CollectionId;
  id: string;
  /** What our own web needs of it; clients of the wire get the document as `getDocument` answers it. */
  document: Record<string, unknown>;
  /** The clients it is for, unless for all: only our own web gets passing events, such as typing. */
  clients?: 'web' | 'wire';
  /** Accounts that may read the record now; the change reaches nobody else. */
  audience: readonly string[] | 'members' | 'admins';
  /** Its owners: it does not reach members from whom one of them is hidden, or who muted one. */
  owners: Owners;
  /** Further channels whose listeners care, such as the conversation a message belongs to. */
  alsoOn?: readonly string[];
};

/** A change of a record that only its member reads. Our own web needs none of it: the member's own tabs know. */
export const ownChange = (
  { accountId }: { accountId: string },
  record: Change & Pick<DocumentChange, 'collection' | 'id'>,
): DocumentChange => ({ ...record, clients: 'wire', document: {}, audience: [accountId], owners: noOwners });

/** A change of a stored file, announced after its commit (`announceFile`); the realtime wire turns it into an event. */
export interface FileChange {
  bucketId: string;
  /** As records name it. */
  id: string;
  /** As its owner knows it: the id chosen at the upload, which nobody else learns. */
  ownId: string;
  change: 'create' | 'update' | 'delete';
  /** As the calls answer it, but for its `$id`. */
  document: Record<string, unknown>;
  /** Accounts that may know of the file now; nobody else. */
  audience: readonly string[] | 'members';
  /** It does not reach those from whom its owner is hidden. */
  ownerAccountId: string | null;
}

/** What the wire shows of a session. */
export interface ShownSession {
  id: string;
  accountId: string;
  provider: string;
  providerUid: string;
  ip: string;
  userAgent: string;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

/** Topics of the bus. What they carry can be copied as `structuredClone` copies, which is how it comes to other nodes. */
export interface Topics {
  document: DocumentChange;
  file: FileChange;
  /** A file of an account was removed with the record that used it. */
  fileRemoved: { ids: readonly string[]; bucket: string; ownerAccountId: string };
  /** A change of an account that does not change its viewers; announced to the account's own clients. */
  userChanged: { accountId: string; field: 'phone' | 'prefs' };
  /** A session of an account, for the account's own clients; `email` is the account's. */
  sessionChanged: { change: 'create' | 'update' | 'delete'; session: ShownSession; email: string };
  /** A mailed secret of an account was asked for or used, for the account's own clients. */
  tokenChanged: {
    kind: 'recovery' | 'verification';
    change: 'create' | 'update';
    token: { id: string; accountId: string; createdAt: Date; expiresAt: Date };
  };
  /** A session ended or what is cached of its viewer changed. */
  viewerChanged: { accountId: string };
  /** An account has a new notification, or read one: for the account's own tabs. */
  notificationsChanged: { accountId: string };
  /**
   * An account's first socket on a node opened or its last one closed (`Platform.onlineAccounts`), `online` says which; or it
   * shows or hides that.
   */
  presenceChanged: { accountId: string; profileId: string } & (
    | { cause: 'connection'; online: boolean }
    | { cause: 'setting' }
  );
  /** Messages of other nodes were lost, or may have been: what depends on them is read again. Published here alone. */
  messagesMissed: Record<never, never>;
  /** Another node says nothing more: its sockets are gone. Published here alone. */
  nodeGone: Record<never, never>;
  /** A member with a socket did something. Published here alone. */
  memberActive: { profileId: string };
  /** What is cached of every viewer changed: the member of this account left or came back. */
  viewersChanged: { accountId: string };
  /** What the chats of two members show changed in another way than by a message; without the other, all of the member's. */
  chatsChanged: {
    accountId: string;
    otherAccountId: string | null;
    /** Whether the two may be hidden from each other from now on. */
    hides: boolean;
  };
}
