// `npm test`: all tests, then all browser tests, the names of those that failed, and one line with the totals of both.
import { readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { install } from './install.mjs';
import { runBrowserTests } from './setup/browser-tests.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { main, runNode, tool } from './setup/run.mjs';
import { prepareServices, testServices } from './setup/services.mjs';
import { temporaryFolder } from './setup/temporary-folder.mjs';

const report = inRoot('test-results', 'units.json');

async function runUnitTests() {
  rmSync(report, { force: true });
  const code = await runNode(
    [tool('vitest/vitest.mjs'), 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`],
    { env: { TMPDIR: temporaryFolder() } },
  );
  let totals = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
  try {
    totals = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    // No report: the run failed before that, with a non-zero exit code.
  }
  const failed = code !== 0 && totals.numFailedTests === 0 ? 1 : totals.numFailedTests;
  const skipped = totals.numPendingTests + totals.numTodoTests;
  return { passed: totals.numPassedTests, failed, skipped, ...troubles(totals.testResults) };
}

/** The names of the tests that failed, and of those that passed at the second attempt, with why the first one failed. */
function troubles(files) {
  const tests = files.flatMap(({ name, status, message, assertionResults }) => {
    const path = relative(root, name);
    // A file that could not be loaded has no tests.
    const own = status === 'failed' && assertionResults.length === 0 ? [{ status, fullName: message }] : [];
    return [...own, ...assertionResults].map((test) => ({ ...test, title: `${path} › ${test.fullName}` }));
  });
  const isFlaky = ({ status, failureMessages }) => status === 'passed' && failureMessages?.length > 0;
  return {
    failures: tests.filter(({ status }) => status === 'failed').map(({ title }) => title),
    flaky: tests.filter(isFlaky).map(({ title, failureMessages: [reason] }) => `${title}\n  ${reason}`),
  };
}

await main(async () => {
  await install();
  prepareServices({ names: testServices });
  const units = await runUnitTests();
  const browser = await runBrowserTests([]);
  for (const title of [...units.failures, ...browser.failures]) console.log(`failed: ${title}`);
  for (const title of [...units.flaky, ...browser.flaky])
    console.log(`passed at the second attempt: ${title}`);
  const sum = (name) => units[name] + browser[name];
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
  return sum('failed') === 0 ? 0 : 1;
});
