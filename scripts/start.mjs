// `npm start`: installs and builds if needed, then runs the server. Arguments such as --empty go to the server.
import { install } from './install.mjs';
import { main, runNode } from './setup/run.mjs';
import { buildWeb } from './setup/web.mjs';

await main(async (args) => {
  await install();
  await buildWeb();
  // Most objects live no longer than a request, so a larger young generation copies fewer of them.
  // The server drains within 5 s by itself; after 6 s it is killed.
  return runNode(['--max-semi-space-size=64', 'server/src/main.ts', ...args], { killAfterMs: 6000 });
});
