// `npm start`: everything that is needed, then the server. Arguments such as --empty go to the server.
import { install } from './install.mjs';
import { main } from './setup/main.mjs';
import { runNode } from './setup/run.mjs';
import { buildWeb } from './setup/web.mjs';

await main(async (args) => {
  await install();
  await buildWeb();
  // Most of what a request makes dies with it: a larger young generation copies less of it.
  // The server drains by itself within 5 s; what hangs longer is ended.
  return runNode(['--max-semi-space-size=64', 'server/src/main.ts', ...args], { patience: 6000 });
});
