import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Case, SdkCall } from './cases.ts';
import { isInSdk, type Result } from './run.ts';
import { type Sdk, sdks, sdkTitle } from './sdks.ts';

/** The page that holds the table. */
export const page = resolve(import.meta.dirname, '../../../docs/backend-service.md');
const [begin, end] = ['<!-- conformance: begin -->', '<!-- conformance: end -->'];

const casesInSdk = (call: SdkCall, sdk: Sdk): readonly Case[] =>
  call.cases.filter((one) => isInSdk(sdk, call, one));

/** How many cases of a call passed with an SDK: `4 of 5`; an SDK without the call has `not in this SDK`. */
function cell(call: SdkCall, sdk: Sdk, results: readonly Result[] | null): string {
  const cases = casesInSdk(call, sdk);
  if (cases.length === 0) return 'not in this SDK';
  if (results === null) return `${cases.length}`;
  const passed = results.filter(
    (result) => result.call === call && result.sdk === sdk && result.failure === null,
  );
  return passed.length === cases.length ? `${cases.length}` : `**${passed.length} of ${cases.length}**`;
}

/** The rows call × SDK as text; without results those of a run in which everything passes. */
export function tableRows(calls: readonly SdkCall[], results: readonly Result[] | null): string[][] {
  const outcomes = (call: SdkCall) => [...new Set(call.cases.map(({ outcome }) => outcome))];
  return [
    ['Call', ...sdks.map(sdkTitle), 'Outcomes'],
    ...calls.map((call) => [
      call.name,
      ...sdks.map((sdk) => cell(call, sdk, results)),
      outcomes(call).join(', '),
    ]),
  ];
}

/** The table of the page. */
export function markdownTable(calls: readonly SdkCall[], results: readonly Result[] | null): string {
  const [head = [], ...rows] = tableRows(calls, results);
  const code = (text: string) => `\`${text}\``;
  const lines = rows.map(([call = '', ...cells]) => {
    const outcomes = (cells.pop() ?? '').split(', ').map((one) => (one === 'success' ? one : code(one)));
    return [code(call), ...cells, outcomes.join(', ')];
  });
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The table that the page has. @throws Error when its marks are missing. */
export async function readTable(): Promise<string> {
  const text = await readFile(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no ${begin} … ${end}.`);
  return text.slice(from + begin.length, to).trim();
}

export async function writeTable(table: string): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  await writeFile(page, `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`);
}
