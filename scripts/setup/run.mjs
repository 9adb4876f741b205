import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { inRoot, root } from './paths.mjs';

const binFolder = inRoot('node_modules', '.bin');

/** The Node that the lock file pins, or the one that runs this script where there is none for the platform. */
export function pinnedNode() {
  const found = [inRoot('node_modules/.bin/node'), inRoot('node_modules/.bin/node.exe')].find(existsSync);
  if (found) return found;
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= 24) return process.execPath;
  throw new Error(
    `Tara needs Node 24 or newer, and there is no packaged one for ${process.platform} on ${process.arch}: this is Node ${process.versions.node}.`,
  );
}

/** The environment of a child: the pinned Node and the installed tools first on the path. */
export function childEnvironment(extra = {}) {
  return { ...process.env, PATH: `${binFolder}${delimiter}${process.env.PATH ?? ''}`, ...extra };
}

/**
 * Runs a program with this terminal, passes signals on to it, and gives its exit code (128 + n after a signal).
 * A child that outlives `patience` ms after a signal is killed.
 */
export function run(file, args, { env = {}, cwd = root, patience, onStart } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(file, args, { cwd, stdio: 'inherit', env: childEnvironment(env) });
    let killer;
    const pass = (signal) => {
      // Ctrl-C in a terminal reaches the child by itself; a second signal to a draining server is harmless.
      child.kill(signal);
      if (patience) killer ??= setTimeout(() => child.kill('SIGKILL'), patience);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    // npm hands a signal to its shell, and the shell ends without handing it on: then nobody waits for us any more.
    const parent = process.ppid;
    const orphaned = setInterval(() => process.ppid !== parent && pass('SIGTERM'), 500);
    const end = () => {
      clearTimeout(killer);
      clearInterval(orphaned);
      for (const signal of signals) process.off(signal, pass);
    };
    child.once('error', (error) => {
      end();
      fail(error);
    });
    child.once('exit', (code, signal) => {
      end();
      done(code ?? 128 + ({ SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 1));
    });
    onStart?.(child);
  });
}

/** Runs an installed tool's or our own script under the pinned Node. */
export const runNode = (args, options) => run(pinnedNode(), args, options);

/** Path of an installed tool's script, for `runNode`. */
export const tool = (path) => inRoot('node_modules', path);
