import { previewLength, requestMessages } from '@tara/contract/limits';
import type { ChatKind } from '@tara/contract/messages/messages';
import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { prepareSql } from '../../platform/database/prepared.ts';
import { newId } from '../../platform/ids.ts';
import type { PictureRow } from '../files/index.ts';
import type { ChatRow } from './present.ts';

/** A message on its way into the store. */
export interface Draft {
  chatId: string;
  /** What the chat must be; either when unset. */
  kind?: ChatKind;
  /** Profile of the author; null for a line of Tara or an admin. */
  userId: string | null;
  name: string;
  body: string;
  picture: PictureRow | null;
  replyTo: number | null;
  clientKey: string;
}

/** Why a draft was not stored. */
export type Refusal = 'not_found' | 'closed' | 'blocked' | 'expired' | 'text_only' | 'request_full';

/** What the lists of its members show of a chat. */
export type ListedChat = Omit<ChatRow, 'closedAt' | 'blocked' | 'createdAt' | 'updatedAt'>;

/** What became of a draft. `earlier`: the same member stored it before under the same key, and nothing was changed. */
export type Outcome =
  | { state: Refusal }
  | { state: 'earlier'; sequence: number }
  | { state: 'stored'; id: string; sequence: number; createdAt: Date; chat: ListedChat };

type Row = Pick<ChatRow, 'kind' | 'firstId' | 'secondId' | 'firstAccountId' | 'secondAccountId'> &
  Pick<ChatRow, 'firstCount' | 'secondCount' | 'version' | 'awaitsId'> & {
    position: number;
    state: Outcome['state'];
    id: string;
    sequence: number;
    createdAt: string;
    expiresAt: string | null;
  };

/** Stores drafts given as JSON, in the order of their chats so that two calls never wait for each other in a circle. */
const storeStatement = sql`
  select position, draft.id, stored.state, stored.sequence, stored.created_at as "createdAt", stored.kind,
    stored.first_id as "firstId", stored.second_id as "secondId", stored.first_account_id as "firstAccountId",
    stored.second_account_id as "secondAccountId", stored.first_count as "firstCount", stored.second_count as "secondCount",
    stored.version, stored.awaits_id as "awaitsId", stored.expires_at as "expiresAt"
  from (
    select * from json_to_recordset(${sql.placeholder('drafts')}::text::json) as draft(
      position int, chat_id text, id text, user_id text, name text, body text, picture jsonb, image_id text, reply_to int,
      client_key text, kind text)
    order by chat_id, position) as draft
  cross join lateral store_message(chat_id, id, user_id, name, body, picture, image_id, reply_to, client_key, draft.kind, ${sql.raw(`${previewLength}, ${requestMessages}`)})
    as stored`;

function outcomeOf(draft: Draft, row: Row): Outcome {
  const { position: _, state, id, sequence, expiresAt, ...stored } = row;
  if (state !== 'stored') return state === 'earlier' ? { state, sequence } : { state };
  const createdAt = new Date(stored.createdAt);
  const chat: ListedChat = {
    ...{
      ...stored,
      id: draft.chatId,
      lastSequence: sequence,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    },
    ...{ preview: draft.body, previewBy: draft.userId, newestAt: createdAt },
  };
  return { state, id, sequence, createdAt, chat };
}

/**
 * Prepares the one statement that writes messages; what it resolves with is committed (or part of the transaction given).
 * The function `store_message` names only one chat in each of its statements: of a sharded database a
 * draft needs one shard (docs/scale.md).
 */
export function messageStore(
  database: Database | Transaction,
): (drafts: readonly Draft[]) => Promise<Outcome[]> {
  const store = prepareSql<Row>(database, 'store_messages', storeStatement);
  return async (drafts) => {
    const rows = await store({
      drafts: JSON.stringify(
        drafts.map((draft, position) => ({
          position,
          chat_id: draft.chatId,
          id: newId(),
          user_id: draft.userId,
          name: draft.name,
          body: draft.body,
          picture: draft.picture,
          image_id: draft.picture?.id ?? null,
          reply_to: draft.replyTo,
          client_key: draft.clientKey,
          kind: draft.kind ?? null,
        })),
      ),
    });
    const outcomes = drafts.map((): Outcome => ({ state: 'not_found' }));
    for (const row of rows) {
      const draft = drafts[row.position];
      if (draft) outcomes[row.position] = outcomeOf(draft, row);
    }
    return outcomes;
  };
}
