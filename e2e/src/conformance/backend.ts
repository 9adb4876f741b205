// `npm run conformance backend`: drives a server with the official SDKs, unmodified: each call of §7 × its success and each
// of its errors × SDK. `-- --calls PATTERN` runs some calls only, `-- --write` puts the table into docs/backend-service.md.
import { flag, pattern, readOptions } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import { missingCases, sdkCalls } from './calls.ts';
import { openFixtures } from './fixture.ts';
import { type Result, runCases } from './run.ts';
import { sdks, sdkTitle } from './sdks.ts';
import { publishedTable, publishedText, tableRows } from './table.ts';

const describeFailure = ({ call, case: one, sdk, failure }: Result) =>
  `FAILED: ${call.name}: ${one.outcome} (${one.how}) with ${sdkTitle(sdk)}: ${failure}`;

/** Prints call × SDK, and failures below. The exit code: 1 when a case failed or is missing, or the page has another table. */
async function main(): Promise<number> {
  const options = readOptions('npm run conformance backend', { calls: pattern(), write: flag() });
  const calls = sdkCalls.filter(({ name }) => options.calls?.test(name) ?? true);
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
  // The outcomes, the last column, are listed in docs/backend-service.md.
  const [head = [], ...rows] = tableRows(calls, results).map((row) => row.slice(0, -1));
  printTable(head, rows, 'left');
  for (const failure of failures) console.log(failure);
  const isWhole = options.calls === null;
  const missing = isWhole ? missingCases() : [];
  for (const name of missing) console.log(`MISSING: ${name}`);
  console.log(
    `${results.length - failures.length} passed, ${failures.length} failed, ${missing.length} outcomes without a case`,
  );
  const table = publishedText(calls, results);
  if (isWhole && options.write) await publishedTable.write(table);
  const isStale = isWhole && (await publishedTable.read()) !== table;
  if (isStale)
    console.log('docs/backend-service.md has another table: npm run conformance backend -- --write');
  return failures.length + missing.length > 0 || isStale ? 1 : 0;
}

// A socket of an SDK that connects again would keep the process.
process.exit(await main());
