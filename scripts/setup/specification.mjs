// The rows of the specification, the tests that name them, and the page docs/specification.md made of both.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { readTitles } from './test-titles.mjs';

export const rowsPath = 'docs/specification-rows.json';
export const pagePath = 'docs/specification.md';

const folders = [
  'contract',
  'paymongo',
  'sandbox',
  'server',
  'web',
  'bench',
  'e2e',
  'fuzz',
  'proof',
  'simulation',
].map((name) => `${name}/src`);
const isTest = (path) => /[.](?:test|spec)[.](?:tsx?|mjs)$/.test(path);
const readJson = (path, base) => JSON.parse(readFileSync(join(base, path), 'utf8'));

/** Every test file below folders, with `/` between folders. */
function testFiles(base, below) {
  return below.flatMap((folder) =>
    readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' })
      .filter(isTest)
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .sort(),
  );
}

const rowId = /§\d-[a-z\d]+(?:-[a-z\d]+)*/g;
/** Row id → the test files with a title of a single test that names it. */
export const namedRows = (base = root) => namedIds(rowId, base, { isWanted: ({ isShared }) => !isShared });
/** Row id → the test files where the title of a group, or of a table of cases, names it. */
const sharedRows = (base) => namedIds(rowId, base, { isWanted: ({ isShared }) => isShared });

/** Id → the test files of the workspaces, and below `more` folders, with a title that names it; `pattern` matches ids, `isWanted` chooses titles. */
export function namedIds(pattern, base, { more = [], isWanted = () => true } = {}) {
  const files = new Map();
  for (const path of testFiles(base, [...folders, ...more])) {
    const source = readFileSync(join(base, path), 'utf8');
    if (source.search(pattern) < 0) continue;
    const titles = readTitles(source, { tsx: path.endsWith('x') }).filter(isWanted);
    const ids = titles.flatMap(({ text }) => text.match(pattern) ?? []);
    for (const id of new Set(ids)) files.set(id, [...(files.get(id) ?? []), path]);
  }
  return files;
}

/** The rows and the tests that name them. */
export function readSpecification(base = root) {
  return { rows: readJson(rowsPath, base), tests: namedRows(base), shared: sharedRows(base) };
}

/** What is wrong: a row without a test, a title that names no row, and one of many tests that names one. */
export function specificationProblems({ rows, tests, shared = new Map() }) {
  const untested = Object.keys(rows).filter((id) => !tests.has(id));
  const unknown = [...tests].filter(([id]) => !Object.hasOwn(rows, id));
  return [
    ...untested.map((id) => `${id} has no test that names it`),
    ...unknown.map(([id, files]) => `${id} of ${files.join(', ')} is no row of ${rowsPath}`),
    ...[...shared].map(
      ([id, files]) => `${id} of ${files.join(', ')} belongs into the title of one test, not of many`,
    ),
  ];
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

/** Links from a page of docs/ to test files. */
export const testLinks = (files) => files.map((path) => `[${path.split('/').pop()}](../${path})`).join(', ');

/** The text of docs/specification.md. */
export function specificationPage({ rows, tests }) {
  const ids = Object.keys(rows);
  const lines = [
    '# The rows of the specification and their tests',
    '',
    `Made by \`npm run specification\` from [specification-rows.json](specification-rows.json) and the titles of the tests; not edited by hand. ${ids.length} rows.`,
    '',
    'A test proves a row when its title names the row’s id. `npm run check` fails when a row has no test.',
  ];
  sections.forEach((title, index) => {
    lines.push('', `## §${index + 1} ${title}`, '', '| Row | Requirement | Tests |', '|---|---|---|');
    for (const id of ids.filter((row) => row.startsWith(`§${index + 1}-`))) {
      lines.push(`| ${id} | ${rows[id].replaceAll('|', '\\|')} | ${testLinks(tests.get(id) ?? [])} |`);
    }
  });
  return `${lines.join('\n')}\n`;
}

/** What is wrong with the rows and tests, and that the page is not the current one. */
export function pageProblems() {
  const read = readSpecification();
  const isCurrent = readFileSync(join(root, pagePath), 'utf8') === specificationPage(read);
  return [
    ...specificationProblems(read),
    ...(isCurrent ? [] : [`${pagePath} is not current: npm run specification`]),
  ];
}
