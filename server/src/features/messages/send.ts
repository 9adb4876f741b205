import type { ChatKind, Message } from '@tara/contract/messages/messages';
import { adminName } from '@tara/contract/notices';
import type { ProblemType } from '@tara/contract/problems';
import { and, eq } from 'drizzle-orm';
import { type Database, isConnectionLoss, type Transaction } from '../../platform/database/connect.ts';
import { isBusy, isDiskFull } from '../../platform/database/constraint.ts';
import { groupCommit } from '../../platform/database/group-commit.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { attachFile } from '../files/index.ts';
import { announceChatEvent, announceMessage } from './announce.ts';
import { entryWriter, saveEntries, saveListed } from './entries.ts';
import { chatCan } from './policy.ts';
import { presentMessage } from './present.ts';
import { findMessage } from './read.ts';
import { type Draft, messageStore, type Outcome, type Refusal } from './store.ts';
import { chats, messages } from './tables.ts';

/** A message as its author sends it. */
export interface NewMessage {
  chatId: string;
  body: string;
  imageId?: string | null | undefined;
  replyTo?: number | null | undefined;
  /** Drawn when left out. */
  clientKey?: string | undefined;
}

/** Sends a message; resolves with what is stored. */
export type MessageSender = (viewer: Viewer, message: NewMessage) => Promise<Message>;

type SendContext = Pick<Platform, 'database' | 'sharded' | 'bus' | 'log' | 'nodes'>;

const problems: Record<Refusal, ProblemType> = {
  not_found: 'chat_not_found',
  closed: 'chat_closed',
  blocked: 'chat_read_only',
  expired: 'chat_expired',
  text_only: 'chat_request_text_only',
  request_full: 'chat_request_full',
};

/** Most messages of one statement: a few milliseconds of work. */
const batchSize = 256;
const isCommon = (error: unknown) => isConnectionLoss(error) || isBusy(error) || isDiskFull(error);

/** What the same member stored under the same key before. */
async function findEarlier(database: Database, draft: Draft): Promise<Outcome | undefined> {
  const [earlier] = await database
    .select({ sequence: messages.sequence })
    .from(messages)
    .where(
      and(
        eq(messages.chatId, draft.chatId),
        eq(messages.userId, draft.userId ?? ''),
        eq(messages.clientKey, draft.clientKey),
      ),
    );
  return earlier && { state: 'earlier', sequence: earlier.sequence };
}

/**
 * Stores a message with a picture: in a transaction, for with it the picture becomes readable to the two members, and to
 * nobody else. @throws Problem `storage_file_not_found` unless it is the writer's own, unused upload.
 */
async function storeWithPicture(
  database: Database,
  ownerAccountId: string,
  draft: Draft,
  imageId: string,
): Promise<{ outcome: Outcome; draft: Draft }> {
  const earlier = await findEarlier(database, draft);
  if (earlier) return { outcome: earlier, draft };
  return database.transaction(async (transaction: Transaction) => {
    const [chat] = await transaction.select().from(chats).where(eq(chats.id, draft.chatId));
    // First of all: to others the answer about the picture would reveal the chat.
    if (!chat || !chatCan.read({ profileId: draft.userId ?? '' }, chat)) throw new Problem('chat_not_found');
    const readers = [chat.firstAccountId, chat.secondAccountId];
    const file = { id: imageId, ownerAccountId, bucket: 'messageFiles', readers } as const;
    const withPicture = { ...draft, picture: await attachFile(transaction, file) };
    const [outcome = { state: 'not_found' } as const] = await messageStore(transaction)([withPicture]);
    // Refused, the upload stays unused.
    if (outcome.state !== 'stored' && outcome.state !== 'earlier') throw new Problem(problems[outcome.state]);
    return { outcome, draft: withPicture };
  });
}

/** The message of a draft that was just stored. */
function storedMessage(draft: Draft, { id, sequence, createdAt }: Outcome & { state: 'stored' }): Message {
  const { picture } = draft;
  // Later than its reply it cannot be: the statement stores such a reply as none.
  const replyTo = draft.replyTo !== null && draft.replyTo < sequence ? draft.replyTo : null;
  return presentMessage({
    ...{ ...draft, id, sequence, createdAt, replyTo },
    ...{ imageId: picture?.id ?? null, unsentAt: null },
  });
}

/** Announces a stored message to the two members, and to their lists; members write into open chats alone. */
function followUp(
  context: Pick<Platform, 'database' | 'bus' | 'log'>,
  draft: Draft,
  outcome: Outcome & { state: 'stored' },
  closedAt: Date | null = null,
): Message {
  const message = storedMessage(draft, outcome);
  const { chat } = outcome;
  announceMessage(context, { ...chat, closedAt }, message);
  // The first answer accepts a message request: the other sees marks and presence from now on.
  if (chat.kind === 'conversation' && draft.userId === chat.secondId && chat.secondCount === 1)
    announceChatEvent(
      context,
      chat,
      { changed: true },
      { accountIds: [chat.firstAccountId, chat.secondAccountId] },
    );
  entryWriter(context).add(chat);
  return message;
}

