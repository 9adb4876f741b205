import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter } from 'node:path';
import { inRoot, root } from './paths.mjs';

const binFolder = inRoot('node_modules', '.bin');

/** The Node of the lock file, or the current one when there is none for the platform. */
export function pinnedNode() {
  const packaged = [inRoot('node_modules/.bin/node'), inRoot('node_modules/.bin/node.exe')].find(existsSync);
  if (packaged) return packaged;
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= 24) return process.execPath;
  throw new Error(
    `Tara needs Node 24 or newer, and there is no packaged one for ${process.platform} on ${process.arch}: this is Node ${process.versions.node}.`,
  );
}

/** Where Node keeps compiled code between starts: a server is ready in three quarters of the time. */
const compileCache = inRoot('node_modules', '.cache', 'node');

/** The environment of a child, with the pinned Node and the installed tools first in PATH. */
export function childEnvironment(extra = {}) {
  const PATH = `${binFolder}${delimiter}${process.env.PATH ?? ''}`;
  return { NODE_COMPILE_CACHE: compileCache, ...process.env, PATH, ...extra };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Calls `stop` with each signal to this process; returns what ends that. */
export function onStop(stop) {
  for (const signal of signals) process.on(signal, stop);
  // npm sends a signal only to its shell, which ends without forwarding it: a new parent process shows that.
  const parent = process.ppid;
  const orphanTimer = setInterval(() => process.ppid !== parent && stop('SIGTERM'), 500);
  return () => {
    clearInterval(orphanTimer);
    for (const signal of signals) process.off(signal, stop);
  };
}

/**
 * Runs a program in this terminal, forwards signals to it, and returns its exit code and signal.
 * The child is killed when it is still running `killAfterMs` after a signal. `onMessage` gets what it sends (`process.send`).
 */
function spawnToEnd(file, args, { env = {}, cwd = root, killAfterMs, onStart, onMessage } = {}) {
  return new Promise((done, fail) => {
    const stdio = ['inherit', 'inherit', 'inherit', ...(onMessage ? ['ipc'] : [])];
    const child = spawn(file, args, { cwd, stdio, env: childEnvironment(env) });
    if (onMessage) child.on('message', onMessage);
    let killTimer;
    const unwatch = onStop((signal) => {
      // Ctrl-C in a terminal also reaches the child directly; a second signal to a draining server is harmless.
      child.kill(signal);
      if (killAfterMs) killTimer ??= setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    });
    const end = () => {
      clearTimeout(killTimer);
      unwatch();
    };
    child.once('error', (error) => {
      end();
      fail(error);
    });
    child.once('exit', (code, signal) => {
      end();
      done({ code, signal });
    });
    onStart?.(child);
  });
}

/** The exit code of an end, as a shell has it: 128 + n after a signal. */
export const exitCode = ({ code, signal }) => code ?? 128 + (constants.signals[signal] ?? 1);

/** Runs a program in this terminal, forwards signals to it, and returns its exit code (128 + n after a signal). */
export const run = async (file, args, options) => exitCode(await spawnToEnd(file, args, options));

/** Runs a script. Its result is the exit code; an error is printed without its stack. */
export async function main(script) {
  try {
    process.exitCode = (await script(process.argv.slice(2))) ?? 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/** Runs a script with the pinned Node, as `run` does; returns its exit code and signal. */
export const runToEnd = (args, options) => spawnToEnd(pinnedNode(), args, options);

/** Runs a script with the pinned Node. */
export const runNode = (args, options) => run(pinnedNode(), args, options);

/** The path of an installed tool's script, for `runNode`. */
export const tool = (path) => inRoot('node_modules', path);
