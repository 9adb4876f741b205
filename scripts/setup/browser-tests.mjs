import { readFileSync, rmSync } from 'node:fs';
import { findChromium, findTestChromium } from './chromium.mjs';
import { inRoot } from './paths.mjs';
import { runNode, tool } from './run.mjs';
import { temporaryFolder } from './temporary-folder.mjs';
import { buildWeb } from './web.mjs';

const report = inRoot('test-results', 'browser.json');

/**
 * Runs the browser tests with the machine's Chromium, without windows where it has that. Returns `{ code, passed, failed, skipped }`, the titles of those that
 * failed, and of those that passed at the second attempt. Without a browser they are skipped, a failure under CI=true.
 */
export async function runBrowserTests(args) {
  const chromium = findTestChromium();
  if (!chromium) {
    console.error('The browser tests were skipped: no Chromium was found. Set CHROMIUM_PATH.');
    const failed = process.env.CI === 'true' ? 1 : 0;
    return { code: failed, passed: 0, failed, skipped: 0, failures: [], flaky: [] };
  }
  await buildWeb();
  const project = args.includes('--project') ? [] : ['--project=browser'];
  rmSync(report, { force: true });
  const code = await runNode(
    [tool('@playwright/test/cli.js'), 'test', '-c', 'e2e', '--reporter=list,json', ...project, ...args],
    {
      env: {
        CHROMIUM_PATH: chromium,
        WINDOWED_CHROMIUM_PATH: findChromium(),
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        TMPDIR: temporaryFolder(),
      },
    },
  );
  const { stats, suites } = readReport();
  const { expected, flaky, unexpected, skipped } = stats;
  // A run that failed before its first test counts as one failure.
  const failed = code !== 0 && unexpected === 0 ? 1 : unexpected;
  const titles = (status) => specs(suites).flatMap((spec) => (spec.status === status ? [spec.title] : []));
  return {
    ...{ code, passed: expected + flaky, failed, skipped },
    ...{ failures: titles('unexpected'), flaky: titles('flaky') },
  };
}

/** The specs of suites within suites. */
function specs(suites) {
  return suites.flatMap((suite) => [
    ...(suite.specs ?? []).map(({ file, title, tests }) => ({
      title: `${file} › ${title}`,
      status: tests[0]?.status,
    })),
    ...specs(suite.suites ?? []),
  ]);
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    // No report: the run failed before that.
    return { stats: { expected: 0, flaky: 0, unexpected: 0, skipped: 0 }, suites: [] };
  }
}
