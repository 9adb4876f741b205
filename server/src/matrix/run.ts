// `npm run matrix NAME`: one of the matrices of this folder, which are made from the contract, with a line for each call;
// `npm run matrix permissions -- --write` writes its table to docs/security.md.
import { basename } from 'node:path';
import { flag, readOptions } from '@tara/proof/options';
import { startVitest } from 'vitest/node';

const [file = '', ...args] = process.argv.slice(2);
const { write } = readOptions(`npm run matrix ${basename(file, '.test.ts')}`, { write: flag() }, args);
if (write) process.env.WRITE_MATRIX = '1';
const vitest = await startVitest('test', [file], { run: true, reporters: ['verbose'] });
await vitest.close();
