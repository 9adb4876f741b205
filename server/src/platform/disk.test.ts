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

test('a file system that never answers keeps neither the start nor another disk waiting, and is asked once', async () => {
  const reads: string[] = [];
  let freeBytes = 0;
  const disk = await watchDisk({
    ...{ folders: ['away', 'here'], reserveBytes: 100, log: quietLog(), intervalMs: 1, timeoutMs: 10 },
    onChange: async () => {},
    readFreeBytes: (folder) => {
      reads.push(folder);
      return folder === 'away' ? new Promise(() => {}) : Promise.resolve(freeBytes);
    },
  });
  onTestFinished(() => disk.stop());
  expect(disk.isFull()).toBe(true);
  freeBytes = 1000;
  await expect.poll(() => disk.isFull()).toBe(false);
  expect(reads.filter((folder) => folder === 'away')).toHaveLength(1);
});

test('a full disk that cannot be looked at any more stays full', async () => {
  let isAway = false;
  let looks = 0;
  const disk = await watchDisk({
    ...{ folders: ['here'], reserveBytes: 100, log: quietLog(), intervalMs: 0 },
    onChange: async () => {},
    readFreeBytes: async () => {
      looks++;
      if (isAway) throw new Error('It is away.');
      return 0;
    },
  });
  onTestFinished(() => disk.stop());
  isAway = true;
  const before = looks;
  await expect.poll(() => looks).toBeGreaterThan(before + 2);
  expect(disk.isFull()).toBe(true);
});

test('free space that goes up and down between the two limits changes nothing, nor fills the log', async () => {
  const log = quietLog();
  const lines = [vi.spyOn(log, 'error'), vi.spyOn(log, 'warn')];
  const changes: boolean[] = [];
  const amounts = [200, 101, 199, 100, 99, 100, 199, 50, 199, 150, 200, 100, 199];
  let looks = 0;
  const disk = await watchDisk({
    ...{ folders: ['here'], reserveBytes: 100, log, intervalMs: 0 },
    onChange: async (isFull) => void changes.push(isFull),
    readFreeBytes: async () => amounts[looks++] ?? 150,
  });
  onTestFinished(() => disk.stop());
  await expect.poll(() => looks).toBeGreaterThan(amounts.length);
  expect(changes).toEqual([false, true, false]);
  expect(lines.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test('without a reserve no disk is full, and with one larger than the disk it always is', async () => {
  for (const [reserveBytes, isFull] of [
    [0, false],
    [100_000_000 * 2 ** 20, true],
  ] as const) {
    const options = { folders: [tmpdir()], log: quietLog(), onChange: async () => {} };
    const disk = await watchDisk({ ...options, reserveBytes });
    disk.stop();
    expect(disk.isFull()).toBe(isFull);
  }
});
