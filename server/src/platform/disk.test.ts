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
