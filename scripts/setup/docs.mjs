// What the docs refer to: files that exist. The form of decision pages.
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from './paths.mjs';

/** Pages whose paths are of today; docs/specification.md is generated. */
const pages = ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'docs/decisions/*.md'];
const sources =
  '{contract,paymongo,sandbox,server,web,e2e,bench,fuzz,proof,simulation,examples,scripts}/**/*.{ts,tsx,mjs,sql}';

/** Folders between back quotes and a file in them, or a test by its name alone. */
const path = /`([\w./-]+\/[\w.-]+\.(?:tsx?|mjs|sql)|[\w-]+\.(?:test|spec)\.tsx?)`/g;

/** The parts of a decision page, in this order (docs/decisions/README.md). */
const decisionHeadings = '## Context, ## Decision, ## Consequences';
const isDecision = (page) => /decisions[\\/]\d[^\\/]*\.md$/.test(page);

/**
 * A line for each path that no source has; paths may leave out their first folders, and those with `NNNN` are examples. A line
 * for each decision page with other headings.
 */
export function docProblems(base = root) {
  const files = globSync(sources, {
    cwd: base,
    exclude: (name) => /(^|[\\/])(node_modules|dist)([\\/]|$)/.test(name),
  }).map((name) => `/${name.split(sep).join('/')}`);
  return globSync(pages, { cwd: base }).flatMap((page) => {
    const lines = readFileSync(join(base, page), 'utf8').split('\n');
    const headings = lines.filter((line) => line.startsWith('## ')).join(', ');
    const missing = lines.flatMap((line, index) =>
      [...line.matchAll(path)]
        .filter(([, name]) => !name.includes('NNNN') && !files.some((file) => file.endsWith(`/${name}`)))
        .map(([, name]) => `${page}:${index + 1} no source is called ${name}`),
    );
    return isDecision(page) && headings !== decisionHeadings
      ? [...missing, `${page} needs the headings ${decisionHeadings}, and no others`]
      : missing;
  });
}
