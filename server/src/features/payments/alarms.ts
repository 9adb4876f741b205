import type { MoneyAlarmKind } from '@tara/contract/admin';
import { longDay } from '@tara/contract/philippine-time';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { isNotAmong } from '../../platform/database/among.ts';
import { afterCommit, type Transaction } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { notify } from '../notifications/index.ts';
import { moneyAlarms } from './tables.ts';

/** Something that is wrong with money. */
export type Alarm = Pick<typeof moneyAlarms.$inferInsert, 'recordId' | 'amountCentavos' | 'dueOn'>;

/** Alarms of one statement, which has several parameters for each. */
const batchSize = 1_000;
/** The first key of the locks under which alarms of a kind are read and stored. */
const alarmLock = 78;

/**
 * Stores what is wrong of one kind now, as `read` finds it in the same transaction. What was not wrong before is logged, and all
 * admins are notified of it once; what is over is forgotten. Its caller may hold locks of requests, never another one afterwards.
 */
export async function updateAlarms(
  transaction: Transaction,
  { log }: { log: Log },
  kind: MoneyAlarmKind,
  read: () => Promise<Alarm[]>,
): Promise<void> {
  // Read by two at once, one would forget what the other is about to store.
  await transaction.execute(sql`select pg_advisory_xact_lock(${alarmLock}, hashtext(${kind}))`);
  // Of two with one record the last: what could not be checked may be named more than once.
  const present = [...new Map((await read()).map((alarm) => [alarm.recordId, alarm])).values()];
  const ids = present.map(({ recordId = '' }) => recordId);
  await transaction
    .delete(moneyAlarms)
    .where(and(eq(moneyAlarms.kind, kind), isNotAmong(moneyAlarms.recordId, ids)));
  const begun: (typeof moneyAlarms.$inferSelect)[] = [];
  for (let index = 0; index < present.length; index += batchSize) {
    const stored = await transaction
      .insert(moneyAlarms)
      .values(present.slice(index, index + batchSize).map((alarm) => ({ kind, ...alarm })))
      .onConflictDoUpdate({
        target: [moneyAlarms.kind, moneyAlarms.recordId],
        set: { amountCentavos: sql`excluded.amount_centavos`, dueOn: sql`excluded.due_on` },
      })
      .returning({ ...getTableColumns(moneyAlarms), isNew: sql<boolean>`xmax = 0` });
    begun.push(...stored.filter(({ isNew }) => isNew));
  }
  const [first] = begun;
  if (!first) return;
  const amount = begun.reduce((sum, { amountCentavos }) => sum + (amountCentavos ?? 0), 0);
  const [dueOn] = begun.flatMap((alarm) => alarm.dueOn ?? []).sort();
  await notify(transaction, {
    event: kind,
    to: 'admins',
    recordId: begun.length === 1 ? first.recordId : '',
    occasion: first.since.toISOString(),
    details: {
      count: String(begun.length),
      ...(amount > 0 && { amount: String(amount) }),
      ...(dueOn !== undefined && { dueOn: longDay(dueOn) }),
    },
  });
  const records = begun.map(({ recordId }) => recordId).slice(0, mostLogged);
  afterCommit(() =>
    log.error({ kind, count: begun.length, amount, records }, 'something is wrong with money'),
  );
}

/** Most records that one line of the log names. */
const mostLogged = 50;
