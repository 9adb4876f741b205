import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Whether the process that holds the lock has ended. */
function isAbandoned(folder) {
  try {
    return !isRunning(Number(readFileSync(`${folder}/pid`, 'utf8')));
  } catch {
    // Without a pid file the lock was just created, unless it is old.
    try {
      return Date.now() - statSync(folder).mtimeMs > 5000;
    } catch {
      return false; // Released in the meantime.
    }
  }
}

/** Runs `work` while holding a lock; other processes wait. The lock is a folder, because creating one is atomic. */
export async function withLock(folder, work) {
  mkdirSync(dirname(folder), { recursive: true });
  for (;;) {
    try {
      mkdirSync(folder);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true });
      else await delay(100);
    }
  }
  writeFileSync(`${folder}/pid`, String(process.pid));
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
