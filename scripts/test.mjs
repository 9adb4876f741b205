// `npm test`: all tests, then all browser tests, and one line with the totals of both.
import { readFileSync, rmSync } from 'node:fs';
import { install } from './install.mjs';
import { runBrowserTests } from './setup/browser-tests.mjs';
import { main } from './setup/main.mjs';
import { inRoot } from './setup/paths.mjs';
import { runNode, tool } from './setup/run.mjs';

const report = inRoot('test-results', 'units.json');

async function runUnitTests() {
  rmSync(report, { force: true });
  const code = await runNode([
    tool('vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  let totals = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  try {
    totals = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    // No report: the run failed before that, with a non-zero exit code.
  }
  const failed = code !== 0 && totals.numFailedTests === 0 ? 1 : totals.numFailedTests;
  return { passed: totals.numPassedTests, failed, skipped: totals.numPendingTests + totals.numTodoTests };
}

await main(async () => {
  await install();
  const units = await runUnitTests();
  const browser = await runBrowserTests([]);
  const sum = (name) => units[name] + browser[name];
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
  return sum('failed') === 0 ? 0 : 1;
});
