import { steps } from '@tara/contract/stages';
import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { prepareSql } from '../../platform/database/prepared.ts';
import { newId } from '../../platform/ids.ts';
import { interactions } from '../interactions/index.ts';
import { hiddenName } from '../visibility/index.ts';
import type { MessageRow } from './present.ts';
import { receiptMessages, receipts } from './tables.ts';

/** A message on its way into the store. */
export interface Draft {
  receiptId: string;
  /** Profile of who writes. */
  userId: string;
  name: string;
  body: string;
  imageId: string | null;
  clientKey: string;
}

/** What became of a draft. `earlier` is what the same member stored under the same key before: nothing was changed. */
export type Outcome =
  | { state: 'not_found' }
  | { state: 'closed' }
  | { state: 'read_only' }
  | { state: 'stored' | 'earlier'; message: MessageRow; accounts: [creator: string, client: string] };

/** A row of the statement: the draft's position, its chat, and the message, which is null in a closed chat. */
type Stored = Record<'creatorAccountId' | 'clientAccountId', string> & {
  position: number;
  isNew: boolean | null;
  blocked: boolean;
} & Omit<MessageRow, 'createdAt'> & { createdAt: string };

/** Stores the drafts of any number of chats, given as JSON; answers one row for each draft of a chat of its writer. */
const storeStatement = sql`
  with
  draft as (
    select * from json_to_recordset(${sql.placeholder('drafts')}::text::json) as draft(
      position int, receipt_id text, user_id text, name text, body text, image_id text, client_key text, id text)
  ),
  -- The chats, locked in one order so that each sequence counts on without holes.
  chat as (
    select ${receipts.id} as chat_id, ${receipts.lastSequence}, ${receipts.creatorId}, ${receipts.clientId},
      ${receipts.creatorAccountId}, ${receipts.clientAccountId},
      not ${interactions.stage} = any(${sql.raw(`'{${steps.sendMessage.from.join(',')}}'`)}) as closed,
      ${hiddenName(receipts.creatorId, receipts.clientId)} is not null as blocked
    from ${receipts} join ${interactions} on ${interactions.id} = ${receipts.interactionId}
    where ${receipts.id} in (select receipt_id from draft)
    order by ${receipts.id} for no key update of ${receipts}
  ),
  -- The drafts whose chat is the writer's own, with what the same member stored under the same key before.
  permitted as (
    select *, (
      select sequence from ${receiptMessages} as sent
      where sent.receipt_id = draft.receipt_id and sent.user_id = draft.user_id and sent.client_key = draft.client_key
    ) as earlier
    from draft join chat on chat_id = receipt_id and user_id in (creator_id, client_id)
  ),
  -- The new messages of open chats, with their sequence.
  fresh as (
    select *, last_sequence + row_number() over (partition by receipt_id order by position) as sequence
    from permitted where earlier is null and not closed and not blocked
  ),
  inserted as (
    insert into ${receiptMessages} (receipt_id, sequence, id, user_id, name, body, image_id, client_key)
    select receipt_id, sequence, id, user_id, name, body, image_id, client_key from fresh
    returning *
  ),
  -- Runs without being read: the chat's last sequence.
  counted as (
    update ${receipts} set last_sequence = newest, updated_at = now()
    from (select receipt_id, max(sequence) as newest from fresh group by receipt_id) as grown
    where ${receipts.id} = receipt_id
  ),
  -- What is stored now: inserted by this statement, or before.
  message as (
    select true as is_new, inserted.* from inserted
    union all
    select false, sent.* from permitted join ${receiptMessages} as sent
      on sent.receipt_id = permitted.receipt_id and sent.sequence = earlier
  )
  select position, is_new as "isNew", blocked, creator_account_id as "creatorAccountId", client_account_id as "clientAccountId",
    receipt_id as "receiptId", message.sequence, message.id, user_id as "userId", message.name, message.body,
    message.image_id as "imageId", client_key as "clientKey", created_at as "createdAt"
  from permitted left join message using (receipt_id, user_id, client_key)`;

/**
 * Prepares the one statement that writes messages; what it resolves with is committed (or part of the transaction given).
 * No two drafts of a call may have the same writer, chat and key. When two calls meet on one key, the second fails with a
 * unique violation and stores nothing; called again, it finds the message of the first.
 */
export function messageStore(
  database: Database | Transaction,
): (drafts: readonly Draft[]) => Promise<Outcome[]> {
  const store = prepareSql<Stored>(database, 'store_receipt_messages', storeStatement);
  return async (drafts) => {
    const rows = await store({
      drafts: JSON.stringify(
        drafts.map((draft, position) => ({
          position,
          receipt_id: draft.receiptId,
          user_id: draft.userId,
          name: draft.name,
          body: draft.body,
          image_id: draft.imageId,
          client_key: draft.clientKey,
          id: newId(),
        })),
      ),
    });
    const outcomes = drafts.map((): Outcome => ({ state: 'not_found' }));
    for (const {
      position,
      isNew,
      blocked,
      creatorAccountId,
      clientAccountId,
      createdAt,
      ...stored
    } of rows) {
      outcomes[position] =
        isNew === null
          ? { state: blocked ? 'read_only' : 'closed' }
          : {
              state: isNew ? 'stored' : 'earlier',
              message: { ...stored, createdAt: new Date(createdAt) },
              accounts: [creatorAccountId, clientAccountId],
            };
    }
    return outcomes;
  };
}
