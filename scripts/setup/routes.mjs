// Checks that screens get their data from their route's loader and do not handle loading themselves, and that the server
// names what the loaders call.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { inRoot, root } from './paths.mjs';

/** Files whose data is not the main content of a screen, each with its reason; docs/decisions/0025 says more. */
export const exceptions = new Map([
  [
    'features/accounts/index.ts',
    'the session, which the guards have brought, and the demo accounts, for which no form waits',
  ],
  [
    'features/accounts/ConfirmingScreen.tsx',
    'a write: uses up the secret of the mailed link, once for all mounts',
  ],
  [
    'features/admin/VerifyUsersScreen.tsx',
    'links that need a recent password; making them is audited, and hovering runs loaders',
  ],
  ['features/conversations/NewChatDialog.tsx', 'people to write to, in a dialog'],
  [
    'features/conversations/ConversationScreen.tsx',
    'whether the other is online, asked while the chat is open',
  ],
  ['features/conversations/unread.ts', 'unread messages, which the shell shows once they are there'],
  ['features/shared-plans/SharePlanDialog.tsx', 'whether a request is shared, in a dialog'],
  [
    'features/interactions/PlanManagerScreen.tsx',
    'the request of a payment check, which the loader starts to read and does not wait for',
  ],
  ['features/interactions/interaction-cache.ts', 'unread messages, which the shell reads'],
  ['routes/_main/create-post.tsx', 'an empty form, in one file with the form of a post that exists'],
  [
    'routes/_main/profile.create-plans.$id.tsx',
    'an empty form, in one file with the form of a plan that exists',
  ],
  ['shell/MainLayout.tsx', 'the session, which the guard has brought'],
  ['shell/RightColumn.tsx', 'people to meet, beside every screen'],
  ['shell/navigation.tsx', 'the counts of the admins, which the navigation shows once they are there'],
]);

const loadedReads = /\buse(Loaded|LoadedPages)\(/;
const plainQueries = /\buse(Query|Queries|InfiniteQuery|SuspenseQuery|SuspenseInfiniteQuery)\(/;
const loader = /\bloader(:|\()/;

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(path) && !/\.(test|gen)\./.test(path)) yield path;
  }
}

/** The web files that a file imports statically, including itself. Types and lazy imports are left out. */
function staticImports(file, files = new Set()) {
  if (files.has(file) || !existsSync(file)) return files;
  files.add(file);
  for (const [, target] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type)[^;]*?from '(\.[^']+)';/gm,
  ))
    staticImports(resolve(dirname(file), target), files);
  return files;
}

/** Every screen and route that breaks the rule, as `path: reason`. */
export function brokenScreens(web = inRoot('web/src')) {
  const broken = [];
  const name = (file) => relative(web, file);
  for (const folder of ['features', 'shell'].map((part) => join(web, part))) {
    for (const file of existsSync(folder) ? sources(folder) : []) {
      const text = readFileSync(file, 'utf8');
      if (plainQueries.test(text) && !exceptions.has(name(file)))
        broken.push(
          `${name(file)}: queries without a loader: load the data in the route and use useLoaded or useLoadedPages`,
        );
    }
  }
  for (const file of sources(join(web, 'routes'))) {
    const readers = [...staticImports(file)].filter((path) => loadedReads.test(readFileSync(path, 'utf8')));
    const screens = readers.filter((path) => !name(path).startsWith('lib/'));
    if (screens.length > 0 && !exceptions.has(name(file)) && !loader.test(readFileSync(file, 'utf8')))
      broken.push(`${name(file)}: has no loader, but ${name(screens[0])} reads data`);
  }
  return broken;
}

const firstLoad = 'server/src/platform/http/first-load.ts';
const bySearch = 'read when the address has a search, and such a page has none of its calls in its header';

/** Calls that a page's loader can reach and its header leaves out, as `page call`, each with its reason. */
export const laterCalls = new Map([
  ['/confirming firstCalls.session', 'in the header of every page'],
  ['/explore plans.search', bySearch],
  ['/explore posts.search', bySearch],
  ['/explore profiles.people', bySearch],
  ['/manage-plans interactions.interaction', bySearch],
  ['/manage-plans interactions.interactionList', 'read for a list that had several pages before'],
  ['/profile/:id profiles.friends', bySearch],
  ['/profile/:id reviews.byOwner', bySearch],
  ['/profile/plan-details/:id interactions.interaction', 'its id comes with the plan'],
]);

