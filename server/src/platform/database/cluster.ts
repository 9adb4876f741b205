import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../sync-folder.ts';
import type { Programs } from './programs.ts';

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

async function makeFolder(folder: string, mode: number, owner?: Programs['user']): Promise<void> {
  await mkdir(folder);
  await chmod(folder, mode);
  if (owner) await chown(folder, owner.uid, owner.gid);
}

/** Makes a new database cluster aside and moves it into place whole: a crash in between leaves no half of one. */
async function create(dataDir: string, home: string, programs: Programs): Promise<void> {
  const aside = join(dataDir, `postgres.new-${process.pid}`);
  const { data, run } = foldersOf(aside);
  await makeFolder(aside, 0o711);
  await makeFolder(data, 0o700, programs.user);
  await makeFolder(run, 0o700, programs.user);
  const passwordFile = join(aside, 'password');
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (programs.user) await chown(passwordFile, programs.user.uid, programs.user.gid);
  const args = [
    `--pgdata=${data}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same order and case rules on every machine, whatever locales it has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  try {
    await programs.run('initdb', args, aside);
  } catch (error) {
    throw new Error(`The embedded Postgres could not be created in ${dataDir}.`, { cause: error });
  }
  await rename(aside, home);
  await syncFolder(dataDir);
}

/** Opens the cluster in `dataDir/postgres`, making it first when there is none. Call it only under the folder's lock. */
export async function openCluster(dataDir: string, programs: Programs): Promise<Cluster> {
  const home = join(dataDir, 'postgres');
  for (const entry of await readdir(dataDir)) {
    if (entry.startsWith('postgres.new-')) await rm(join(dataDir, entry), { recursive: true, force: true });
  }
  const exists = (await readdir(dataDir)).includes('postgres');
  if (!exists) await create(dataDir, home, programs);
  return readCluster(dataDir);
}

/** Reads where the cluster of `dataDir` is and its password. */
export async function readCluster(dataDir: string): Promise<Cluster> {
  const folders = foldersOf(join(dataDir, 'postgres'));
  return { ...folders, password: (await readFile(join(folders.home, 'password'), 'utf8')).trim() };
}
