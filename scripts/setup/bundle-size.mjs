import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { inRoot } from './paths.mjs';

/** Most JavaScript in bytes, gzip: for the first load of /sign-in, and for what each further route adds to it. */
export const limits = { first: 140_000, further: 40_000 };

const first = '/sign-in';
/** Where signing in leads; it brings the shell, which every other route of the main group stands in and finds there. */
const home = '/';

const isMain = (file) => file.startsWith('src/routes/_main/');

/** `src/routes/_main/post.$id.tsx` → `/post/$id`; layouts and groups add nothing to the address. */
function addressOf(file) {
  const parts = file
    .replace(/^src\/routes\//, '')
    .replace(/\.tsx$/, '')
    .split(/[./]/)
    .filter((part) => part !== 'route' && part !== 'index' && part !== 'lazy' && !/^(_|\()/.test(part));
  return `/${parts.map((part) => part.replace(/_$/, '')).join('/')}`;
}

/** The layouts that a route file stands in: `_main/a/b.tsx` → `__root`, `_main`, `_main/a`, as files or folders' routes. */
function layoutsOf(file) {
  const steps = file
    .replace(/\.tsx$/, '')
    .split(/[./]/)
    .slice(2, -1);
  const paths = steps.map((_, index) => `src/routes/${steps.slice(0, index + 1).join('/')}`);
  return ['src/routes/__root.tsx', ...paths.flatMap((path) => [`${path}.tsx`, `${path}/route.tsx`])];
}

/** Parts of a route that its first sight needs: not what is shown after an error. */
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
 * Measures what a browser loads, from the build's manifest: every chunk that a route imports statically, and what these
 * import. Counted along the way people go: `/` and the routes for guests add to /sign-in, every other route of the main
 * group adds to /sign-in and `/` together. Who opens such a route by its address loads the three at once.
 * `[{ route, bytes, limit, after }]`, the first load first; `after` names what is loaded before.
 */
export function measureBundles() {
  const manifest = JSON.parse(readFileSync(inRoot('web/dist/.vite/manifest.json'), 'utf8'));
  const sizes = new Map();
  const sizeOf = (file) => {
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
  const filesOf = (file) => {
    const files = new Set();
    for (const key of entries) collect(key, files);
    for (const part of [...layoutsOf(file), file])
      for (const key of pages.get(part) ?? []) collect(key, files);
    return files;
  };
  const total = (files) => [...files].reduce((sum, file) => sum + sizeOf(file), 0);

  const isPage = (file) => !/\/(_[^/.]*|__root|route)\.tsx$/.test(file);
  const routes = [...pages.keys()]
    .filter(isPage)
    .map((file) => ({ route: addressOf(file), main: isMain(file), files: filesOf(file) }));
  const pageOf = (address) => {
    const page = routes.find(({ route }) => route === address);
    if (!page) throw new Error(`The build has no page for ${address}.`);
    return page;
  };
  const start = pageOf(first);
  const shell = pageOf(home);
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
