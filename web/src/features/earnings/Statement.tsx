import { payments, type StatementRow } from '@tara/contract/payments';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/call.ts';
import { showErrorToast } from '../../lib/failure.ts';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Money, money } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Card } from '../../ui/Page.tsx';
import { exactTime } from '../../ui/TimeLabel.tsx';
import { movementLabel, saveCsv, statementCsv } from './earnings-table.ts';

const statementPages = pagesOf(payments.statement, { query: {} });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Asia/Manila' });

/** All movements of the member's money, newest first. @throws as `call`. */
async function readStatement(): Promise<StatementRow[]> {
  const rows: StatementRow[] = [];
  let cursor: string | null = null;
  do {
    const query: { cursor?: string } = cursor === null ? {} : { cursor };
    const page: { items: StatementRow[]; next: string | null } = await call(payments.statement, { query });
    rows.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return rows;
}

/** Each movement of what Tara holds for the member as a client and owes them as a creator. */
export default function Statement() {
  const { items, more } = useLoadedPages(statementPages);
  const [isSaving, setIsSaving] = useState(false);
  const save = async () => {
    setIsSaving(true);
    try {
      saveCsv('tara-statement.csv', statementCsv(await readStatement()));
    } catch (error) {
      showErrorToast(error);
    }
    setIsSaving(false);
  };
  if (items.length === 0 && !more.hasMore)
    return <p className="mt-3 text-ink-soft">No money was moved for you yet.</p>;
  return (
    <>
      <Button
        variant="secondary"
        className="mt-3"
        icon={<Icon of={Download} />}
        pending={isSaving}
        onClick={() => void save()}
      >
        Download the statement
      </Button>
      <InfiniteList {...more}>
        <Card padding="none" className="mt-4 overflow-hidden">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (axe scrollable-region-focusable) */}
          <section tabIndex={0} aria-label="Movements" className="overflow-x-auto">
            <table className="w-full text-sm">
              <thead className="border-b border-line text-left text-ink-soft">
                <tr>
                  {['Date', 'Movement', 'Amount', 'Balance'].map((name, index) => (
                    <th
                      key={name}
                      scope="col"
                      className={`px-3 py-3 font-semibold sm:px-4 ${index > 1 ? 'text-right' : ''}`}
                    >
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map((row) => (
                  <Movement key={row.id} row={row} />
                ))}
              </tbody>
            </table>
          </section>
        </Card>
      </InfiniteList>
    </>
  );
}

function Movement({ row }: { row: StatementRow }) {
  const { at, planTitle, amount, balance } = row;
  return (
    <tr className="border-b border-line last:border-0">
      <td className="px-3 py-3 text-ink-soft sm:px-4">
        <time dateTime={at} title={exactTime(at)} className="figures sm:whitespace-nowrap">
          {/* On phones the year stands below. */}
          {day.format(new Date(at)).replace(' ', '\u00a0')}
        </time>
      </td>
      <th scope="row" className="max-w-56 min-w-28 px-3 py-3 text-left sm:px-4 font-medium wrap-anywhere">
        {movementLabel(row)}
        <span className="block font-normal text-ink-soft">{planTitle}</span>
      </th>
      <td className="px-3 py-3 text-right sm:px-4">
        <span className="figures whitespace-nowrap">{`${amount > 0 ? '+' : ''}${money(amount)}`}</span>
      </td>
      <td className="px-3 py-3 text-right sm:px-4">
        <Money pesos={balance} />
      </td>
    </tr>
  );
}