/** The top-level declarations of a source, by name, without the comments before them. */
function declarations(text) {
  const parts = text.split(
    /^(?=export |const |let |function |async |class |interface |type |import |\/\/|\/\*)/m,
  );
  const named = /^(?:export )?(?:async )?(?:const|function) (\w+)/;
  return new Map(parts.flatMap((part) => (named.test(part) ? [[named.exec(part)[1], part]] : [])));
}

/** What a source has from other files of the web, as name → file. */
function importsOf(file, text) {
  return new Map(
    [...text.matchAll(/^(?:import|export) (?!type)([^;]*?) from '(\.[^']+)';/gm)].flatMap(([, names, from]) =>
      [...names.matchAll(/\w+/g)].map(([name]) => [name, resolve(dirname(file), from)]),
    ),
  );
}

/** The file and the code of what a source declares, imports or exports under a name. */
function findDeclaration(file, name) {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  const code = declarations(text).get(name);
  if (code !== undefined) return { file, code };
  const from = importsOf(file, text).get(name);
  return from && findDeclaration(from, name);
}

/** Adds the calls that some code of a file makes or reads as queries, with those of the functions it uses. */
function collectCalls({ file, code }, calls, seen) {
  if (seen.has(code)) return;
  seen.add(code);
  const statements = code.replace(/^\s*\/\/.*$/gm, '');
  for (const [, name] of statements.matchAll(/\b(?:\w*[qQ]ueryOf|pagesOf|call)\(\s*(\w+\.\w+)/g))
    calls.add(name);
  for (const [name] of statements.matchAll(/(?<!\w|(?<!\.\.)\.)[a-z]\w*\b/g)) {
    const used = findDeclaration(file, name);
    if (used !== undefined) collectCalls(used, calls, seen);
  }
}

/** The calls of each page of the web, by its pattern: `/profile/:id` → those that its loader can reach. */
function loaderCalls(web) {
  const pages = new Map();
  for (const file of sources(join(web, 'routes'))) {
    const text = readFileSync(file, 'utf8');
    const [, id] = /createFileRoute\('([^']+)'/.exec(text) ?? [];
    const [code] = /^ {2}loader[:(].*\n(?: {3}.*\n| {2}[^\w\s/].*\n)*/m.exec(text) ?? [];
    if (id === undefined || code === undefined) continue;
    const parts = id.split('/').filter((part) => part !== '' && !part.startsWith('_'));
    const pattern = `/${parts.map((part) => part.replace('$', ':').replace(/_$/, '')).join('/')}`;
    const calls = new Set();
    collectCalls({ file, code }, calls, new Set());
    pages.set(pattern, calls);
  }
  return pages;
}

/** The calls that the header of each page names, by its pattern. */
function headerCalls(text) {
  const tables = new Set(
    [...text.matchAll(/^import ([^;]*?) from '@tara\/contract/gm)].flatMap(([, names]) =>
      names.match(/\w+/g),
    ),
  );
  return new Map(
    [...text.matchAll(/^ {2}'(\/[^']*)': (.*\n(?: {3}.*\n)*)/gm)].map(([, pattern, row]) => [
      pattern,
      new Set(
        [...row.matchAll(/\b(\w+)\.\w+/g)].filter(([, table]) => tables.has(table)).map(([name]) => name),
      ),
    ]),
  );
}

/**
 * A line for each call of a loader that the server's headers of pages do not name, for each that only they name, and for
 * each of `later` that no loader makes.
 */
export function firstLoadProblems(base = root, later = laterCalls) {
  const headers = headerCalls(readFileSync(join(base, firstLoad), 'utf8'));
  const loaders = loaderCalls(join(base, 'web/src'));
  const problems = [...later.keys()]
    .filter((key) => !loaders.get(key.split(' ')[0])?.has(key.split(' ')[1]))
    .map((key) => `scripts/setup/routes.mjs: no loader calls ${key}`);
  for (const pattern of new Set([...headers.keys(), ...loaders.keys()])) {
    const [named, loaded] = [headers.get(pattern) ?? new Set(), loaders.get(pattern) ?? new Set()];
    for (const call of named.difference(loaded))
      problems.push(`${firstLoad}: the loader of ${pattern} does not call ${call}`);
    for (const call of loaded.difference(named))
      if (!later.has(`${pattern} ${call}`))
        problems.push(`${firstLoad}: ${pattern} has no ${call}, which its loader calls`);
  }
  return problems;
}
