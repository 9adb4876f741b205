import { pageSection } from '@tara/proof/page-section';
import { markdownTable } from '@tara/proof/table';
import type { Case, SdkCall } from './cases.ts';
import { isInSdk, type Result } from './run.ts';
import { type Sdk, sdkTitle } from './sdks.ts';

/** Where the tables are published. */
export const publishedCases = pageSection('docs/backend-service.md', 'conformance');
export const publishedSweep = pageSection('docs/backend-service.md', 'sweep');

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

const outcomeList = (call: SdkCall) => [...new Set(call.cases.map(({ outcome }) => outcome))].join(', ');

/** The rows call × SDK as text; without results those of a run in which everything passes. */
export const tableRows = (
  calls: readonly SdkCall[],
  sdks: readonly Sdk[],
  results: readonly Result[] | null,
): string[][] => [
  ['Call', ...sdks.map(sdkTitle), 'Outcomes'],
  ...calls.map((call) => [call.name, ...sdks.map((sdk) => cell(call, sdk, results)), outcomeList(call)]),
];

const code = (text: string) => `\`${text}\``;

/** The table of cases as the page has it. */
export function casesText([head = [], ...rows]: readonly (readonly string[])[]): string {
  const lines = rows.map(([call = '', ...cells]) => {
    const outcomes = (cells.pop() ?? '').split(', ').map((one) => (one === 'success' ? one : code(one)));
    return [code(call), ...cells, outcomes.join(', ')];
  });
  return markdownTable(head, lines);
}

/** What became of calls of the sweep with one version. */
export function sweepRow(sdk: Sdk, calls: readonly SdkCall[], results: readonly Result[]): string[] {
  const own = results.filter((result) => result.sdk === sdk);
  const failed = own.filter(({ failure }) => failure !== null);
  const missing = calls.filter((call) => !own.some((result) => result.call === call));
  const others = [
    ...failed.map(({ call }) => `${code(call.name)} **fails**`),
    ...missing.map((call) => `${code(call.name)} is not in this SDK`),
  ];
  return [sdkTitle(sdk), String(own.length - failed.length), others.join(', ')];
}

const sweepHead = ['SDK', 'Calls that succeed', 'Others'];

/** Cells of the rows of a table in Markdown, without its head. */
const readRows = (table: string): string[][] =>
  table
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** The table of the sweep with these rows in place of those of the same SDKs, in the order of `titles`, which are all there are. */
export function mergeSweep(
  published: string,
  rows: readonly (readonly string[])[],
  titles: readonly string[],
): string {
  const byTitle = new Map([...readRows(published), ...rows].map((row) => [row[0] ?? '', row]));
  return markdownTable(
    sweepHead,
    titles.flatMap((title) => {
      const row = byTitle.get(title);
      return row === undefined ? [] : [[...row]];
    }),
  );
}
