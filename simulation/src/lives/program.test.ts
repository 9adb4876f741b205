import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';

const program = resolve(import.meta.dirname, '../money.ts');

test.for([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a run that gets %s ends, and leaves no files', async ([signal, code], { onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-program-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = { ...process.env, TMPDIR: folder };
  const run = spawn(process.execPath, [program, '--seeds', '1000', '--processes', '1'], {
    env,
    stdio: 'ignore',
  });
  onTestFinished(() => void run.kill('SIGKILL'));
  // Those of Postgres, and of the process that lives.
  await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(2), { timeout: 120_000 });
  run.kill(signal);
  expect(await once(run, 'exit')).toEqual([code, null]);
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]));
});
