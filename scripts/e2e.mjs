// `npm run e2e`: the project `journey`, or that of `-- --project NAME`. Other arguments, such as `--repeat-each 10`, go to Playwright.
import { install } from './install.mjs';
import { runBrowserTests } from './setup/browser-tests.mjs';
import { main } from './setup/main.mjs';

await main(async (args) => {
  await install();
  const { code, passed, failed } = await runBrowserTests(
    args.some((arg) => arg.startsWith('--project')) ? args : ['--project=journey', ...args],
  );
  console.log(`${passed} passed, ${failed} failed`);
  return code;
});
