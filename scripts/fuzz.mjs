// `npm run fuzz`: a server of its own under inputs made from the contract; `-- --minutes 20 --seed 7` as an example.
import { install } from './install.mjs';
import { main } from './setup/main.mjs';
import { runNode } from './setup/run.mjs';

await main(async (args) => {
  await install();
  return runNode(['fuzz/src/main.ts', ...args]);
});
