import { pageSize } from '@tara/contract/limits';
import type { StatementRange, StatementRow } from '@tara/contract/money/payments';
import type { PageOf } from '@tara/contract/page';
import { pesos } from '@tara/contract/plans/plans';
import { type SQL, sql } from 'drizzle-orm';
import { cursorNumber, readPage } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import { interactions } from '../interactions/index.ts';
import { confirmationKind } from './confirmation.ts';
import { dayEnd, dayStart } from './days.ts';

type Movement = {
  id: number;
  at: Date;
  kind: StatementRow['kind'];
  interaction_id: string;
  plan_title: string;
  amount_centavos: number;
  balance_centavos: number;
  /** Under which it is confirmed: the request's, or that of a payment that came a second time. */
  confirmation_id: string;
};

/**
 * What changed what Tara holds for a member as a client and owes them as a creator, and how much that was afterwards. It
 * is read from the ledger, whose accounts have requests and members as owners.
 */
const movements = (profileId: string): SQL => sql`
  with amounts as (
    select transfer_id, -sum(ledger_entries.amount) as amount from ledger_entries
    where account = 'payable' and owner = ${profileId} or account = 'escrow' and owner = any(array(
      select request.id from ${interactions} request where request.client_id = ${profileId}))
    group by transfer_id)
  select ledger_transfers.id, ledger_transfers.created_at as at, kind, interaction_id, request.plan_title,
    amount::float8 as amount_centavos,
    (sum(amount) over (order by ledger_transfers.id))::float8 as balance_centavos,
    coalesce(nullif(ledger_transfers.payment_id, coalesce(request.payment_id, ledger_transfers.payment_id)), interaction_id)
      as confirmation_id
  from amounts join ledger_transfers on ledger_transfers.id = transfer_id
    join ${interactions} request on request.id = interaction_id`;

/** The member's own movements of money of these days, newest first, 20 a page. */
export async function statement(
  database: Database,
  profileId: string,
  { cursor, from, to }: StatementRange & { cursor?: string | undefined },
): Promise<PageOf<StatementRow>> {
  return readPage(cursor, {
    size: pageSize.admin,
    read({ after, limit }) {
      const before = cursorNumber(after);
      return database.execute<Movement>(sql`
        select * from (${movements(profileId)}) movements
        where ${before === null ? sql`true` : sql`id < ${before}`}
          and ${from === undefined ? sql`true` : sql`at >= ${dayStart(from)}`}
          and ${to === undefined ? sql`true` : sql`at < ${dayEnd(to)}`}
        order by id desc limit ${limit}`);
    },
    present(row) {
      const kind = confirmationKind(row.kind);
      return {
        id: String(row.id),
        at: new Date(row.at).toISOString(),
        kind: row.kind,
        interactionId: row.interaction_id,
        planTitle: row.plan_title,
        amount: pesos(row.amount_centavos),
        balance: pesos(row.balance_centavos),
        confirmation: kind && { kind, id: row.confirmation_id },
      };
    },
    toCursor: ({ at, id }) => ({ at: new Date(at), id: String(id) }),
  });
}

/** What Tara held for the member and owed them before the first and after the last of these days. */
export async function statementBalances(
  database: Database,
  profileId: string,
  { from, to }: StatementRange,
): Promise<{ opening: number; closing: number }> {
  const sumBefore = (end: SQL) => sql`(coalesce(sum(amount_centavos) filter (where ${end}), 0))::float8`;
  const [sums] = await database.execute<{ opening: number; closing: number }>(sql`
    select ${sumBefore(from === undefined ? sql`false` : sql`at < ${dayStart(from)}`)} as opening,
      ${sumBefore(to === undefined ? sql`true` : sql`at < ${dayEnd(to)}`)} as closing
    from (${movements(profileId)}) movements`);
  return { opening: pesos(sums?.opening ?? 0), closing: pesos(sums?.closing ?? 0) };
}

/** The whole statement for a member's export, oldest first, in centavos. */
export async function exportStatement(database: Database, profileId: string): Promise<Movement[]> {
  return [...(await database.execute<Movement>(sql`${movements(profileId)} order by ledger_transfers.id`))];
}
