// `npm run admin -- …`: commands for the one who runs Tara.
import { install } from './install.mjs';
import { main } from './setup/main.mjs';
import { runNode } from './setup/run.mjs';

await main(async (args) => {
  await install();
  return runNode(['server/src/admin.ts', ...args]);
});
