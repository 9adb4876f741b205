// What the docs refer to: files that exist, and tests with those titles. The form of decision pages.
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from './paths.mjs';
import { testTitles } from './test-titles.mjs';

/** Pages whose paths are of today; docs/specification.md is generated. */
const pages = ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'docs/decisions/*.md'];
const sources =
  '{contract,paymongo,sandbox,server,web,e2e,bench,fuzz,examples,scripts}/**/*.{ts,tsx,mjs,sql}';

/** Folders between back quotes and a file in them, or a test by its name alone. */
const path = /`([\w./-]+\/[\w.-]+\.(?:tsx?|mjs|sql)|[\w-]+\.(?:test|spec)\.tsx?)`/;
const title = /'((?:[^']|'(?=\w)){8,}?)'(?!\w)/;

/** The parts of a decision page, in this order (docs/decisions/README.md). */
const decisionHeadings = '## Context, ## Decision, ## Consequences';
const isDecision = (page) => /decisions\/\d[^/]*\.md$/.test(page);

/** Paths of a page that are examples and not files. */
const isExample = (name) => name.includes('NNNN');

/**
 * A line for each path that no source has, and for each title, in the last column of a table, that the test file named
 * before it does not declare. Paths may leave out their first folders. A line for each decision page with other headings.
 */
export function docProblems(base = root) {
  const files = globSync(sources, { cwd: base, exclude: (name) => /node_modules|dist/.test(name) }).map(
    (name) => name.split(sep).join('/'),
  );
  const fileNamed = (name) => files.find((file) => file === name || file.endsWith(`/${name}`));
  const titles = new Map();
  const titlesOf = (file) => {
    if (!titles.has(file))
      titles.set(
        file,
        testTitles(readFileSync(join(base, file), 'utf8'), { tsx: file.endsWith('x') }).join('\n'),
      );
    return titles.get(file);
  };
  const problems = [];
  for (const page of globSync(pages, { cwd: base })) {
    const lines = readFileSync(join(base, page), 'utf8').split('\n');
    const headings = lines.filter((line) => line.startsWith('## ')).join(', ');
    if (isDecision(page.split(sep).join('/')) && headings !== decisionHeadings)
      problems.push(`${page} needs the headings ${decisionHeadings}, and no others`);
    for (const [index, line] of lines.entries()) {
      const at = `${page}:${index + 1}`;
      const tests = line.startsWith('|') ? line.lastIndexOf(' | ') : line.length;
      let file;
      for (const match of line.matchAll(new RegExp(`${path.source}|${title.source}`, 'g'))) {
        const [, name, text] = match;
        if (name !== undefined) {
          file = fileNamed(name);
          if (file === undefined && !isExample(name)) problems.push(`${at} no source is called ${name}`);
        } else if (match.index > tests && file !== undefined && /\.(test|spec)\./.test(file)) {
          const sought = text.replaceAll('\\|', '|');
          if (!titlesOf(file).includes(sought)) problems.push(`${at} ${file} has no test '${sought}'`);
        }
      }
    }
  }
  return problems;
}
