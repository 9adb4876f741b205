import { expect, it } from 'vitest';
import { startProcess, startServing } from './process.ts';

const program = (code: string) => [process.execPath, '-e', code];
const env = { PATH: process.env.PATH };

it('waits for the line with the port, also when it comes in parts, and ends the process', async () => {
  const parts = `process.stdout.write('It is ready at http://localhost:43');
    setTimeout(() => process.stdout.write('210\\n'), 50); setInterval(() => {}, 1000);`;
  const started = await startServing(program(parts), { env });
  expect(started.port).toBe(43_210);
  expect(started.isRunning()).toBe(true);
  expect(await started.stop('SIGKILL')).toBeNull();
  expect(await started.stop('SIGKILL')).toBeNull();
  expect(started.isRunning()).toBe(false);
});

it('names what a process wrote that ended before it was ready', async () => {
  const failing = program('console.log("begins"); console.error("no disk"); process.exitCode = 3;');
  const started = await startProcess(failing, { env });
  expect([started.port, await started.ended]).toEqual([null, 3]);
  expect(started.output()).toEqual({ out: 'begins\n', err: 'no disk\n' });
  await expect(startServing(failing, { env })).rejects.toThrow(/ended with 3:\s+begins\s+no disk/);
});

it('passes on nothing of the own environment, and kills what is not ready in time', async () => {
  const listing = program('console.log(Object.keys(process.env).join()); setInterval(() => {}, 1000);');
  const started = await startProcess(listing, { env: { ...env, ONLY: '1' }, timeoutMs: 1_000 });
  expect(started.port).toBeNull();
  expect(started.output().out.trim().split(',').sort()).toEqual(['ONLY', 'PATH']);
});
