// The rows of the specification, the tests that name them, and the page docs/specification.md made of both.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { testTitles } from './test-titles.mjs';

export const rowsPath = 'docs/specification-rows.json';
export const notBuiltPath = 'docs/specification-not-built.json';
export const pagePath = 'docs/specification.md';

const folders = ['contract', 'paymongo', 'sandbox', 'server', 'web', 'bench', 'e2e', 'fuzz'];
const isTest = (path) => /[.](?:test|spec)[.]tsx?$/.test(path);
const readJson = (path, base) => JSON.parse(readFileSync(join(base, path), 'utf8'));

/** Every test file below the workspaces' `src`, with `/` between folders. */
function testFiles(base) {
  return folders.flatMap((folder) =>
    readdirSync(join(base, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter(isTest)
      .map((path) => `${folder}/src/${path.replaceAll('\\', '/')}`)
      .sort(),
  );
}

/** Row id → the test files with a title that names it. */
export function namedRows(base = root) {
  const files = new Map();
  for (const path of testFiles(base)) {
    const source = readFileSync(join(base, path), 'utf8');
    if (!source.includes('§')) continue;
    const ids = testTitles(source, { tsx: path.endsWith('x') }).flatMap(
      (title) => title.match(/§\d-[a-z\d]+(?:-[a-z\d]+)*/g) ?? [],
    );
    for (const id of new Set(ids)) files.set(id, [...(files.get(id) ?? []), path]);
  }
  return files;
}

/** Every committed version of the list of rows that are not built, newest first; none without git. */
function committedLists(base) {
  const git = (...args) => execFileSync('git', args, { cwd: base, encoding: 'utf8', stdio: 'pipe' });
  try {
    const commits = git('log', '--format=%H', '--', notBuiltPath).split('\n').filter(Boolean);
    return commits.map((commit) => JSON.parse(git('show', `${commit}:./${notBuiltPath}`)));
  } catch {
    return [];
  }
}

/** The rows, their tests, and the list of rows that are not built, also as it was committed. */
export function readSpecification(base = root) {
  return {
    rows: readJson(rowsPath, base),
    notBuilt: readJson(notBuiltPath, base),
    committed: committedLists(base),
    tests: namedRows(base),
  };
}

/**
 * What is wrong: a row with neither a test nor a place in the list, a listed row with a test, a title that names no row,
 * and a list that grew. It may hold at most `most` rows, and only rows that every committed version holds.
 */
export function specificationProblems({ rows, notBuilt, committed, tests }) {
  const listed = new Set(notBuilt.rows);
  const problems = [];
  for (const id of Object.keys(rows)) {
    if (!listed.has(id) && !tests.has(id))
      problems.push(`${id} has neither a test nor a place in ${notBuiltPath}`);
    if (listed.has(id) && tests.has(id))
      problems.push(
        `${id} is listed as not built, but tested by ${tests.get(id).join(', ')}: npm run specification`,
      );
  }
  for (const [id, files] of tests)
    if (!Object.hasOwn(rows, id)) problems.push(`${id} of ${files.join(', ')} is no row of ${rowsPath}`);
  for (const id of listed) {
    if (!Object.hasOwn(rows, id)) problems.push(`${id} of ${notBuiltPath} is no row of ${rowsPath}`);
    if (committed.some((version) => !version.rows.includes(id)))
      problems.push(`${id} came back to ${notBuiltPath}`);
  }
  const most = Math.min(notBuilt.most, ...committed.map((version) => version.most));
  if (notBuilt.rows.length > most)
    problems.push(`${notBuiltPath} holds ${notBuilt.rows.length} rows, and may hold ${most}`);
  return problems;
}

/** The list without the rows that have a test by now; it never grows. */
export function shrunkList({ notBuilt, tests }) {
  const rows = notBuilt.rows.filter((id) => !tests.has(id));
  return { most: rows.length, rows };
}

const sections = [
  'What the product does and for whom',
  'Screens and routes',
  'Entities and their fields',
  'States and transitions',
  'Validation rules',
  'Roles and permissions',
  'The calls it makes',
  'Error catalogue',
  'Business constants and limits',
];

const testLinks = (files) => files.map((path) => `[${path.split('/').pop()}](../${path})`).join(', ');

/** The text of docs/specification.md. */
export function specificationPage({ rows, notBuilt, tests }) {
  const ids = Object.keys(rows);
  const listed = new Set(notBuilt.rows);
  const built = ids.length - listed.size;
  const lines = [
    '# The rows of the specification and their tests',
    '',
    `Made by \`npm run specification\` from [specification-rows.json](specification-rows.json), [specification-not-built.json](specification-not-built.json) and the titles of the tests; not edited by hand. ${ids.length} rows: ${built} tested, ${listed.size} not built.`,
    '',
    'A test proves a row when its title names the row’s id. `npm run check` fails when a row has neither a test nor a place in the list of what is not built, when a listed row has a test, and when that list grows.',
  ];
  sections.forEach((title, index) => {
    lines.push('', `## §${index + 1} ${title}`, '', '| Row | Requirement | Tests |', '|---|---|---|');
    for (const id of ids.filter((row) => row.startsWith(`§${index + 1}-`))) {
      const shown = listed.has(id) ? 'not built' : testLinks(tests.get(id) ?? []);
      lines.push(`| ${id} | ${rows[id].replaceAll('|', '\\|')} | ${shown} |`);
    }
  });
  return `${lines.join('\n')}\n`;
}
