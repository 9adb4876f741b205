import { nowMs, runAfter } from '@tara/contract/clock';
import { previewLength } from '@tara/contract/limits';
import { picturePreview } from '@tara/contract/notices';
import { and, asc, gt, gte, inArray, or, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { ownChange } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { devices } from '../devices/index.ts';
import { notify } from '../notifications/index.ts';
import type { ListedChat } from './store.ts';
import { chatEntries, chatEntryProgress, chatMarks, chats, messages } from './tables.ts';

/** ms between two writes of the lists; what arrives in between is written together. */
const pauseMs = 50;
/** ms until a failed write is tried again. */
const retryMs = 1000;
/** ms after a message from which our own web may have read lists that were not written yet: it waits 300 ms. */
const lateMs = 200;
/** ms between two notes of how far the lists are written. */
const progressMs = 10_000;
/** ms by which a start looks further back than that: a change is as old as the start of its transaction. */
const overlapMs = 60_000;
/** ms until a message is pushed: what follows in that time is pushed with it, and its reader may be about to come. */
const pushDelayMs = 10_000;
/** ms after which a message is not pushed any more, as when lists are written again. */
const pushableMs = 600_000;
/** Chats whose lists are written at once, at most: while a database is away more and more of them wait. */
const batchSize = 1000;

/** The pair key of a conversation: the two account ids joined (§3); empty of a plan chat. */
export const mixIdOf = ({
  kind,
  firstAccountId,
  secondAccountId,
}: Pick<ListedChat, 'kind' | 'firstAccountId' | 'secondAccountId'>): string =>
  kind === 'conversation' ? firstAccountId + secondAccountId : '';

/** The lists' rows of both members. */
const rowsOf = (chat: ListedChat) =>
  (
    [
      [chat.firstId, chat.secondId, chat.firstCount],
      [chat.secondId, chat.firstId, chat.secondCount],
    ] as const
  ).map(([member, other, count]) => ({
    member_id: member,
    chat_id: chat.id,
    kind: chat.kind,
    other_id: other,
    mix_id: mixIdOf(chat),
    version: chat.version,
    last_sequence: chat.lastSequence,
    incoming: chat.lastSequence - count,
    preview:
      chat.lastSequence > 0 ? [...(chat.preview || picturePreview)].slice(0, previewLength).join('') : '',
    preview_by: chat.previewBy,
    awaits_id: chat.awaitsId,
    expires_at: chat.expiresAt?.toISOString() ?? null,
    updated_at: chat.newestAt.toISOString(),
  }));

/**
 * Has the readers of new messages pushed a moment later who get notifications on a device: one job for each chat and reader,
 * which looks whether the reader is here by then. A message request is not pushed.
 */
async function enqueuePushes(database: Database, listed: readonly ListedChat[]): Promise<void> {
  const since = nowMs() - pushableMs;
  const readers = listed
    .filter(
      ({ awaitsId, lastSequence, newestAt }) => !awaitsId && lastSequence > 0 && newestAt.getTime() > since,
    )
    .flatMap(({ id: chatId, firstId, secondId, firstAccountId, secondAccountId, previewBy }) =>
      [
        { chatId, profileId: firstId, accountId: firstAccountId },
        { chatId, profileId: secondId, accountId: secondAccountId },
      ].filter(({ profileId }) => profileId !== previewBy),
    );
  if (readers.length === 0) return;
  const accountIds = [...new Set(readers.map(({ accountId }) => accountId))];
  const rows = await database
    .selectDistinct({ accountId: devices.accountId })
    .from(devices)
    .where(inArray(devices.accountId, accountIds));
  const withDevices = new Set(rows.map(({ accountId }) => accountId));
  const runAt = new Date(nowMs() + pushDelayMs);
  const jobs = readers
    .filter(({ accountId }) => withDevices.has(accountId))
    .map(({ chatId, profileId }) => ({ chatId, profileId }));
  await tasks.pushChat.enqueueMany(database, jobs, { runAt, keepsTime: true });
}

/**
 * Copies what the rows of chats have for the lists into the lists of their members: the step after each change of a chat.
 * Repeating it, or one with an older version, changes nothing. Each chat is named once.
 */
export async function saveEntries(
  database: Database | Transaction,
  listed: readonly ListedChat[],
): Promise<void> {
  if (listed.length === 0) return;
  await database.execute(sql`
    insert into ${chatEntries} (member_id, chat_id, kind, other_id, mix_id, version, last_sequence, incoming, preview,
      preview_by, awaits_id, expires_at, updated_at)
    select * from json_to_recordset(${JSON.stringify(listed.flatMap(rowsOf))}::json) as row(member_id text, chat_id text,
      kind text, other_id text, mix_id text, version int, last_sequence int, incoming int, preview text, preview_by text,
      awaits_id text, expires_at timestamptz, updated_at timestamptz)
      order by member_id, chat_id
    on conflict (member_id, chat_id) do update set version = excluded.version, last_sequence = excluded.last_sequence,
      incoming = excluded.incoming, preview = excluded.preview, preview_by = excluded.preview_by,
      awaits_id = excluded.awaits_id, expires_at = excluded.expires_at, updated_at = excluded.updated_at
    where ${chatEntries.version} < excluded.version`);
}

/** Whether the list of requests of the one who is to accept it shows the chat from now on, or did before. */
const isRequest = ({ awaitsId, lastSequence }: ListedChat) => awaitsId !== null && lastSequence > 0;

/**
 * The same, and notifies members of the message requests among them, each once, and has the other messages pushed. Lists are
 * written after messages, which have one statement for many chats.
 */
async function listChats(database: Database, listed: readonly ListedChat[]): Promise<void> {
  const requests = listed.filter(isRequest);
  if (requests.length === 0) await saveEntries(database, listed);
  else
    await database.transaction(async (transaction) => {
      await saveEntries(transaction, listed);
      for (const { id, awaitsId, firstId, secondId } of requests)
        if (awaitsId !== null)
          await notify(transaction, {
            event: 'messageRequest',
            to: { profileId: awaitsId },
            recordId: id,
            actorId: awaitsId === firstId ? secondId : firstId,
          });
    });
  await enqueuePushes(database, listed);
}

/** Writes the lists of chats from their rows, in the order of their ids; of all without `ids`. */
async function copyChats(
  database: Database,
  { ids, signal }: { ids?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  let after = '';
  for (let index = 0; ; index += batchSize) {
    signal?.throwIfAborted();
    const page = ids?.slice(index, index + batchSize);
    const rows = await database
      .select()
      .from(chats)
      .where(page ? inArray(chats.id, page) : gt(chats.id, after))
      .orderBy(asc(chats.id))
      .limit(batchSize);
    await listChats(database, rows);
    after = rows.at(-1)?.id ?? after;
    if (page ? index + batchSize >= (ids?.length ?? 0) : rows.length < batchSize) return;
  }
}

/** Raises the read marks in the lists to those of the chats, of marks that were raised after `since`. */
async function copyMarks(database: Database, since: Date, signal?: AbortSignal): Promise<void> {
  let after = { chatId: '', memberId: '' };
  for (;;) {
    signal?.throwIfAborted();
    // Read first: marks and lists are on different shards.
    const page = await database
      .select()
      .from(chatMarks)
      .where(
        and(
          gte(chatMarks.updatedAt, since),
          sql`(${chatMarks.chatId}, ${chatMarks.memberId}) > (${after.chatId}, ${after.memberId})`,
        ),
      )
      .orderBy(asc(chatMarks.chatId), asc(chatMarks.memberId))
      .limit(batchSize);
    if (page.length === 0) return;
    const rows = page.map(({ chatId, memberId, read, incomingRead }) => ({
      ...{ chat_id: chatId, member_id: memberId, read, incoming_read: incomingRead },
    }));
    await database.execute(sql`
      update ${chatEntries} set read = greatest(chat_entries.read, marks.read),
        incoming_read = greatest(chat_entries.incoming_read, marks.incoming_read)
      from json_to_recordset(${JSON.stringify(rows)}::json) as marks(chat_id text, member_id text, read int, incoming_read int)
      where marks.chat_id = chat_entries.chat_id and marks.member_id = chat_entries.member_id
        and (chat_entries.read < marks.read or chat_entries.incoming_read < marks.incoming_read)`);
    after = page.at(-1) ?? after;
  }
}

/**
 * Writes all lists again from messages and marks, and before them what the rows of chats have for them. It may run while
 * messages are sent and taken back: what changed since a message was read keeps its own.
 */
export async function rebuildEntries(database: Database): Promise<void> {
  await database.execute(sql`
    update ${chats} set version = chats.version + 1, preview = left(newest.body, ${previewLength}),
      preview_by = newest.user_id, newest_at = newest.created_at
    from (
      select messages.*, seen.version from ${chats} as seen
      join ${messages} on chat_id = seen.id and sequence = seen.last_sequence) as newest
    where chats.id = newest.chat_id and chats.version = newest.version`);
  await copyChats(database);
  await copyMarks(database, new Date(0));
}

/**
 * Repairs what a crash left unwritten: lists lag behind chats by less than a second. Of a node that died while others went on,
 * which note how far their own are, it is what changed since `from`.
 */
export async function repairEntries(
  { database }: Pick<Platform, 'database'>,
  from?: Date,
  signal?: AbortSignal,
): Promise<void> {
  const [progress] = from ? [] : await database.select().from(chatEntryProgress);
  const start = from ?? progress?.savedThrough;
  const since = new Date(Math.max(0, (start?.getTime() ?? 0) - overlapMs));
  const changed = await database
    .selectDistinct({ id: messages.chatId })
    .from(messages)
    .where(or(gte(messages.createdAt, since), gte(messages.unsentAt, since)));
  await copyChats(database, { ids: changed.map(({ id }) => id), signal });
  await copyMarks(database, since, signal);
}

/** Writes lists after changes of chats, many at a time. */
export interface EntryWriter {
  /** Takes a chat as a change left it. */
  add(chat: ListedChat): void;
  /** Resolves when everything taken is written. */
  close(): Promise<void>;
}

type WriterContext = Pick<Platform, 'database' | 'bus' | 'log'>;

/**
 * Announces to the members' clients of the wire that their lists of conversations are written; also to our own web, which
 * counts by the lists of both kinds, where they are late.
 */
function announceSaved(
  { bus }: Pick<Platform, 'bus'>,
  saved: readonly ListedChat[],
  { isLate }: { isLate: boolean },
): void {
  for (const { kind, firstId, secondId, firstAccountId, secondAccountId } of saved) {
    for (const [id, accountId] of [
      [firstId, firstAccountId],
      [secondId, secondAccountId],
    ] as const) {
      const change = ownChange({ accountId }, { collection: 'conversationOwners', id, change: 'update' });
      if (kind === 'conversation') bus.publish('document', change);
      if (isLate) bus.publish('document', { ...change, clients: 'web' });
    }
  }
}

/** Opens a writer of lists. A failed write is tried again until it succeeds or the writer is closed. */
export function openEntryWriter(context: WriterContext): EntryWriter {
  const { database, log } = context;
  const waiting = new Map<string, ListedChat>();
  /** Since when the oldest of them waits, epoch ms. */
  let waitingSince = 0;
  let running: Promise<void> | null = null;
  let closing = false;
  let progressAt = 0;

  const add = (chat: ListedChat) => {
    if (waiting.size === 0) waitingSince = nowMs();
    const known = waiting.get(chat.id);
    if (known === undefined || known.version < chat.version) waiting.set(chat.id, chat);
  };

  async function saveProgress(saved: readonly ListedChat[]): Promise<void> {
    if (nowMs() - progressAt < progressMs) return;
    progressAt = nowMs();
    // By the database's clock, as what is looked for at a start.
    const savedThrough = new Date(Math.max(...saved.map(({ newestAt }) => newestAt.getTime())));
    await database
      .insert(chatEntryProgress)
      .values({ savedThrough })
      .onConflictDoUpdate({
        target: chatEntryProgress.single,
        set: { savedThrough: sql`greatest(${chatEntryProgress.savedThrough}, excluded.saved_through)` },
      });
  }

  async function drain(): Promise<void> {
    while (waiting.size > 0) {
      const batch: ListedChat[] = [];
      for (const [id, chat] of waiting) {
        if (batch.length === batchSize) break;
        batch.push(chat);
        waiting.delete(id);
      }
      const since = waitingSince;
      try {
        await listChats(database, batch);
        announceSaved(context, batch, { isLate: nowMs() - since > lateMs });
        await saveProgress(batch);
      } catch (error) {
        log.warn({ err: error, chats: batch.length }, 'lists of chats could not be written');
        // Left as they are at a stop: the next start repairs them.
        if (closing) break;
        batch.forEach(add);
        waitingSince = since;
        await pause(retryMs);
      }
      if (!closing && waiting.size > 0 && batch.length < batchSize) await pause(pauseMs);
    }
    // At once with the last look at what waits: what is added next starts a new round.
    running = null;
  }

  return {
    add(chat) {
      add(chat);
      running ??= drain();
    },
    async close() {
      closing = true;
      await running;
    },
  };
}

const writers = new WeakMap<Database, EntryWriter>();

/**
 * The writer of a database's lists, which all that changes chats on this node share. Once closed, the next call opens a
 * new one.
 */
export function entryWriter(context: WriterContext): EntryWriter {
  const { database } = context;
  const known = writers.get(database);
  if (known) return known;
  const writer = openEntryWriter(context);
  const shared: EntryWriter = {
    ...writer,
    close() {
      if (writers.get(database) === shared) writers.delete(database);
      return writer.close();
    },
  };
  writers.set(database, shared);
  return shared;
}

/** Writes the lists of a chat at once; what fails is left to the writer. */
export async function saveListed(context: WriterContext, chat: ListedChat): Promise<void> {
  try {
    await saveEntries(context.database, [chat]);
    announceSaved(context, [chat], { isLate: false });
  } catch (error) {
    context.log.warn({ err: error, chatId: chat.id }, 'the lists of a chat could not be written');
    entryWriter(context).add(chat);
  }
}

const pause = (ms: number) => new Promise<void>((done) => void runAfter(ms, done));
