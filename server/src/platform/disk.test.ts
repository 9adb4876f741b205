import { tmpdir } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchDisk } from './disk.ts';
import { quietLog } from './log.ts';

test('a database that is away at the moment the disk gets full does not keep its log large', async () => {
  const onChange = vi.fn<(isFull: boolean) => Promise<void>>(async () => {});
  onChange.mockRejectedValueOnce(new Error('The database is away.'));
  const disk = await watchDisk({
    folders: [tmpdir()],
    reserveBytes: Number.MAX_SAFE_INTEGER,
    log: quietLog(),
    onChange,
    intervalMs: 1,
  });
  onTestFinished(() => disk.stop());
  expect(disk.isFull()).toBe(true);
  await expect
    .poll(() => onChange.mock.settledResults.map(({ type }) => type))
    .toEqual(['rejected', 'fulfilled']);
  expect(onChange).toHaveBeenLastCalledWith(true);
});

test('a folder that is away does not keep another disk from being seen full, nor fill the log', async () => {
  const log = quietLog();
  const errors = vi.spyOn(log, 'error');
  const onChange = vi.fn<(isFull: boolean) => Promise<void>>(async () => {});
  onChange.mockRejectedValueOnce(new Error('The database is away.'));
  const disk = await watchDisk({
    folders: [`${tmpdir()}/not there`, tmpdir()],
    reserveBytes: Number.MAX_SAFE_INTEGER,
    log,
    onChange,
    intervalMs: 1,
  });
  onTestFinished(() => disk.stop());
  expect(disk.isFull()).toBe(true);
  await expect.poll(() => onChange.mock.calls.length).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(errors.mock.calls.map(([, message]) => message)).toEqual([
    'the disk is nearly full: calls that add content answer 507',
    'the disk could not be looked at, or its state not be passed on',
    'the disk could not be looked at, or its state not be passed on',
  ]);
});
