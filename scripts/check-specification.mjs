// Part of `npm run check`: every row of the specification has a test that names it.
import { readFileSync } from 'node:fs';
import { main } from './setup/main.mjs';
import { inRoot } from './setup/paths.mjs';
import {
  pagePath,
  readSpecification,
  specificationPage,
  specificationProblems,
} from './setup/specification.mjs';

await main(async () => {
  const read = readSpecification();
  const problems = specificationProblems(read);
  if (readFileSync(inRoot(pagePath), 'utf8') !== specificationPage(read))
    problems.push(`${pagePath} is not current: npm run specification`);
  for (const line of problems) console.log(line);
  return problems.length === 0 ? 0 : 1;
});
