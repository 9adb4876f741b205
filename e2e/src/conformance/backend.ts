// `npm run conformance backend`: drives a server with the official SDKs, unmodified: each call of §7 × its success and each
// of its errors × SDK. `-- --calls PATTERN` runs some calls only, `-- --write` puts the table into docs/backend-service.md.
import { parseArgs } from 'node:util';
import { missingCases, sdkCalls } from './calls.ts';
import { openFixtures } from './fixture.ts';
import { type Result, runCases } from './run.ts';
import { sdks, sdkTitle } from './sdks.ts';
import { markdownTable, readTable, tableRows, writeTable } from './table.ts';

function printTable(rows: readonly (readonly string[])[]): void {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns - 1 }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of rows)
    console.log(
      widths
        .map((width, column) => (row[column] ?? '').padEnd(width))
        .join('  ')
        .trimEnd(),
    );
}

const describeFailure = ({ call, case: one, sdk, failure }: Result) =>
  `FAILED: ${call.name}: ${one.outcome} (${one.how}) with ${sdkTitle(sdk)}: ${failure}`;

/** Prints call × SDK, and failures below. The exit code: 1 when a case failed or is missing, or the page has another table. */
async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { calls: { type: 'string', default: '' }, write: { type: 'boolean', default: false } },
  });
  const pattern = new RegExp(values.calls);
  const calls = sdkCalls.filter(({ name }) => pattern.test(name));
  const fixtures = await openFixtures();
  const failures: string[] = [];
  let results: Result[];
  try {
    results = await runCases(
      fixtures,
      calls.map((call) => ({ call, cases: call.cases })),
      sdks,
      (result) => {
        if (result.failure !== null) failures.push(describeFailure(result));
      },
    );
  } finally {
    await fixtures.close();
  }
  printTable(tableRows(calls, results));
  for (const failure of failures) console.log(failure);
  const isWhole = values.calls === '';
  const missing = isWhole ? missingCases() : [];
  for (const name of missing) console.log(`MISSING: ${name}`);
  console.log(
    `${results.length - failures.length} passed, ${failures.length} failed, ${missing.length} outcomes without a case`,
  );
  const table = markdownTable(calls, results);
  if (isWhole && values.write) await writeTable(table);
  const isStale = isWhole && (await readTable()) !== table;
  if (isStale)
    console.log('docs/backend-service.md has another table: npm run conformance backend -- --write');
  return failures.length + missing.length > 0 || isStale ? 1 : 0;
}

// A socket of an SDK that connects again would keep the process.
process.exit(await main(process.argv.slice(2)));
