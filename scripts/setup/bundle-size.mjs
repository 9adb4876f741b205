import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { inRoot } from './paths.mjs';

/** Most gzipped JavaScript of the first load, bytes. */
export const mostFirstLoad = 150_000;
/** By how much a route may grow without a reason. */
const mostGrowth = 1.05;

/** What each route loaded at the last change, bytes, with the reason of those that grew much. */
const committedFile = inRoot('scripts/setup/bundle-sizes.json');

const first = '/sign-in';
/** The route after sign-in. It loads the shell, which all other routes of the main group use. */
const home = '/';

const isMain = (file) => file.startsWith('src/routes/_main/');

/** `src/routes/_main/post.$id.tsx` → `/post/$id`; layouts and groups are not part of the path. */
function routePath(file) {
  const parts = file
    .replace(/^src\/routes\//, '')
    .replace(/\.tsx$/, '')
    .split(/[./]/)
    .filter((part) => part !== 'route' && part !== 'index' && part !== 'lazy' && !/^(_|\()/.test(part));
  return `/${parts.map((part) => part.replace(/_$/, '')).join('/')}`;
}

/** The layouts around a route file: `_main/a/b.tsx` → `__root`, `_main`, `_main/a`, as files or as `route.tsx` of a folder. */
function layoutsOf(file) {
  const steps = file
    .replace(/\.tsx$/, '')
    .split(/[./]/)
    .slice(2, -1);
  const paths = steps.map((_, index) => `src/routes/${steps.slice(0, index + 1).join('/')}`);
  return ['src/routes/__root.tsx', ...paths.flatMap((path) => [`${path}.tsx`, `${path}/route.tsx`])];
}

/** Whether a part of a route is loaded at first: not the components for errors. */
const isNeeded = (key) => !/tsr-split=(error|notFound)Component$/.test(key);

function routePages(manifest) {
  const pages = new Map();
  for (const key of Object.keys(manifest)) {
    const [file] = key.split('?');
    if (!file?.startsWith('src/routes/') || !isNeeded(key)) continue;
    pages.set(file, [...(pages.get(file) ?? []), key]);
  }
  return pages;
}

/**
 * Measures what a browser loads, from the build's manifest: the chunks of a route and their static imports. `/` and the
 * guest routes are counted after /sign-in, every other route of the main group after /sign-in and `/`. Opening such a
 * route directly loads all three. Returns `[{ route, bytes, after }]`, the first load first; `after` lists the
 * routes loaded before.
 */
export function measureBundles() {
  const manifest = JSON.parse(readFileSync(inRoot('web/dist/.vite/manifest.json'), 'utf8'));
  const sizes = new Map();
  const gzipSize = (file) => {
    if (!sizes.has(file))
      sizes.set(file, gzipSync(readFileSync(inRoot('web/dist', file)), { level: 9 }).length);
    return sizes.get(file);
  };
  /** Adds the files of a chunk and of everything it imports statically. */
  const collect = (key, files = new Set()) => {
    const chunk = manifest[key];
    if (!chunk || files.has(chunk.file)) return files;
    if (chunk.file.endsWith('.js')) files.add(chunk.file);
    for (const imported of chunk.imports ?? []) collect(imported, files);
    return files;
  };
  const entries = Object.keys(manifest).filter((key) => manifest[key].isEntry);
  const pages = routePages(manifest);
  const routeFiles = (file) => {
    const files = new Set();
    for (const key of entries) collect(key, files);
    for (const part of [...layoutsOf(file), file])
      for (const key of pages.get(part) ?? []) collect(key, files);
    return files;
  };
  const total = (files) => [...files].reduce((sum, file) => sum + gzipSize(file), 0);

  const isPage = (file) => !/\/(_[^/.]*|__root|route)\.tsx$/.test(file);
  const routes = [...pages.keys()]
    .filter(isPage)
    .map((file) => ({ route: routePath(file), main: isMain(file), files: routeFiles(file) }));
  const findPage = (path) => {
    const page = routes.find(({ route }) => route === path);
    if (!page) throw new Error(`The build has no page for ${path}.`);
    return page;
  };
  const start = findPage(first);
  const shell = findPage(home);
  const further = routes
    .filter((page) => page !== start)
    .map((page) => {
      const before = page.main && page !== shell ? [start, shell] : [start];
      return {
        route: page.route,
        bytes: total([...page.files].filter((part) => !before.some(({ files }) => files.has(part)))),
        after: before.map(({ route }) => route),
      };
    })
    .sort((a, b) => a.after.length - b.after.length || b.bytes - a.bytes);
  return [{ route: first, bytes: total(start.files), after: [] }, ...further];
}

/** The sizes that were committed: `{ route: { bytes, reason? } }`. */
export const committedSizes = () => JSON.parse(readFileSync(committedFile, 'utf8'));

/** What is wrong with sizes beside those that were committed, a line each. */
export function sizeProblems(sizes, committed) {
  const measured = new Set(sizes.map(({ route }) => route));
  return [
    ...sizes.flatMap(({ route, bytes, after }) => {
      const before = committed[route]?.bytes;
      if (after.length === 0 && bytes > mostFirstLoad)
        return `${route}: the first load is at most ${mostFirstLoad} bytes`;
      if (before === undefined) return `${route}: new; npm run size -- --write`;
      if (bytes <= before * mostGrowth) return [];
      const percent = Math.round((bytes / before - 1) * 100);
      return `${route}: grew by ${percent} %; npm run size -- --write --reason '${route} why'`;
    }),
    ...Object.keys(committed)
      .filter((route) => !measured.has(route))
      .map((route) => `${route}: is no route any more; npm run size -- --write`),
  ];
}

/**
 * What is to be committed of sizes: their bytes, and a reason where one is given, or was and the route did not shrink since.
 * @throws Error about routes that grew much and have no reason now.
 */
export function sizesToCommit(sizes, committed, reasons = {}) {
  const unknown = Object.keys(reasons).find((name) => !sizes.some(({ route }) => route === name));
  if (unknown !== undefined) throw new Error(`--reason: ${unknown} is no route.`);
  // What is written now holds for those that are new or have a reason.
  const accepted = Object.fromEntries(
    sizes.map(({ route, bytes }) => [
      route,
      reasons[route] === undefined ? (committed[route] ?? { bytes }) : { bytes },
    ]),
  );
  const problems = sizeProblems(sizes, accepted);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return Object.fromEntries(
    sizes.map(({ route, bytes }) => {
      const before = committed[route];
      const reason = reasons[route] ?? (before && bytes >= before.bytes ? before.reason : undefined);
      return [route, reason === undefined ? { bytes } : { bytes, reason }];
    }),
  );
}

/** Writes them. */
export const commitSizes = (sizes) => writeFileSync(committedFile, `${JSON.stringify(sizes, null, 2)}\n`);
