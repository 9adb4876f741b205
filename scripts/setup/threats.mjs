// The rows of docs/security.md that tests prove: what must not happen, what prevents it, and the tests that name the row.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { namedIds, testLinks } from './specification.mjs';

export const threatsPath = 'docs/security.md';

const row = /^\| (threat-[a-z\d-]+) \| .* \|$/gm;

/** The page's text, and the test files that name each of its rows. */
export const readThreats = (base = root) => ({
  page: readFileSync(join(base, threatsPath), 'utf8'),
  tests: namedIds(/threat-[a-z\d]+(?:-[a-z\d]+)*/g, base, { more: ['scripts'] }),
});

/** The page with the tests of each row in the row's last column. */
export const threatsPage = ({ page, tests }) =>
  page.replace(
    row,
    (line, id) =>
      `${line.slice(0, line.lastIndexOf(' | ', line.length - 3))} | ${testLinks(tests.get(id) ?? [])} |`,
  );

/** What is wrong: a row without a test, a title that names no row, and that the page is not the current one. */
export function threatProblems(read = readThreats()) {
  const rows = [...read.page.matchAll(row)].map(([, id]) => id);
  return [
    ...rows.filter((id) => !read.tests.has(id)).map((id) => `${id} has no test that names it`),
    ...[...read.tests]
      .filter(([id]) => !rows.includes(id))
      .map(([id, files]) => `${id} of ${files.join(', ')} is no row of ${threatsPath}`),
    ...(threatsPage(read) === read.page ? [] : [`${threatsPath} is not current: npm run specification`]),
  ];
}
