import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withLock } from './lock.mjs';
import { run } from './run.mjs';
import { hashFiles, isStamped, writeStamp } from './stamp.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tara-setup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('runs work under the same lock one at a time', async () => {
  let running = 0;
  let maximum = 0;
  const work = async () => {
    maximum = Math.max(maximum, ++running);
    await new Promise(setImmediate);
    running--;
  };
  await Promise.all([1, 2, 3].map(() => withLock(join(folder, 'lock'), work)));
  expect(maximum).toBe(1);
});

it('releases the lock after an error, and takes over the lock of a dead process', async () => {
  const lock = join(folder, 'lock');
  await expect(withLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const dead = spawn(process.execPath, ['-e', '']);
  await once(dead, 'exit');
  mkdirSync(lock);
  writeFileSync(join(lock, 'pid'), String(dead.pid));
  expect(await withLock(lock, () => 'done')).toBe('done');
});

it('detects changes by content and name, and ignores tests and generated files', () => {
  const source = join(folder, 'source');
  const stamp = join(folder, 'stamp');
  mkdirSync(source);
  writeFileSync(join(source, 'a.ts'), '1');
  const before = hashFiles([source, join(folder, 'not-there')]);
  expect(isStamped(stamp, before)).toBe(false);
  writeStamp(stamp, before);
  writeFileSync(join(source, 'a.test.ts'), '1');
  writeFileSync(join(source, 'routes.gen.ts'), '1');
  expect(isStamped(stamp, hashFiles([source]))).toBe(true);
  writeFileSync(join(source, 'a.ts'), '2');
  expect(isStamped(stamp, hashFiles([source]))).toBe(false);
});

it('returns the exit code and forwards signals', async () => {
  const script = (text) => run(process.execPath, ['-e', text], { cwd: folder });
  expect(await script('process.exit(7)')).toBe(7);
  let child;
  const code = run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    killAfterMs: 5000,
    onStart: (started) => {
      child = started;
    },
  });
  await once(child, 'spawn');
  process.emit('SIGTERM', 'SIGTERM');
  expect(await code).toBe(143);
});