type Sender = { send: MessageSender; close: () => Promise<void> };

/** By the bus of a node, and the kind. */
const senders = new WeakMap<SendContext['bus'], Map<ChatKind, Sender>>();

/**
 * All writes of members to chats of a kind go through the returned function, which both wires share. A message is committed before it is answered
 * or announced; sending again with the same `clientKey` returns the stored one. It throws Problem `chat_not_found`,
 * `chat_closed`, `chat_read_only`, `chat_expired`, `chat_request_text_only`, `chat_request_full`,
 * `storage_file_not_found`.
 */
export function messageSender(context: SendContext, kind: ChatKind): Sender {
  const byKind = senders.get(context.bus) ?? new Map<ChatKind, Sender>();
  senders.set(context.bus, byKind);
  const sender = byKind.get(kind) ?? openSender(context, kind);
  byKind.set(kind, sender);
  return sender;
}

function openSender(context: SendContext, kind: ChatKind): Sender {
  const { database, sharded } = context;
  const store = messageStore(database);
  // One commit for the messages of many chats; of a sharded database one for each, on the chat's shard.
  const commit = sharded
    ? async (draft: Draft) => (await store([draft]))[0] ?? ({ state: 'not_found' } as const)
    : groupCommit(store, { batchSize, isCommon });
  /** What is being stored, by writer, chat and key: the same message twice at once is stored and announced once. */
  const underway = new Map<string, Promise<Message>>();

  /**
   * What was stored before. With several nodes the one that stored it may have died before it announced it, which closed the
   * sockets of its own members alone.
   */
  async function findStored({ chatId }: Draft, sequence: number): Promise<Message> {
    const message = await findMessage(database, chatId, sequence);
    if (message === undefined) throw new Problem('chat_not_found');
    if (!context.nodes.areMany) return message;
    const [chat] = await database.select().from(chats).where(eq(chats.id, chatId));
    if (chat) {
      announceMessage(context, chat, message);
      entryWriter(context).add(chat);
    }
    return message;
  }

  async function sendOne(viewer: Viewer, message: NewMessage, clientKey: string): Promise<Message> {
    const { chatId, body, imageId = null, replyTo = null } = message;
    const { profileId: userId, name } = viewer;
    const text: Draft = { chatId, kind, userId, name, body, replyTo, clientKey, picture: null };
    const { outcome, draft } =
      imageId === null
        ? { outcome: await commit(text), draft: text }
        : await storeWithPicture(database, viewer.accountId, text, imageId);
    if (outcome.state === 'stored') return followUp(context, draft, outcome);
    if (outcome.state !== 'earlier') throw new Problem(problems[outcome.state]);
    return findStored(draft, outcome.sequence);
  }

  return {
    send(viewer, message) {
      const { chatId, clientKey = newId() } = message;
      const key = JSON.stringify([viewer.profileId, chatId, clientKey]);
      const same = underway.get(key);
      if (same) return same;
      const sent = sendOne(viewer, message, clientKey).finally(() => underway.delete(key));
      underway.set(key, sent);
      return sent;
    },
    close: () => entryWriter(context).close(),
  };
}

/** A line of Tara: `clientKey` names its cause. */
export interface Line {
  chatId: string;
  body: string;
  clientKey: string;
}

const lineDraft = (line: Line): Draft => ({
  ...{ ...line, userId: null, name: adminName },
  ...{ picture: null, replyTo: null },
});

/**
 * Stores the lines with which a chat opens, in the transaction that opens it, without an announcement. Storing them
 * again changes nothing.
 */
export async function storeLines(transaction: Transaction, lines: readonly Line[]): Promise<void> {
  const outcomes = await messageStore(transaction)(lines.map(lineDraft));
  const newest = outcomes.findLast((outcome) => outcome.state === 'stored');
  if (newest?.state === 'stored') await saveEntries(transaction, [newest.chat]);
}

/**
 * Writes a line of Tara into a chat, also where members cannot write (§3 'admin'). Writing it again changes nothing.
 * Returns null when there is no such chat.
 */
export async function writeLine(
  context: Pick<Platform, 'database' | 'bus' | 'log'>,
  line: Line,
): Promise<Message | null> {
  const { database } = context;
  const draft = lineDraft(line);
  const [outcome] = await messageStore(database)([draft]);
  if (outcome?.state === 'stored') {
    await saveListed(context, outcome.chat);
    const [state] = await database
      .select({ closedAt: chats.closedAt })
      .from(chats)
      .where(eq(chats.id, line.chatId));
    return followUp(context, draft, outcome, state?.closedAt);
  }
  if (outcome?.state !== 'earlier') return null;
  // A crash may have left the lists behind it.
  const [chat] = await database.select().from(chats).where(eq(chats.id, line.chatId));
  if (chat) await saveEntries(database, [chat]);
  return (await findMessage(database, line.chatId, outcome.sequence)) ?? null;
}
