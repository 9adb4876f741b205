// `npm run chaos NAME`: random schedules and kills against a real server, of e2e/src/chaos.
import { existsSync, readdirSync } from 'node:fs';
import { install } from './install.mjs';
import { main } from './setup/main.mjs';
import { inRoot } from './setup/paths.mjs';
import { runNode } from './setup/run.mjs';

const folder = 'e2e/src/chaos';
/** The names of the runs: the files of the folder with a short version in `npm test`. */
const names = readdirSync(inRoot(folder)).flatMap((file) => /^([a-z]+)\.test\.ts$/.exec(file)?.[1] ?? []);

await main(async ([name, ...args]) => {
  await install();
  if (!name || !names.includes(name) || !existsSync(inRoot(folder, `${name}.ts`)))
    throw new Error(`npm run chaos NAME, where NAME is ${names.join(' or ')}.`);
  return runNode([`${folder}/${name}.ts`, ...args]);
});
