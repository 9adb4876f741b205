import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accounts } from '@tara/contract/accounts/accounts';
import { allCalls } from '@tara/contract/all';
import { type PagePath, pages, resolveReads } from '@tara/contract/pages';
import { callUrl } from '@tara/contract/url';

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

/**
 * `src/routes/_main/profile.$id.tsx` → `/profile/:id`; layouts and groups are no part of the path, nor the underline of a
 * route that is not shown within another.
 */
function pagePattern(file: string): string {
  const parts = file
    .replace(/^src\/routes\/|\.tsx$/g, '')
    .split(/[./]/)
    .filter((part) => part !== 'index' && !part.startsWith('_'));
  return `/${parts.map((part) => part.replace(/^\$/, ':').replace(/_$/, '')).join('/')}`;
}

/** The route files around a page's: `_main/_admin/a.tsx` has `_main.tsx` and `_main/_admin.tsx`. */
function layoutFiles(file: string): string[] {
  const folders = file.split('/').slice(0, -1);
  return folders.slice(2).map((_, index) => `${folders.slice(0, index + 3).join('/')}.tsx`);
}

/** The script files of each page, by its pattern: the app's own, the layouts', and the page's, each with its imports. */
export function pageScripts(manifest: Manifest): Map<string, string[]> {
  const chunks = new Map<string, string[]>();
  for (const key of Object.keys(manifest)) {
    const [file = ''] = key.split('?');
    if (file.startsWith('src/routes/') && !/(error|notFound)Component$/.test(key))
      chunks.set(file, [...(chunks.get(file) ?? []), key]);
  }
  const collect = (key: string, files: Set<string>) => {
    const chunk = manifest[key];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) collect(imported, files);
  };
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const scriptFiles = new Map<string, string[]>();
  for (const file of chunks.keys()) {
    if (file.split('/').at(-1)?.startsWith('_')) continue;
    const files = new Set<string>();
    for (const key of [...entries, ...[...layoutFiles(file), file].flatMap((part) => chunks.get(part) ?? [])])
      collect(key, files);
    scriptFiles.set(
      pagePattern(file),
      [...files].filter((name) => name.endsWith('.js')),
    );
  }
  return scriptFiles;
}

/** The parameters of a path that fits a pattern, null where it does not. */
function matchPattern(pattern: string, path: string): Record<string, string> | null {
  const names = pattern.split('/');
  const values = path.replace(/(?<=.)\/$/, '').split('/');
  if (names.length !== values.length) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    if (!name.startsWith(':')) {
      if (name !== value) return null;
    } else if (value === '') return null;
    else params[name.slice(1)] = value;
  }
  return params;
}

const isPage = (pattern: string): pattern is PagePath => pattern in pages;

/** The addresses that a page reads first. */
function readUrls(pattern: string, params: Record<string, string>, query: string): string[] {
  if (!isPage(pattern) || (query !== '' && 'bySearch' in pages[pattern])) return [];
  const search = Object.fromEntries(new URLSearchParams(query));
  return resolveReads(pattern, allCalls, params, search).map(({ call, ...where }) => callUrl(call, where));
}

const preloadLink = (url: string) => `<${url}>; rel=preload; as=fetch; crossorigin`;
const sessionLink = preloadLink(callUrl(accounts.session));
/** The one script that the first paint waits for: before all others, of which a slow line loads a few at a time. */
const paintLink = '</before-paint.js>; rel=preload; as=script';

/**
 * The `Link` header of pages: the browser asks for the session, for what the page reads first and for its scripts while
 * it still reads the page, and the app's own requests are then answered by these. Null for a path that is no page of the
 * web. `path` is decoded; `isSignedIn` when the request has a session.
 */
export function firstLoadHeader(
  folder: string,
): (path: string, query: string, isSignedIn: boolean) => string | null {
  const file = join(folder, '.vite', 'manifest.json');
  const scriptFiles = existsSync(file)
    ? pageScripts(JSON.parse(readFileSync(file, 'utf8')) as Manifest)
    : new Map<string, string[]>();
  // A page without parameters before one that takes anything.
  const patterns = [...scriptFiles.keys()].sort((a, b) => a.split(':').length - b.split(':').length);
  const scripts = new Map(
    [...scriptFiles].map(([pattern, files]) => [
      pattern,
      files.map((name) => `</${name}>; rel=modulepreload`).join(', '),
    ]),
  );
  return (path, query, isSignedIn) => {
    for (const pattern of patterns) {
      const params = matchPattern(pattern, path);
      if (params === null) continue;
      const reads = isSignedIn ? readUrls(pattern, params, query) : [];
      return [paintLink, sessionLink, ...reads.map(preloadLink), scripts.get(pattern)].join(', ');
    }
    return null;
  };
}
