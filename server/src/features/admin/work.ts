import type { WorkCounts } from '@tara/contract/admin';
import { nowDate } from '@tara/contract/clock';
import { philippineDay } from '@tara/contract/members/profiles';
import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { openDisputes, withoutAnswer } from '../disputes/index.ts';
import { awaitsAdmin, interactions } from '../interactions/index.ts';
import { notify } from '../notifications/index.ts';
import { awaitsAssignment, chargebacks, disbursementsByHand, unassignedDisputes } from '../payments/index.ts';
import { reports } from '../reports/index.ts';
import { verifications } from '../verification/index.ts';

type WorkContext = Pick<Platform, 'database' | 'config'>;

/** Counts what waits in each list of the admins. */
export async function countWork({
  database,
  config,
}: Pick<WorkContext, 'config'> & { database: Database | Transaction }): Promise<WorkCounts> {
  const [counts] = await database.execute<WorkCounts>(sql`
    select
      (select count(*)::int from ${verifications} where ${verifications.valid} is null) as verifications,
      (select count(*)::int from ${interactions} where ${awaitsAdmin()}) as plans,
      (select count(*)::int from ${reports} where ${reports.decidedAt} is null) as reports,
      (select count(*)::int from ${interactions} where ${openDisputes()}) as disputes,
      (select count(*)::int from ${interactions} where ${withoutAnswer()}) as "noAnswer",
      (select count(*)::int from ${chargebacks} where ${chargebacks.state} = 'open') as chargebacks,
      (select count(*)::int from ${unassignedDisputes} where ${awaitsAssignment})
        as "unassignedDisputes",
      (select count(*)::int from ${disbursementsByHand(config)}) as "byHand"`);
  if (counts === undefined) throw new Error('The counts have no row.');
  return counts;
}

/** Notifies all admins of what waits in each list, once a day of the Philippines. */
export async function notifyWork({ database, config }: WorkContext, now = nowDate()): Promise<void> {
  const occasion = philippineDay(now);
  await database.transaction(async (transaction) => {
    for (const [list, count] of Object.entries(await countWork({ database: transaction, config })))
      if (count > 0)
        await notify(transaction, {
          event: 'workWaits',
          to: 'admins',
          recordId: list,
          occasion,
          details: { count: String(count) },
        });
  });
}
