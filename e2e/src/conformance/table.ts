import { pageSection } from '@tara/proof/page-section';
import { markdownTable } from '@tara/proof/table';
import type { Case, SdkCall } from './cases.ts';
import { isInSdk, type Result } from './run.ts';
import { type Sdk, sdks, sdkTitle } from './sdks.ts';

/** Where the table is published. */
export const publishedTable = pageSection('docs/backend-service.md', 'conformance');

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
export function publishedText(calls: readonly SdkCall[], results: readonly Result[] | null): string {
  const [head = [], ...rows] = tableRows(calls, results);
  const code = (text: string) => `\`${text}\``;
  const lines = rows.map(([call = '', ...cells]) => {
    const outcomes = (cells.pop() ?? '').split(', ').map((one) => (one === 'success' ? one : code(one)));
    return [code(call), ...cells, outcomes.join(', ')];
  });
  return markdownTable(head, lines);
}
