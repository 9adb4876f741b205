import { previewLength } from '@tara/contract/limits';
import type { ChatKind } from '@tara/contract/messages';
import { picturePreview } from '@tara/contract/notices';
import { eq, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import type { StoredChat } from './store.ts';
import { chatEntries, chatEntryProgress, chatMarks, chats, messages } from './tables.ts';

/** The newest message of a chat, for the lists of its two members. */
export interface NewestMessage {
  chatId: string;
  chat: StoredChat;
  sequence: number;
  body: string;
  userId: string | null;
  createdAt: Date;
}

/** ms between two writes of the lists; what arrives in between is written together. */
const pauseMs = 50;
/** ms until a failed write is tried again. */
const retryMs = 1000;
/** ms between two notes of how far the lists are written, and the margin by which a start looks further back. */
const progressMs = 10_000;

/** The lists' rows of both members. */
const rowsOf = ({ chatId, chat, sequence, body, userId, createdAt }: NewestMessage) =>
  (
    [
      [chat.firstId, chat.secondId, chat.firstCount],
      [chat.secondId, chat.firstId, chat.secondCount],
    ] as const
  ).map(([member, other, count]) => ({
    member_id: member,
    chat_id: chatId,
    kind: chat.kind,
    other_id: other,
    last_sequence: sequence,
    incoming: sequence - count,
    preview: [...(body || picturePreview)].slice(0, previewLength).join(''),
    preview_by: userId,
    updated_at: createdAt.toISOString(),
  }));

/** Writes rows of lists; one that knows this message already, or a newer one, is left as it is. */
const upsert = (
  rows: ReturnType<typeof sql>,
  isReplaced = sql`${chatEntries.lastSequence} < excluded.last_sequence`,
) => sql`
  insert into ${chatEntries} (member_id, chat_id, kind, other_id, last_sequence, incoming, preview, preview_by, updated_at)
  ${rows}
  on conflict (member_id, chat_id) do update set last_sequence = excluded.last_sequence, incoming = excluded.incoming,
    preview = excluded.preview, preview_by = excluded.preview_by, updated_at = excluded.updated_at
  where ${isReplaced}`;

const selectRows = (newest: readonly NewestMessage[]) =>
  sql`select * from json_to_recordset(${JSON.stringify(newest.flatMap(rowsOf))}::json) as row(member_id text, chat_id text,
    kind text, other_id text, last_sequence int, incoming int, preview text, preview_by text, updated_at timestamptz)
    order by member_id, chat_id`;

/** Writes the newest message of chats into the lists of their members. Repeating it, or an older one, changes nothing. */
export async function saveEntries(
  database: Database | Transaction,
  newest: readonly NewestMessage[],
): Promise<void> {
  await database.execute(upsert(selectRows(newest)));
}

/**
 * Writes the preview of a message that was taken back, also into lists that do not have the message yet: then its own
 * entry, which may still wait to be written, changes nothing.
 */
export async function saveUnsentEntry(transaction: Transaction, message: NewestMessage): Promise<void> {
  await transaction.execute(
    upsert(selectRows([message]), sql`${chatEntries.lastSequence} <= excluded.last_sequence`),
  );
}

/**
 * Writes the lists again from messages and marks, of chats of a kind with one after `since`; without it, of all. It may
 * run while messages are sent.
 */
export async function rebuildEntries(database: Database, kind: ChatKind, since = new Date(0)): Promise<void> {
  const after = since.toISOString();
  await database.execute(
    upsert(sql`
      select member.id, chat.id, chat.kind, member.other_id, newest.sequence, member.incoming,
        left(coalesce(nullif(newest.body, ''), ${picturePreview}), ${previewLength}), newest.user_id, newest.created_at
      from (
        select chat_id, max(sequence) as sequence from ${messages} where created_at >= ${after}::timestamptz group by chat_id
      ) as latest
      join ${chats} as chat on chat.id = latest.chat_id and chat.kind = ${kind}
      join ${messages} as newest on newest.chat_id = latest.chat_id and newest.sequence = latest.sequence
      cross join lateral (values
        (chat.first_id, chat.second_id, newest.sequence - newest.first_count),
        (chat.second_id, chat.first_id, newest.sequence - newest.second_count)) as member(id, other_id, incoming)
      order by member.id, chat.id`),
  );
  await database.execute(sql`
    update ${chatEntries} set read = greatest(chat_entries.read, marks.read),
      incoming_read = greatest(chat_entries.incoming_read, marks.incoming_read)
    from ${chatMarks} as marks
    where marks.chat_id = chat_entries.chat_id and marks.member_id = chat_entries.member_id
      and marks.updated_at >= ${after}::timestamptz and chat_entries.kind = ${kind}`);
}

/** Repairs what a crash left unwritten: lists lag behind messages by less than a second. */
export async function repairEntries({ database }: Pick<Platform, 'database'>, kind: ChatKind): Promise<void> {
  const [progress] = await database.select().from(chatEntryProgress).where(eq(chatEntryProgress.kind, kind));
  const savedThrough = progress?.savedThrough.getTime() ?? 0;
  await rebuildEntries(database, kind, new Date(Math.max(0, savedThrough - progressMs)));
}

/** Writes lists after messages, many at a time. */
export interface EntryWriter {
  /** Takes the newest message of a chat. */
  add(message: NewestMessage): void;
  /** Resolves when everything taken is written. */
  close(): Promise<void>;
}

/** Opens the writer of one kind's lists. A failed write is tried again until it succeeds or the writer is closed. */
export function openEntryWriter(
  { database, log }: Pick<Platform, 'database' | 'log'>,
  kind: ChatKind,
): EntryWriter {
  let waiting = new Map<string, NewestMessage>();
  let running: Promise<void> | null = null;
  let closing = false;
  let progressAt = 0;

  const add = (message: NewestMessage) => {
    const known = waiting.get(message.chatId);
    if (known === undefined || known.sequence < message.sequence) waiting.set(message.chatId, message);
  };

  async function saveProgress(saved: readonly NewestMessage[]): Promise<void> {
    if (Date.now() - progressAt < progressMs) return;
    progressAt = Date.now();
    const through = new Date(Math.max(...saved.map(({ createdAt }) => createdAt.getTime())));
    await database
      .insert(chatEntryProgress)
      .values({ kind, savedThrough: through })
      .onConflictDoUpdate({
        target: chatEntryProgress.kind,
        set: { savedThrough: sql`greatest(${chatEntryProgress.savedThrough}, excluded.saved_through)` },
      });
  }

  async function drain(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting.values()];
      waiting = new Map();
      try {
        await saveEntries(database, batch);
        await saveProgress(batch);
      } catch (error) {
        log.warn({ err: error, chats: batch.length }, 'lists of chats could not be written');
        // Left as they are at a stop: the next start repairs them.
        if (closing) break;
        batch.forEach(add);
        await pause(retryMs);
      }
      if (!closing && waiting.size > 0) await pause(pauseMs);
    }
    // At once with the last look at what waits: what is added next begins anew.
    running = null;
  }

  return {
    add(message) {
      add(message);
      running ??= drain();
    },
    async close() {
      closing = true;
      await running;
    },
  };
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms).unref());
