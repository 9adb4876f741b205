import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Day } from '@tara/contract/fields';
import { formatPesos } from '@tara/contract/notifications/facts';
import { isOutcomeUnknown, type Paymongo, PaymongoError } from '@tara/paymongo';
import { Refused } from './admin-refused.ts';
import {
  type JournalRange,
  journalLines,
  monthLines,
  settlement,
  trialBalanceLines,
} from './features/payments/index.ts';
import type { Connection } from './platform/database/connect.ts';

/** What follows `journal`: `--from DAY --to DAY`, and `--folder FOLDER` if it is not `journal-FROM-TO`; null for other words. */
export function readJournalWords(words: readonly string[]): (JournalRange & { folder: string }) | null {
  const values = new Map<string, string>();
  for (let index = 0; index < words.length; index += 2) {
    const [name = '', value] = words.slice(index);
    if (!['--from', '--to', '--folder'].includes(name) || value === undefined || values.has(name))
      return null;
    values.set(name, value);
  }
  const [from, to] = [values.get('--from'), values.get('--to')];
  if (from === undefined || to === undefined) return null;
  return { from, to, folder: values.get('--folder') ?? `journal-${from}-${to}` };
}

/** Writes a CSV file with a byte order mark, line by line: a journal may be larger than the memory. */
async function write(path: string, lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
  async function* text() {
    yield '\uFEFF';
    for await (const line of lines) yield `${line}\r\n`;
  }
  // Only for whoever runs the command: it has everybody's money.
  await pipeline(Readable.from(text()), createWriteStream(path, { mode: 0o600 }));
}

/**
 * Writes the journal, the trial balance, the months and the settlement of some days as CSV files into a folder.
 * @throws Refused for days that are none.
 */
export async function exportJournal(
  { database }: Connection,
  { folder, ...range }: JournalRange & { folder: string },
  openProvider: () => Promise<Paymongo>,
): Promise<string> {
  const { from, to } = range;
  if (![from, to].every((day) => Day.safeParse(day).success) || from > to)
    throw new Refused('--from and --to must be days such as 2026-01-31, the first before the last.');
  const target = resolve(folder);
  await mkdir(target, { recursive: true, mode: 0o700 });
  await write(join(target, 'journal.csv'), journalLines(database, range));
  await write(join(target, 'trial-balance.csv'), await trialBalanceLines(database, range));
  await write(join(target, 'months.csv'), await monthLines(database, range));
  const written = `journal.csv, trial-balance.csv and months.csv of ${from} to ${to} are in ${target}.`;
  try {
    const { lines, wallet } = await settlement(database, await openProvider(), range);
    await write(join(target, 'settlement.csv'), lines);
    return [
      written,
      'settlement.csv has the provider’s payments beside the ledger.',
      walletText(wallet),
    ].join('\n');
  } catch (error) {
    const end = 'so there is no settlement.csv.';
    if (isOutcomeUnknown(error))
      throw new Refused(`${written}\nThe payment provider does not answer, ${end}`);
    if (!(error instanceof PaymongoError)) throw error;
    throw new Refused(`${written}\nThe payment provider refuses its payments (${error.message}), ${end}`);
  }
}

function walletText({ ledger, pending, provider }: Awaited<ReturnType<typeof settlement>>['wallet']): string {
  const available = ledger - pending;
  const own = `The wallet by the ledger: ${formatPesos(ledger)}, of which ${formatPesos(pending)} is not available yet.`;
  if (provider === null) return `${own} The provider does not say what its wallet holds.`;
  return `${own} By the provider ${formatPesos(provider)} is available, ${formatPesos(provider - available)} more than by the ledger.`;
}
