// Very small source files with a single importer, which belong into it (CONTRIBUTING.md, 'Style'), and how many files a
// folder has.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { root } from './paths.mjs';

/** A file below this many lines is very small. */
const smallLines = 60;

const isTest = (path) => /\.(test|spec)\.tsx?$|\.fixture\.ts$|(^|\/)testing(\/|\.ts$)/.test(path);
const isExempt = (path) =>
  /(^|\/)routes\//.test(path) || /^(index|routes|tables|policy|present)\.tsx?$/.test(basename(path));
const hasTest = (path) => ['.ts', '.tsx'].some((end) => existsSync(path.replace(/\.tsx?$/, `.test${end}`)));

/** The files a source imports by a relative path; `lazy` when all of it is a dynamic import. */
function imports(path) {
  const text = readFileSync(path, 'utf8');
  const paths = (pattern) => [...text.matchAll(pattern)].map(([, to]) => resolve(dirname(path), to));
  return {
    eager: new Set(paths(/(?:from|^import)\s+'(\.[^']+)'/gm)),
    lazy: new Set(paths(/import\(\s*'(\.[^']+)'\s*\)/g)),
  };
}

/** Every very small file below `folders` with one importer, as `path (lines) ← importer`. */
export function smallFiles(folders, base = root) {
  const files = folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: base }))
    .filter((path) => !isTest(path) && !/\.gen\.ts$|\.d\.ts$/.test(path))
    .map((path) => join(base, path));
  const importers = new Map(files.map((path) => [path, new Set()]));
  const lazy = new Set();
  for (const path of files) {
    const targets = imports(path);
    for (const to of targets.eager) importers.get(to)?.add(path);
    for (const to of targets.lazy) if (!targets.eager.has(to)) lazy.add(to);
  }
  return files
    .filter((path) => !isExempt(path) && !lazy.has(path) && !hasTest(path) && importers.get(path)?.size === 1)
    .map((path) => ({ path, lines: readFileSync(path, 'utf8').trimEnd().split('\n').length }))
    .filter(({ lines }) => lines < smallLines)
    .map(({ path, lines }) => {
      const [importer] = importers.get(path) ?? [];
      return `${relative(base, path)} (${lines}) ← ${relative(base, importer)}`;
    })
    .sort();
}

/** How many files there are below a folder, of every kind, with generated and testing ones, but without `*.test.*`. */
export const countFiles = (folder, base = root) =>
  globSync(`${folder}/**/*.*`, { cwd: base }).filter((path) => !basename(path).includes('.test.')).length;
