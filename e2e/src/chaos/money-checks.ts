import type postgres from 'postgres';
import { waitFor } from '../outside.ts';
import type { Tara } from '../tara.ts';
import { CheckFailed } from './money-fixture.ts';

/** Seconds in which what a crash or a lost answer left behind is repaired, without a person. */
const repairMs = 60_000;

interface UnderWay {
  id: string;
  stage: string;
  disbursements: unknown;
  chargebacks: unknown;
}

/** Requests that are over and whose money is still under way, of those given. */
const underWay = (sql: postgres.Sql, ids: readonly string[]) => sql<UnderWay[]>`
  select id, stage,
    (select jsonb_agg(disbursements) from disbursements where interaction_id = interactions.id) as disbursements,
    (select jsonb_agg(chargebacks) from chargebacks where interaction_id = interactions.id) as chargebacks
  from interactions
  where id in ${sql(ids)} and (completed_at is null and cancelled_at is null
    or exists (select from disbursements where interaction_id = interactions.id and state in ('owed', 'sending'))
    or exists (select from chargebacks where interaction_id = interactions.id and state = 'open'))
    and charged_back_at is null`;

/**
 * Waits until the money of requests came to its end; `help` does what it waits for of the people of one.
 * @throws Error naming those that did not within a minute.
 */
export async function settled(
  sql: postgres.Sql,
  ids: readonly string[],
  help: (id: string) => Promise<void>,
): Promise<void> {
  let open: UnderWay[] = [];
  const look = async () => {
    open = await underWay(sql, ids);
    for (const { id } of open) await help(id);
    return open.length === 0;
  };
  await waitFor('end of the money', look, { timeoutMs: repairMs }).catch(() => {
    throw new CheckFailed(`not over after ${repairMs} ms: ${JSON.stringify(open)}`);
  });
}

/** What is wrong with the books, one line each; nothing when they are right. */
async function differences(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ what: string; id: string }[]>`
    with sums as (
      select interaction_id as id,
        coalesce(sum(amount) filter (where kind = 'capture' and account = 'escrow'), 0) * -1 as captured,
        coalesce(sum(amount) filter (where kind = 'refund' and account = 'escrow'), 0) as refunded,
        coalesce(sum(amount) filter (where kind = 'release' and account = 'escrow'), 0) as released,
        coalesce(sum(amount) filter (where kind = 'payout' and account = 'payable'), 0) as paid_out,
        coalesce(sum(amount) filter (where account = 'platform_fee'), 0) * -1 as platform_fee,
        coalesce(sum(amount) filter (where account = 'escrow'), 0) * -1 as held
      from ledger_transfers join ledger_entries on transfer_id = ledger_transfers.id group by interaction_id)
    select 'a transfer does not sum to zero' as what, transfer_id::text as id from ledger_entries
      group by transfer_id having sum(amount) <> 0
    union all select 'refunded + released > captured', id from sums where refunded + released > captured
    union all select 'paid out + platform fee > released', id from sums where paid_out + platform_fee > released
    union all select 'money held when over', sums.id from sums join interactions on interactions.id = sums.id
      where held <> 0 and (completed_at is not null or cancelled_at is not null)
    union all select 'charged twice', interaction_id from captured_payments
      where not exists (select from disbursements where payment_id = captured_payments.id and purpose = 'refund')
      group by interaction_id having count(*) > 1
    union all select 'released while the card issuer disputed it', transfers.interaction_id
      from chargebacks join ledger_transfers transfers on transfers.interaction_id = chargebacks.interaction_id
      where kind = 'release' and transfers.created_at > chargebacks.created_at
        and transfers.created_at < decided_at
    union all select 'paid without a capture', id from interactions where paid_at is not null and price_centavos > 0
      and not exists (select from captured_payments where interaction_id = interactions.id)`;
  return rows.map(({ what, id }) => `${what}: ${id}`);
}

/** @throws Error with every difference: within the books, and between them and what the provider says. */
export async function checkBooks(tara: Tara, sql: postgres.Sql): Promise<void> {
  const wrong = await differences(sql);
  if (wrong.length > 0) throw new CheckFailed(wrong.join('\n'));
  await tara.admin('ledger').catch((error: unknown) => {
    throw new CheckFailed(String(error));
  });
}
