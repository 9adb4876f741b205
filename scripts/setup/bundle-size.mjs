import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { inRoot } from './paths.mjs';

/** Limits of gzipped JavaScript in bytes: for the first load of /sign-in, and for the addition of each further route. */
export const limits = { first: 140_500, further: 41_000 };

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
 * route directly loads all three. Returns `[{ route, bytes, limit, after }]`, the first load first; `after` lists the
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
        limit: limits.further,
        after: before.map(({ route }) => route),
      };
    })
    .sort((a, b) => a.after.length - b.after.length || b.bytes - a.bytes);
  return [{ route: first, bytes: total(start.files), limit: limits.first, after: [] }, ...further];
}
