// `npm run test:long`: the tests of adjustable length, each much longer than in `npm test`, and a summary.
// `-- --minutes N` is the time of the fuzzer (20 unless given).
import { parseArgs } from 'node:util';
import { install } from './install.mjs';
import { runBrowserTests } from './setup/browser-tests.mjs';
import { main, runNode, tool } from './setup/run.mjs';

const vitest = (args, env = {}) => runNode([tool('vitest/vitest.mjs'), 'run', ...args], { env });

async function repeat(times, run) {
  for (let time = 0; time < times; time += 1) {
    const code = await run();
    if (code !== 0) return code;
  }
  return 0;
}

await main(async (args) => {
  const { values } = parseArgs({ args, options: { minutes: { type: 'string', default: '20' } } });
  await install();
  const parts = [
    ['5,000 random lives of requests', () => vitest(['money.property'], { MONEY_BATCHES: '200' })],
    ['kill -9 after each step, 5 times', () => repeat(5, () => vitest(['e2e/src/crash.test.ts']))],
    ['500 schedules and 50 kills of chats', () => runNode(['e2e/src/chaos/chat.ts'])],
    ['1,000 schedules and 100 kills of money', () => runNode(['e2e/src/chaos/money.ts'])],
    [`fuzzer, ${values.minutes} minutes`, () => runNode(['fuzz/src/main.ts', '--minutes', values.minutes])],
    [
      'SDKs after cuts and a restart, at their own pace',
      () => vitest(['realtime-reconnect'], { REALTIME_SPEED: '1' }),
    ],
    ['payment sandbox against published clients', () => runNode(['sandbox/src/conformance/payments.ts'])],
    ['backend service against the official SDKs', () => runNode(['e2e/src/conformance/backend.ts'])],
    ['journey, 10 times', async () => (await runBrowserTests(['journey', '--repeat-each', '10'])).code],
  ];
  const lines = [];
  let failed = 0;
  for (const [name, run] of parts) {
    const start = Date.now();
    const code = await run();
    if (code !== 0) failed += 1;
    lines.push(`${code === 0 ? 'passed' : 'FAILED'}  ${name} (${Math.round((Date.now() - start) / 1000)} s)`);
  }
  console.log(['', ...lines, `${parts.length - failed} passed, ${failed} failed`].join('\n'));
  return failed === 0 ? 0 : 1;
});
