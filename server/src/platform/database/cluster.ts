import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Runner } from './system-user.ts';

/** The folders of one embedded database, all inside `home`. */
export interface Cluster {
  readonly home: string;
  /** PGDATA. */
  readonly data: string;
  /** Folder of the socket. */
  readonly run: string;
  readonly password: string;
}

const foldersOf = (home: string) => ({ home, data: join(home, 'data'), run: join(home, 'run') });

async function makeFolder(folder: string, mode: number, owner?: Runner['user']): Promise<void> {
  await mkdir(folder);
  await chmod(folder, mode);
  if (owner) await chown(folder, owner.uid, owner.gid);
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Makes a new database cluster aside and moves it into place whole: a crash in between leaves no half of one. */
async function create(dataDir: string, home: string, runner: Runner, initdb: string): Promise<void> {
  const aside = join(dataDir, `postgres.new-${process.pid}`);
  const { data, run } = foldersOf(aside);
  await makeFolder(aside, 0o711);
  await makeFolder(data, 0o700, runner.user);
  await makeFolder(run, 0o700, runner.user);
  const passwordFile = join(aside, 'password');
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (runner.user) await chown(passwordFile, runner.user.uid, runner.user.gid);
  const { file, args, user } = runner.command(initdb, [
    `--pgdata=${data}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same order and case rules on every machine, whatever locales it has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]);
  try {
    await promisify(execFile)(file, args, { ...user, cwd: aside, env: { ...process.env, LC_ALL: 'C' } });
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new Error(`The embedded Postgres could not be created in ${dataDir}: ${output}`);
  }
  await rename(aside, home);
  await syncFolder(dataDir);
}

/** Opens the cluster in `dataDir/postgres`, making it first when there is none. Call it only under the folder's lock. */
export async function openCluster(dataDir: string, runner: Runner, initdb: string): Promise<Cluster> {
  const home = join(dataDir, 'postgres');
  for (const entry of await readdir(dataDir)) {
    if (entry.startsWith('postgres.new-')) await rm(join(dataDir, entry), { recursive: true, force: true });
  }
  const exists = (await readdir(dataDir)).includes('postgres');
  if (!exists) await create(dataDir, home, runner, initdb);
  return readCluster(dataDir);
}

/** Reads where the cluster of `dataDir` is and its password. */
export async function readCluster(dataDir: string): Promise<Cluster> {
  const folders = foldersOf(join(dataDir, 'postgres'));
  return { ...folders, password: (await readFile(join(folders.home, 'password'), 'utf8')).trim() };
}
