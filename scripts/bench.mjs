// `npm run bench NAME`: one of the workloads in bench/src.
import { existsSync, readdirSync } from 'node:fs';
import { install } from './install.mjs';
import { main } from './setup/main.mjs';
import { inRoot } from './setup/paths.mjs';
import { runNode } from './setup/run.mjs';

await main(async ([name, ...args]) => {
  await install();
  if (!name || !/^[a-z-]+$/.test(name) || !existsSync(inRoot('bench/src', `${name}.ts`))) {
    const files = existsSync(inRoot('bench/src')) ? readdirSync(inRoot('bench/src')) : [];
    const names = files.flatMap((file) => /^([a-z-]+)\.ts$/.exec(file)?.[1] ?? []);
    throw new Error(`npm run bench NAME, where NAME is ${names.join(' or ') || 'a file of bench/src'}.`);
  }
  return runNode([`bench/src/${name}.ts`, ...args], { env: { NODE_ENV: 'production' } });
});
