// `npm run specification`: takes tested rows off the list of what is not built, and writes docs/specification.md.
import { writeFileSync } from 'node:fs';
import { main } from './setup/main.mjs';
import { inRoot } from './setup/paths.mjs';
import {
  notBuiltPath,
  pagePath,
  readSpecification,
  shrunkList,
  specificationPage,
  specificationProblems,
} from './setup/specification.mjs';

await main(async () => {
  const read = readSpecification();
  const current = { ...read, notBuilt: shrunkList(read) };
  writeFileSync(inRoot(notBuiltPath), `${JSON.stringify(current.notBuilt, null, 2)}\n`);
  writeFileSync(inRoot(pagePath), specificationPage(current));
  const problems = specificationProblems(current);
  for (const line of problems) console.log(line);
  const rows = Object.keys(current.rows).length;
  console.log(`${rows} rows, ${rows - current.notBuilt.rows.length} tested.`);
  return problems.length === 0 ? 0 : 1;
});
