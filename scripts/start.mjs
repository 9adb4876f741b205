// `npm start`: installs and builds if needed, then runs the server. Arguments such as --empty go to the server.
import { install } from './install.mjs';
import { main, runNode } from './setup/run.mjs';
import { buildWeb } from './setup/web.mjs';

await main(async (args) => {
  await install();
  await buildWeb();
  // The server drains within 5 s by itself; after 6 s it is killed.
  return runNode(['server/src/main.ts', ...args], { killAfterMs: 6000 });
});
