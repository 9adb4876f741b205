import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A running Postgres, as its `postmaster.pid` describes it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Folder of its socket; empty when it listens on a port only. */
  readonly socketFolder: string;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return commandOf(pid) !== ''; // A process that ended but was not yet taken note of has no command line.
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The command line of a process, or an empty text: a process id can have passed to a stranger since. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    if (process.platform === 'win32')
      return execFileSync('tasklist', ['/fi', `pid eq ${pid}`], { encoding: 'utf8' });
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Finds the Postgres that runs on exactly this data folder. */
export function findPostmaster(data: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined; // No such file: it was stopped in order.
  }
  const [pid, folder, , port, socketFolder] = lines;
  const number = Number(pid);
  if (!Number.isInteger(number) || number < 2 || !folder) return undefined;
  const command = commandOf(number);
  const ours =
    isRunning(number) &&
    command.includes('postgres') &&
    (process.platform === 'win32' || command.includes(data) || command.includes(folder)) &&
    samePath(folder, data);
  return ours ? { pid: number, port: Number(port), socketFolder: socketFolder ?? '' } : undefined;
}

function samePath(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

/**
 * Stops a Postgres: first in order (open transactions are rolled back, a checkpoint is written), after `patience` ms at
 * once (it then recovers from its log at the next start). Nothing acknowledged is lost either way.
 */
export async function stopPostmaster(pid: number, patience = 3000): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!isRunning(pid)) return;
    process.kill(pid, signal);
    const until = Date.now() + patience;
    while (Date.now() < until) {
      if (!isRunning(pid)) return;
      await delay(10);
    }
  }
}
