import { adminWork, type WorkCounts } from '@tara/contract/admin';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../platform/database/connect.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { openDisputes, withoutAnswer } from '../disputes/index.ts';
import { awaitsAdmin, interactions } from '../interactions/index.ts';
import { chargebacks } from '../payments/index.ts';
import { reports } from '../reports/index.ts';
import { verifications } from '../verification/index.ts';
import { moneyOverview } from './money.ts';

/** Counts what waits in each list of the admins; each count reads the index of its list alone. */
async function countWork(database: Database): Promise<WorkCounts> {
  const [counts] = await database.execute<WorkCounts>(sql`
    select
      (select count(*)::int from ${verifications} where ${verifications.valid} is null) as verifications,
      (select count(*)::int from ${interactions} where ${awaitsAdmin()}) as plans,
      (select count(*)::int from ${reports} where ${reports.decidedAt} is null) as reports,
      (select count(*)::int from ${interactions} where ${openDisputes()}) as disputes,
      (select count(*)::int from ${interactions} where ${withoutAnswer()}) as "noAnswer",
      (select count(*)::int from ${chargebacks} where ${chargebacks.state} = 'open') as chargebacks`);
  if (counts === undefined) throw new Error('The counts have no row.');
  return counts;
}

/** Binds the calls that concern all lists of the admins; each list has its own in its feature. */
export function adminRoutes(app: FastifyInstance, { database }: Pick<Platform, 'database'>): void {
  serve(app, adminWork.counts, () => countWork(database));
  serve(app, adminWork.moneyOverview, () => moneyOverview(database));
}
