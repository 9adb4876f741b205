import type postgres from 'postgres';
import type { Tara } from '../tara.ts';
import { withDatabase } from './money-fixture.ts';

/** The times of a request and of its money, by table. */
const moments: readonly [table: string, request: string, columns: readonly string[]][] = [
  [
    'interactions',
    'id',
    [
      'created_at',
      'updated_at',
      'paid_at',
      'accepted_at',
      'user_set_done_at',
      'creator_met_at',
      'disputed_at',
      'meets_at',
      'meets_until',
      'day_starts_at',
      'pay_until',
      'payout_waits_until',
    ],
  ],
  ['captured_payments', 'interaction_id', ['paid_at']],
  ['disbursements', 'interaction_id', ['updated_at']],
];

/**
 * Makes everything of a request older, as if the days had passed. Triggers are off meanwhile: they refuse such changes.
 * A day that meets another booking of the creator moves by an hour until it does not.
 */
export const passDays = (tara: Tara, interactionId: string, days: number): Promise<void> =>
  withDatabase(tara, (sql) => shift(sql, interactionId, days));

async function shift(sql: postgres.Sql, interactionId: string, days: number): Promise<void> {
  for (let hours = days * 24; ; hours++) {
    try {
      await sql.begin(async (transaction) => {
        await transaction`set local session_replication_role = replica`;
        for (const [table, request, columns] of moments) {
          const changes = columns.map((column) => `${column} = ${column} - make_interval(hours => ${hours})`);
          await transaction.unsafe(`update ${table} set ${changes.join(', ')} where ${request} = $1`, [
            interactionId,
          ]);
        }
      });
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '23P01') throw error;
    }
  }
}
