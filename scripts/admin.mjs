// `npm run admin -- …`: commands for operators.
import { install } from './install.mjs';
import { main } from './setup/main.mjs';
import { runNode } from './setup/run.mjs';

await main(async (args) => {
  await install();
  return runNode(['server/src/admin.ts', ...args]);
});
