// `npm run conformance backend`: drives a server with the official SDKs, unmodified: each call of §7 × its success and each
// of its errors × SDK. `-- --calls PATTERN` runs some calls only. `-- --write` takes the oldest and newest SDK for the web and
// for Node, and puts what passed into the tables of docs/backend-service.md. `-- --versions` takes them as well, and makes 25
// calls with every version of versions/package.json; `--sdks PATTERN` runs some of them.
import { flag, pattern, readOptions } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import { missingCases, sdkCalls } from './calls.ts';
import { openFixtures } from './fixture.ts';
import { type Result, runCases } from './run.ts';
import { type Sdk, sdkTitle } from './sdks.ts';
import { sweepCalls } from './sweep.ts';
import { mergeCases, mergeSweep, publishedCases, publishedSweep, sweepRow, tableRows } from './table.ts';
import { endSdks, endTitles, fetchSdks, installedSdks } from './versions.ts';

const options = readOptions('npm run conformance backend', {
  calls: pattern(),
  versions: flag(),
  sdks: pattern(),
  write: flag(),
});
const isAsked = (sdk: Sdk) => options.sdks?.test(sdkTitle(sdk)) ?? true;

const describeFailure = ({ call, case: one, sdk, failure }: Result) =>
  `FAILED: ${call.name}: ${one.outcome} (${one.how}) with ${sdkTitle(sdk)}: ${failure}`;

/** Whether the page has the table with what this run found, which it gets with `--write`. */
async function publish(published: typeof publishedCases, merge: (table: string) => string): Promise<boolean> {
  const before = await published.read();
  const table = merge(before);
  if (options.write) await published.write(table);
  return options.write || before === table;
}

/** Prints call × SDK, and failures below. The exit code: 1 when a case failed or is missing, or the page has another table. */
async function main(): Promise<number> {
  const all = options.versions || options.write ? await fetchSdks() : [];
  const ends = endSdks(all, sdkTitle);
  const wholeSdks = (ends.length > 0 ? ends : installedSdks).filter(isAsked);
  const sweptSdks = options.versions ? all.filter(isAsked) : [];
  const calls = sdkCalls.filter(({ name }) => options.calls?.test(name) ?? true);
  const sweep = sweepCalls.filter(({ call }) => options.calls?.test(call.name) ?? true);
  const whole = calls.map((call) => ({ call, cases: call.cases }));
  const failures: string[] = [];
  const report = (result: Result) => {
    if (result.failure !== null) failures.push(describeFailure(result));
  };
  const fixtures = await openFixtures();
  let results: Result[];
  let swept: Result[];
  try {
    results = await runCases(fixtures, whole, wholeSdks, report);
    swept = await runCases(fixtures, sweep, sweptSdks, report);
  } finally {
    await fixtures.close();
  }
  const rows = tableRows(calls, wholeSdks, results);
  // The outcomes, the last column, are listed in docs/backend-service.md.
  const [head = [], ...body] = rows.map((row) => row.slice(0, -1));
  printTable(head, body, 'left');
  const sweptCalls = sweep.map(({ call }) => call);
  const sweptRows = sweptSdks.map((sdk) => sweepRow(sdk, sweptCalls, swept));
  for (const row of sweptRows) console.log(row.join('  '));
  for (const failure of failures) console.log(failure);
  const missing = options.calls === null ? missingCases() : [];
  for (const name of missing) console.log(`MISSING: ${name}`);
  const count = results.length + swept.length - failures.length;
  console.log(`${count} passed, ${failures.length} failed, ${missing.length} outcomes without a case`);
  const hasCases = await publish(publishedCases, (table) =>
    mergeCases(table, ends.length > 0 ? rows : [], sdkCalls, endTitles()),
  );
  const hasSweep =
    // Of some calls alone nothing is published: a row counts all of them.
    sweptSdks.length === 0 ||
    options.calls !== null ||
    (await publish(publishedSweep, (table) => mergeSweep(table, sweptRows, all.map(sdkTitle))));
  const isCurrent = hasCases && hasSweep;
  if (!isCurrent)
    console.log('docs/backend-service.md has another table: npm run conformance backend -- --write');
  return failures.length + missing.length > 0 || !isCurrent ? 1 : 0;
}

// A socket of an SDK that connects again would keep the process.
process.exit(await main());
