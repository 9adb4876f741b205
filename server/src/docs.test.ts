import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PaymentLink } from '@tara/paymongo';
import { describe, expect } from 'vitest';
import { captureLink } from './features/payments/capture.ts';
import { confirmPlan } from './features/payments/confirm.ts';
import { schedule, tasks } from './platform/tasks.ts';
import { insertMember } from './testing/features/members.ts';
import { paymentTest as test } from './testing/features/payment-fixture.ts';
import { openRequestFixture, waitFor } from './testing/features/request-fixture.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');
const page = read('operations.md');

test.afterEach(({ fixture }) => fixture.provider.clearFaults());

/** Each statement of the page, with the comment before it, or its first line. */
const statements = [...page.matchAll(/^```sql\n(.*?)^```$/gms)]
  .flatMap(([, block = '']) => block.trim().split(/;\n?/))
  .filter((statement) => statement !== '')
  .map((statement) => ({ title: statement.split('\n')[0]?.replace(/^-- /, '') ?? '', statement }));
const alarms = statements.filter(({ title }) => title.startsWith('Must be empty'));

describe('the queries of operations', () => {
  test.for(statements)('name what exists: $title', async ({ statement }, { fixture }) => {
    await fixture.sql.unsafe(statement);
  });

  test('whose result must be empty find nothing in money that is held, sent, on its way back or paid twice', async ({
    fixture,
  }) => {
    const requests = await openRequestFixture(fixture);
    const paidOut = await requests.fulfilled();
    await confirmPlan(fixture.platform, await insertMember(fixture.database, { admin: true }), paidOut);
    await expect.poll(async () => (await requests.row(paidOut)).paidOutAt, waitFor).not.toBeNull();
    await fixture.provider.fault({ kind: 'answer_500', path: '/v1/refunds' });
    const cancelled = await requests.paid();
    await requests.step(requests.creator, 'cancelRequest', cancelled);
    const paidTwice = await requests.paid();
    const attributes = { amount: 250_00, currency: 'PHP', fee: 0, net_amount: 250_00, status: 'paid' };
    const payments = [{ id: `pay_second${paidTwice}`, type: 'payment', attributes }];
    const { linkId: id } = await requests.row(paidTwice);
    await captureLink(fixture.context, { id, status: 'paid', payments } as unknown as PaymentLink);
    await requests.step(requests.creator, 'cancelRequest', paidTwice);
    const underWay = await fixture.sql`select from disbursements
      where interaction_id in ${fixture.sql([cancelled, paidTwice])} and state in ('owed', 'sending')`;
    expect(underWay).toHaveLength(3);
    expect(alarms).toHaveLength(3);
    for (const { title, statement } of alarms)
      expect({ title, rows: [...(await fixture.sql.unsafe(statement))] }).toEqual({ title, rows: [] });
  });

  test.for([
    ['transfers', `delete from ledger_entries where account = 'cash'`],
    ['money held', `delete from disbursements`],
    ['paid requests', `delete from ledger_transfers where kind = 'capture'`],
  ] as const)('whose result must be empty find wrong %s', async ([subject, damage], { fixture }) => {
    const requests = await openRequestFixture(fixture);
    await fixture.provider.fault({ kind: 'answer_500', path: '/v1/refunds' });
    await requests.step(requests.creator, 'cancelRequest', await requests.paid());
    const { statement = '' } = alarms.find(({ title }) => title.includes(subject)) ?? {};
    const undo = new Error('undo');
    const work = fixture.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql.unsafe(damage);
      expect(await sql.unsafe(statement)).not.toEqual([]);
      throw undo;
    });
    await expect(work).rejects.toBe(undo);
  });
});

test('the log lines of operations are those of the code', () => {
  const lines = [...page.matchAll(/`(an? [^`]+)`/g)].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThan(0);
  const files = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] });
  const code = files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n');
  expect(lines.filter((line) => !code.includes(`'${line}'`))).toEqual([]);
});

/** A time of the schedule as the page says it. */
function timeOf(times: string): string {
  const [minute = '', hour = ''] = times.split(' ');
  if (minute === '*') return 'every minute';
  if (minute.startsWith('*/')) return `every ${minute.slice(2)} minutes`;
  if (hour === '*') return `minute ${minute} of each hour`;
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')} daily`;
}

describe('the jobs of operations', () => {
  const [, section = ''] = /^## Jobs\n(.*?)^## /ms.exec(page) ?? [];
  const rows = [...section.matchAll(/^\| (`.*?) \| (.*) \|$/gm)].map(([, names = '', when = '']) => ({
    names: [...names.matchAll(/`([\w.]+)`/g)].map(([, name]) => name),
    when,
  }));

  test('names each job once', () => {
    const named = rows.flatMap(({ names }) => names);
    expect(named.toSorted()).toEqual(
      Object.values(tasks)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  test.for(Object.entries(schedule))('says when %s runs', ([name, times]) => {
    expect(rows.find(({ names }) => names.includes(name))?.when).toMatch(new RegExp(`^${timeOf(times)}`));
  });
});

test('the keys of scale are those of every table', async ({ fixture }) => {
  const [, section = ''] = /^## Keys\n(.*?)^## /ms.exec(read('scale.md')) ?? [];
  const [header = '', ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  expect(header).toMatch(/^\| Table /);
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const tables = await fixture.sql<{ name: string }[]>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> 'schema_migrations'`;
  expect(named.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});
