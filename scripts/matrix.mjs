// `npm run matrix NAME`: one of the matrices of server/src/matrix, which are made from the contract, with a line for each call;
// `npm run matrix permissions -- --write` writes its table to docs/security.md.
import { existsSync, readdirSync } from 'node:fs';
import { install } from './install.mjs';
import { inRoot } from './setup/paths.mjs';
import { main, runNode, tool } from './setup/run.mjs';

const folder = 'server/src/matrix';

await main(async ([name, flag]) => {
  await install();
  if (!name || !/^[a-z-]+$/.test(name) || !existsSync(inRoot(folder, `${name}.test.ts`))) {
    const names = readdirSync(inRoot(folder)).flatMap(
      (file) => /^([a-z-]+)[.]test[.]ts$/.exec(file)?.[1] ?? [],
    );
    throw new Error(`npm run matrix NAME, where NAME is ${names.join(' or ')}.`);
  }
  if (flag === '--write') process.env.WRITE_MATRIX = '1';
  return runNode([tool('vitest/vitest.mjs'), 'run', '--reporter=verbose', `${folder}/${name}.test.ts`]);
});
