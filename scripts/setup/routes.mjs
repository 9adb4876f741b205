// How the web's screens come to their data: by their route's loader, and never by a loading state of their own.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { inRoot } from './paths.mjs';

/** Reads that are not what a screen is for and may therefore be missing: each with its reason. */
export const asides = new Map([
  ['features/accounts/session.ts', 'the session, which the guards have brought'],
  ['features/accounts/ConfirmingScreen.tsx', 'uses up the secret of the mailed link: a write'],
  ['features/accounts/DemoAccounts.tsx', 'beside the sign-in form, and absent without a demo world'],
  ['features/accounts/SignInScreen.tsx', 'beside the sign-in form, and absent without a demo world'],
  ['features/admin/IdentityPictures.tsx', 'links that need a recent password, made when a request is opened'],
  ['features/interactions/PlanManagerScreen.tsx', 'the request of a payment that is looked up'],
  ['shell/MainLayout.tsx', 'the session, which the guard has brought'],
  ['shell/RightColumn.tsx', 'people to meet, beside every screen'],
]);

const reads = /\buse(Loaded|LoadedPages)\(/;
const unloaded = /\buse(Query|Queries|InfiniteQuery|SuspenseQuery|SuspenseInfiniteQuery)\(/;
const loader = /\bloader(:|\()/;

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(path) && !/\.(test|gen)\./.test(path)) yield path;
  }
}

/** The files of the web that a file loads statically, itself included. Types and lazy parts load nothing. */
function loadedBy(file, files = new Set()) {
  if (files.has(file) || !existsSync(file)) return files;
  files.add(file);
  for (const [, target] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type)[^;]*?from '(\.[^']+)';/gm,
  ))
    loadedBy(resolve(dirname(file), target), files);
  return files;
}

/** Every screen that comes to its data in another way, as `path: reason`. */
export function brokenScreens(web = inRoot('web/src')) {
  const broken = [];
  const name = (file) => relative(web, file);
  for (const folder of ['features', 'shell'].map((part) => join(web, part))) {
    for (const file of existsSync(folder) ? sources(folder) : []) {
      const text = readFileSync(file, 'utf8');
      if (unloaded.test(text) && !asides.has(name(file)))
        broken.push(
          `${name(file)}: reads by itself: load the data in the route and use useLoaded or useLoadedPages`,
        );
    }
  }
  for (const file of sources(join(web, 'routes'))) {
    const screens = [...loadedBy(file)].filter((path) => reads.test(readFileSync(path, 'utf8')));
    const reading = screens.filter((path) => !name(path).startsWith('lib/'));
    if (reading.length > 0 && !loader.test(readFileSync(file, 'utf8')))
      broken.push(`${name(file)}: has no loader, but ${name(reading[0])} reads data`);
  }
  return broken;
}
