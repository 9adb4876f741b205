// `npm run lighthouse [PATH …]`: see e2e/src/lighthouse.ts.
import { install } from './install.mjs';
import { findChromium } from './setup/chromium.mjs';
import { main, runNode } from './setup/run.mjs';
import { buildWeb } from './setup/web.mjs';

await main(async (args) => {
  await install();
  const chromium = findChromium();
  if (!chromium) throw new Error('No Chromium was found. Set CHROMIUM_PATH.');
  await buildWeb();
  return runNode(['e2e/src/lighthouse.ts', ...args], { env: { CHROMIUM_PATH: chromium } });
});
