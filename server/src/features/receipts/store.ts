import { steps } from '@tara/contract/stages';
import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import { interactions } from '../interactions/index.ts';
import type { MessageRow } from './present.ts';
import { receiptMessages } from './tables.ts';

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
  | { state: 'stored' | 'earlier'; message: MessageRow; accounts: [creator: string, client: string] };

/**
 * Stores messages of any number of chats: finds the chats that are the writers' own and locks them, so that each sequence
 * counts on without holes, leaves out closed ones and what was sent before, and inserts the rest.
 */
function build(database: Database | Transaction) {
  const draft = database.$with('draft', {}).as(sql`
    select * from json_to_recordset(${sql.placeholder('drafts')}::text::json) as draft(
      position int, receipt_id text, user_id text, name text, body text, image_id text, client_key text, id text)`);
  const chat = database.$with('chat', {}).as(sql`
    select receipts.id as chat_id, last_sequence, receipts.creator_id, receipts.client_id, creator_account_id,
      client_account_id, not request.stage = any(${sql.raw(`'{${steps.sendMessage.from.join(',')}}'`)}) as closed
    from receipts join ${interactions} request on request.id = interaction_id
    where receipts.id in (select receipt_id from draft)
    order by receipts.id for no key update of receipts`);
  const judged = database.$with('judged', {}).as(sql`
    select *, (
      select sequence from receipt_messages as sent
      where sent.receipt_id = draft.receipt_id and sent.user_id = draft.user_id and sent.client_key = draft.client_key
    ) as earlier
    from draft join chat on chat_id = receipt_id and user_id in (creator_id, client_id)`);
  const fresh = database.$with('fresh', {}).as(sql`
    select *, last_sequence + row_number() over (partition by receipt_id order by position) as sequence
    from judged where earlier is null and not closed`);
  const stored = database.$with('stored', {}).as(sql`
    insert into receipt_messages (receipt_id, sequence, id, user_id, name, body, image_id, client_key)
    select receipt_id, sequence, id, user_id, name, body, image_id, client_key from fresh
    returning *`);
  const counted = database.$with('counted', {}).as(sql`
    update receipts set last_sequence = newest, updated_at = now()
    from (select receipt_id, max(sequence) as newest from fresh group by receipt_id) as grown
    where receipts.id = receipt_id`);
  const outcome = database
    .$with('outcome', {
      position: sql<number>`position`.as('position'),
      isNew: sql<boolean | null>`is_new`.as('is_new'),
      creatorAccountId: sql<string>`creator_account_id`.as('creator_account_id'),
      clientAccountId: sql<string>`client_account_id`.as('client_account_id'),
      receiptId: sql<string>`receipt_id`.as('receipt_id'),
      sequence: sql<number>`sequence`.as('sequence'),
      id: sql<string>`id`.as('id'),
      userId: sql<string>`user_id`.as('user_id'),
      name: sql<string>`name`.as('name'),
      body: sql<string>`body`.as('body'),
      imageId: sql<string | null>`image_id`.as('image_id'),
      clientKey: sql<string>`client_key`.as('client_key'),
      createdAt: sql<Date>`created_at`.mapWith(receiptMessages.createdAt).as('created_at'),
    })
    .as(sql`
    select position, creator_account_id, client_account_id, kept.*
    from judged left join (
      select true as is_new, stored.* from stored
      union all
      select false, sent.* from judged join receipt_messages as sent
        on sent.receipt_id = judged.receipt_id and sent.sequence = earlier
    ) as kept using (receipt_id, user_id, client_key)`);
  return database
    .with(draft, chat, judged, fresh, stored, counted, outcome)
    .select()
    .from(outcome)
    .prepare('store_receipt_messages');
}

/**
 * Prepares the one statement that writes messages; what it resolves with is committed (or part of the transaction given).
 * No two drafts of a call may have the same writer, chat and key. When two calls meet on one key, the second fails with a
 * unique violation and keeps nothing; called again, it finds the message of the first.
 */
export function messageStore(
  database: Database | Transaction,
): (drafts: readonly Draft[]) => Promise<Outcome[]> {
  const statement = build(database);
  return async (drafts) => {
    const rows = await statement.execute({
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
    for (const { position, isNew, creatorAccountId, clientAccountId, ...message } of rows) {
      outcomes[position] =
        isNew === null
          ? { state: 'closed' }
          : { state: isNew ? 'stored' : 'earlier', message, accounts: [creatorAccountId, clientAccountId] };
    }
    return outcomes;
  };
}
