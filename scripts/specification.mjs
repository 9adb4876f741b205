// `npm run specification`: writes docs/specification.md, and the tests of the rows of docs/security.md.
import { writeFileSync } from 'node:fs';
import { inRoot } from './setup/paths.mjs';
import { main } from './setup/run.mjs';
import {
  pagePath,
  readSpecification,
  specificationPage,
  specificationProblems,
} from './setup/specification.mjs';
import { readThreats, threatProblems, threatsPage, threatsPath } from './setup/threats.mjs';

await main(async () => {
  const read = readSpecification();
  writeFileSync(inRoot(pagePath), specificationPage(read));
  writeFileSync(inRoot(threatsPath), threatsPage(readThreats()));
  const problems = [...specificationProblems(read), ...threatProblems()];
  for (const line of problems) console.log(line);
  console.log(`${Object.keys(read.rows).length} rows.`);
  return problems.length === 0 ? 0 : 1;
});
