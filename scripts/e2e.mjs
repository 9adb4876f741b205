// `npm run e2e`: the journey, or the specs named first (`-- forms screens`). Other arguments, such as `--repeat-each 10`,
// go to Playwright: `--project nodes` runs some at two nodes behind a proxy, with the services of services.mjs, and `--project citus`
// the spec of a Citus cluster, at CITUS_URL, instead of the browser's.
import { install } from './install.mjs';
import { runBrowserTests } from './setup/browser-tests.mjs';
import { main } from './setup/run.mjs';
import { prepareServices } from './setup/services.mjs';

await main(async (args) => {
  await install();
  if (args.includes('nodes') && !prepareServices({ installs: true })) return 1;
  const isSpecNamed = args.includes('--project') || (args[0] !== undefined && !args[0].startsWith('-'));
  const { code, passed, failed } = await runBrowserTests(isSpecNamed ? args : ['journey', ...args]);
  console.log(`${passed} passed, ${failed} failed`);
  return code;
});
