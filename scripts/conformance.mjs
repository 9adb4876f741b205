// `npm run conformance NAME`: drives a sandbox with clients that others published, of sandbox/src/conformance.
import { existsSync, readdirSync } from 'node:fs';
import { install } from './install.mjs';
import { main } from './setup/main.mjs';
import { inRoot } from './setup/paths.mjs';
import { runNode } from './setup/run.mjs';

const folder = 'sandbox/src/conformance';
const names = readdirSync(inRoot(folder)).flatMap((file) => /^([a-z]+)\.test\.ts$/.exec(file)?.[1] ?? []);

await main(async ([name, ...args]) => {
  await install();
  if (!name || !names.includes(name) || !existsSync(inRoot(folder, `${name}.ts`)))
    throw new Error(`npm run conformance NAME, where NAME is ${names.join(' or ')}.`);
  return runNode([`${folder}/${name}.ts`, ...args]);
});
