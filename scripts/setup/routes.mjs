// Checks that screens get their data from their route's loader and do not handle loading themselves.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { inRoot } from './paths.mjs';

/** Files whose data is not the main content of a screen, each with its reason; docs/decisions/0025 says more. */
export const exceptions = new Map([
  ['features/accounts/index.ts', 'the session, which the guards have brought'],
  [
    'features/accounts/ConfirmingScreen.tsx',
    'a write: uses up the secret of the mailed link, once for all mounts',
  ],
  ['features/accounts/SignInScreen.tsx', 'beside the sign-in form, which does not wait for it'],
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
