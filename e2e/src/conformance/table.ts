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

const missing = 'not in this SDK';

/** How many cases of a call passed with an SDK: `4 of 5`; an SDK without the call has `not in this SDK`. */
function cell(call: SdkCall, sdk: Sdk, results: readonly Result[]): string {
  const cases = casesInSdk(call, sdk);
  if (cases.length === 0) return missing;
  const passed = results.filter(
    (result) => result.call === call && result.sdk === sdk && result.failure === null,
  );
  return passed.length === cases.length ? `${cases.length}` : `**${passed.length} of ${cases.length}**`;
}

const outcomeList = (call: SdkCall) => [...new Set(call.cases.map(({ outcome }) => outcome))];

/** The rows call × SDK as text. */
export const tableRows = (
  calls: readonly SdkCall[],
  sdks: readonly Sdk[],
  results: readonly Result[],
): string[][] => [
  ['Call', ...sdks.map(sdkTitle), 'Outcomes'],
  ...calls.map((call) => [
    call.name,
    ...sdks.map((sdk) => cell(call, sdk, results)),
    outcomeList(call).join(', '),
  ]),
];

const code = (text: string) => `\`${text}\``;

/** Cells of the rows of a table in Markdown, its head first. */
const readTable = (table: string): string[][] =>
  table
    .split('\n')
    .filter((_, index) => index !== 1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const notRun = 'not run';

/**
 * The table of cases as the page has it, of all calls and the SDKs of `titles`: with these rows in place of those of the same
 * calls and SDKs.
 */
export function mergeCases(
  published: string,
  [head = [], ...rows]: readonly (readonly string[])[],
  calls: readonly SdkCall[],
  titles: readonly string[],
): string {
  const cells = new Map<string, string>();
  const note = (columns: readonly string[], [call = '', ...values]: readonly string[]) => {
    for (const [index, title] of columns.slice(1, -1).entries())
      cells.set(`${call} ${title}`, values[index] ?? notRun);
  };
  const [publishedHead = [], ...publishedRows] = readTable(published);
  for (const row of publishedRows) note(publishedHead, row);
  for (const [call = '', ...values] of rows) note(head, [code(call), ...values]);
  return markdownTable(
    ['Call', ...titles, 'Outcomes'],
    calls.map((call) => {
      const name = code(call.name);
      const outcomes = outcomeList(call).map((one) => (one === 'success' ? one : code(one)));
      return [name, ...titles.map((title) => cells.get(`${name} ${title}`) ?? notRun), outcomes.join(', ')];
    }),
  );
}

/** What is wrong with the numbers of a table of cases: those that no run can have in which everything passes. */
export function caseFaults(published: string, calls: readonly SdkCall[]): string[] {
  const [[, ...titles] = [], ...rows] = readTable(published);
  return rows.flatMap(([name = '', ...cells]) => {
    const cases = calls.find((call) => code(call.name) === name)?.cases ?? [];
    // An SDK leaves out cases of parameters that it does not have, and a call that it does not have.
    const least = cases.filter(({ parameter }) => parameter === undefined).length;
    return titles.slice(0, -1).flatMap((title, index) => {
      const cell = cells[index] ?? '';
      const isPossible =
        cell === missing || (/^\d+$/.test(cell) && Number(cell) >= least && Number(cell) <= cases.length);
      return isPossible ? [] : [`${name} with ${title}: ${cell} of ${cases.length}`];
    });
  });
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

/** The table of the sweep with these rows in place of those of the same SDKs, in the order of `titles`, which are all there are. */
export function mergeSweep(
  published: string,
  rows: readonly (readonly string[])[],
  titles: readonly string[],
): string {
  const byTitle = new Map([...readTable(published).slice(1), ...rows].map((row) => [row[0] ?? '', row]));
  return markdownTable(
    sweepHead,
    titles.flatMap((title) => {
      const row = byTitle.get(title);
      return row === undefined ? [] : [[...row]];
    }),
  );
}
