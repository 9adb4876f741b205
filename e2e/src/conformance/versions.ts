import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readSdk, type Sdk } from './sdks.ts';

/** An npm package of its own, whose lock names every version with its integrity; it is no dependency of the project. */
const lockFolder = join(import.meta.dirname, 'versions');
const root = resolve(import.meta.dirname, '../../..');

/**
 * Fetches the SDKs of the lock with npm, which checks their integrity, into a cache of the checkout; without network when they
 * are there. In place of React Native itself it has a small package, since nothing of it is loaded.
 */
export async function fetchSdks(): Promise<Sdk[]> {
  const lock = await readFile(join(lockFolder, 'package-lock.json'));
  const name = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const folder = join(root, 'node_modules/.cache/sdks', name);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    await mkdir(unfinished, { recursive: true });
    for (const file of ['package.json', 'package-lock.json'])
      await copyFile(join(lockFolder, file), join(unfinished, file));
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=peer'];
    await promisify(execFile)('npm', args, { cwd: unfinished, shell: process.platform === 'win32' });
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  }
  return aliases().map((alias) => readSdk(join(folder, 'node_modules', alias)));
}

/** Their names in the lock, such as `appwrite-10.2.0`, in the order of packages and versions. */
function aliases(): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(lockFolder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const collator = new Intl.Collator('en', { numeric: true });
  return Object.keys(dependencies).sort(collator.compare);
}

/** All SDKs of the lock as `appwrite 10.2.0`, without fetching them. */
export const sweptTitles = (): string[] => aliases().map((alias) => alias.replace(/-(?=\d)/, ' '));

/** The oldest and the newest SDK for the web, and for Node, of values in the order of their versions. */
export const endSdks = <Value>(values: readonly Value[], titleOf: (value: Value) => string): Value[] =>
  ['appwrite', 'node-appwrite'].flatMap((name) => {
    const versions = values.filter((value) => titleOf(value).startsWith(`${name} `));
    return [versions[0], versions.at(-1)].filter((value) => value !== undefined);
  });

/** Those of the lock as `appwrite 10.2.0`, without fetching them: with them all cases are published. */
export const endTitles = (): string[] => endSdks(sweptTitles(), (title) => title);

/** An SDK that is installed for tests, which need no network. */
function installedSdk(name: string): Sdk {
  const main = createRequire(import.meta.url).resolve(name);
  const folder = join('node_modules', name);
  return readSdk(main.slice(0, main.lastIndexOf(folder) + folder.length));
}

/** The SDK that plays a browser, whatever the SDK of a case. */
export const browserSdk = installedSdk('appwrite-27');
export const installedSdks = [installedSdk('appwrite-13'), browserSdk, installedSdk('node-appwrite')];
