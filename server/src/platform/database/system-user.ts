import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The account Postgres runs under when we are root, which Postgres itself refuses to be. */
interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** How to start a program of Postgres from here. */
export interface Runner {
  /** Undefined: as ourselves. */
  readonly user: SystemUser | undefined;
  /** The command line that runs `program` with `args`. */
  command(program: string, args: readonly string[]): { file: string; args: string[]; user?: SystemUser };
}

function idOf(name: string): SystemUser | undefined {
  const id = (flag: string) =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout?.trim() || Number.NaN);
  const user = { uid: id('-u'), gid: id('-g') };
  return Number.isInteger(user.uid) && Number.isInteger(user.gid) ? user : undefined;
}

function createPostgresUser(): SystemUser {
  for (const [tool, ...args] of [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
    ['adduser', '-S', '-H', '-s', '/sbin/nologin', 'postgres'],
  ] as const) {
    spawnSync(tool, args);
    const user = idOf('postgres');
    if (user) return user;
  }
  throw new Error(
    'Postgres refuses to run as root, and the system user "postgres" could not be created. Start Tara as another user, or set DATABASE_URL.',
  );
}

/** Bit numbers of <linux/capability.h>. */
const capabilities = [
  { bit: 2n, name: 'dac_read_search' },
  { bit: 1n, name: 'dac_override' },
];

function heldCapability(): string | undefined {
  if (!existsSync('/proc/self/status')) return undefined;
  const held = BigInt(
    `0x${/^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`,
  );
  return capabilities.find(({ bit }) => (held >> bit) & 1n)?.name;
}

const reaches = (user: SystemUser, path: string) =>
  spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], user).status === 0;

/**
 * Finds how Postgres can run here. As root it becomes the system user `postgres`. When that user cannot reach `paths`
 * (a checkout in /root, or in a folder made by mktemp), it keeps the one right to pass through folders.
 * @throws Error that says what to do, when there is no way.
 */
export function findRunner(paths: readonly string[]): Runner {
  if (process.getuid?.() !== 0) {
    return { user: undefined, command: (file, args) => ({ file, args: [...args] }) };
  }
  const user = idOf('postgres') ?? createPostgresUser();
  const unreachable = paths.find((path) => !reaches(user, path));
  if (!unreachable) return { user, command: (file, args) => ({ file, args: [...args], user }) };

  const right = heldCapability();
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));
  if (!right || !setpriv) {
    throw new Error(
      `The system user "postgres" cannot reach ${unreachable}. Open its parent folders for passing through (chmod o+x), set DATA_DIR to a folder under /var/lib, or set DATABASE_URL.`,
    );
  }
  const drop = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${right}`,
    `--ambient-caps=-all,+${right}`,
    `--bounding-set=-all,+${right}`,
    // access(2), which Postgres asks about its own programs, otherwise forgets lent rights.
    '--securebits=+no_setuid_fixup',
  ];
  try {
    execFileSync(setpriv, [...drop, '/bin/sh', '-c', 'test -x "$1"', 'sh', unreachable], { stdio: 'pipe' });
  } catch {
    throw new Error(
      `The system user "postgres" cannot reach ${unreachable}, and this system does not allow to lend it the right. Open its parent folders for passing through (chmod o+x), or set DATABASE_URL.`,
    );
  }
  return { user, command: (file, args) => ({ file: setpriv, args: [...drop, file, ...args] }) };
}
