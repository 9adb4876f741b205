// `npm run fuzz`: sends inputs generated from the contract to a separate server, for example with `-- --minutes 20 --seed 7`.
import { install } from './install.mjs';
import { main } from './setup/main.mjs';
import { runNode } from './setup/run.mjs';

await main(async (args) => {
  await install();
  return runNode(['fuzz/src/main.ts', ...args]);
});
