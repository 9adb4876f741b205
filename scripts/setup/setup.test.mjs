import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { alone } from './lock.mjs';
import { run } from './run.mjs';
import { hashOf, isStamped, writeStamp } from './stamp.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tara-setup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('does a work one process at a time', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise(setImmediate);
    inside--;
  };
  await Promise.all([1, 2, 3].map(() => alone(join(folder, 'lock'), work)));
  expect(most).toBe(1);
});

it('gives the lock back after an error, and takes over that of a process that died', async () => {
  const lock = join(folder, 'lock');
  await expect(alone(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const dead = spawn(process.execPath, ['-e', '']);
  await once(dead, 'exit');
  mkdirSync(lock);
  writeFileSync(join(lock, 'pid'), String(dead.pid));
  expect(await alone(lock, () => 'done')).toBe('done');
});

it('knows by content and name whether something changed, and leaves tests and generated files out', () => {
  const source = join(folder, 'source');
  const stamp = join(folder, 'stamp');
  mkdirSync(source);
  writeFileSync(join(source, 'a.ts'), '1');
  const before = hashOf([source, join(folder, 'not-there')]);
  expect(isStamped(stamp, before)).toBe(false);
  writeStamp(stamp, before);
  writeFileSync(join(source, 'a.test.ts'), '1');
  writeFileSync(join(source, 'routes.gen.ts'), '1');
  expect(isStamped(stamp, hashOf([source]))).toBe(true);
  writeFileSync(join(source, 'a.ts'), '2');
  expect(isStamped(stamp, hashOf([source]))).toBe(false);
});

it('gives on the exit code and the signals', async () => {
  const script = (text) => run(process.execPath, ['-e', text], { cwd: folder });
  expect(await script('process.exit(7)')).toBe(7);
  let child;
  const code = run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    patience: 5000,
    onStart: (started) => {
      child = started;
    },
  });
  await once(child, 'spawn');
  process.emit('SIGTERM', 'SIGTERM');
  expect(await code).toBe(143);
});
