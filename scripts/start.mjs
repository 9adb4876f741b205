// `npm start`: installs and builds if needed, then runs the server. Arguments such as --empty go to the server.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { install } from './install.mjs';
import { killAfterMs } from './setup/drain.mjs';
import { root } from './setup/paths.mjs';
import { portProblem } from './setup/port.mjs';
import { main } from './setup/run.mjs';
import { supervise } from './setup/supervise.mjs';
import { buildWeb } from './setup/web.mjs';

/** As the server reads it (server/src/config.ts). */
const dataDir = resolve(root, process.env.DATA_DIR?.trim() || '.data');

await main(async (args) => {
  const problem = await portProblem(process.env);
  if (problem !== null) throw new Error(problem);
  await install();
  await buildWeb();
  // Compiled code is stored beside the data: a start writes nothing to the checkout, which may be read-only.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(dataDir, 'cache') };
  return supervise(['server/src/main.ts', ...args], {
    env,
    killAfterMs: killAfterMs(),
    cleanUp: ['server/src/stop-database.ts'],
  });
});
