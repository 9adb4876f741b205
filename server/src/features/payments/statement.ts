import { pageSize } from '@tara/contract/limits';
import type { StatementRow } from '@tara/contract/money/payments';
import type { PageOf } from '@tara/contract/page';
import { pesos } from '@tara/contract/plans/plans';
import { type SQL, sql } from 'drizzle-orm';
import { cursorNumber, readPage } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import { interactions } from '../interactions/index.ts';

type Movement = {
  id: number;
  at: Date;
  kind: StatementRow['kind'];
  interaction_id: string;
  plan_title: string;
  amount_centavos: number;
  balance_centavos: number;
};

/**
 * What changed what Tara holds for a member as a client and owes them as a creator, and how much that was afterwards. It
 * is read from the ledger, whose accounts are named by requests and members.
 */
const movements = (profileId: string): SQL => sql`
  with amounts as (
    select transfer_id, -sum(ledger_entries.amount) as amount from ledger_entries
    where account = any(array(
      select ${`payable:${profileId}`} union all
      select 'escrow:' || request.id from ${interactions} request where request.client_id = ${profileId}))
    group by transfer_id)
  select ledger_transfers.id, ledger_transfers.created_at as at, kind, interaction_id, request.plan_title,
    amount::float8 as amount_centavos,
    (sum(amount) over (order by ledger_transfers.id))::float8 as balance_centavos
  from amounts join ledger_transfers on ledger_transfers.id = transfer_id
    join ${interactions} request on request.id = interaction_id`;

/** The member's own movements of money, newest first, 20 a page. */
export async function statement(
  database: Database,
  profileId: string,
  cursor: string | undefined,
): Promise<PageOf<StatementRow>> {
  return readPage(cursor, {
    size: pageSize.admin,
    read({ after, limit }) {
      const before = cursorNumber(after);
      return database.execute<Movement>(sql`
        select * from (${movements(profileId)}) movements
        where ${before === null ? sql`true` : sql`id < ${before}`}
        order by id desc limit ${limit}`);
    },
    present: (row) => ({
      id: String(row.id),
      at: new Date(row.at).toISOString(),
      kind: row.kind,
      interactionId: row.interaction_id,
      planTitle: row.plan_title,
      amount: pesos(row.amount_centavos),
      balance: pesos(row.balance_centavos),
    }),
    toCursor: ({ at, id }) => ({ at: new Date(at), id: String(id) }),
  });
}

/** The whole statement for a member's export, oldest first, in centavos. */
export async function exportStatement(database: Database, profileId: string): Promise<Movement[]> {
  return [...(await database.execute<Movement>(sql`${movements(profileId)} order by ledger_transfers.id`))];
}
