import { expect, it, vi } from 'vitest';
import { memoryStore } from '../../testing/faults/memory-store.ts';
import { guardStore } from './guarded.ts';
import { StoreAway } from './store.ts';

/** A store of which one file always fails, and whose probes can fail. */
function openFailing(cause: object) {
  const memory = memoryStore();
  const probe = vi.fn(async () => {});
  const log = { error: vi.fn(), warn: vi.fn() };
  const store = guardStore(
    {
      ...memory,
      read: async (key, range) => {
        if (key === 'bad') throw new StoreAway('The file store did not answer.', { cause });
        return memory.read(key, range);
      },
      probe,
      abortUploads: async () => 0,
      close: () => {},
    },
    { log, intervalMs: 1 },
  );
  return { store, probe, log };
}

const answered = { $metadata: { httpStatusCode: 500 } };

it('goes on with all other files when the store answers an error for one', async () => {
  const { store, probe, log } = openFailing(answered);
  await store.put('good', Buffer.from('bytes'));
  let answerProbe = () => {};
  probe.mockReturnValue(
    new Promise((done) => {
      answerProbe = done;
    }),
  );
  for (let tries = 0; tries < 3; tries++) {
    await expect(store.read('bad')).rejects.toThrow(StoreAway);
    expect(String(await store.read('good'))).toBe('bytes');
  }
  answerProbe();
  expect(String(await store.read('good'))).toBe('bytes');
  expect(probe).toHaveBeenCalledTimes(1);
  expect(log.error).not.toHaveBeenCalled();
  store.stop();
});

it('refuses all until a probe is answered when a probe fails after such an error, or when nothing is answered', async () => {
  for (const cause of [answered, new Error('socket hang up')]) {
    const { store, probe, log } = openFailing(cause);
    await store.put('good', Buffer.from('bytes'));
    probe.mockRejectedValue(new StoreAway('The file store did not answer.'));
    await expect(store.read('bad')).rejects.toThrow(StoreAway);
    await vi.waitFor(() => expect(store.isAway()).toBe(true));
    await expect(store.read('good')).rejects.toThrow(StoreAway);
    probe.mockResolvedValue();
    await vi.waitFor(() => expect(store.isAway()).toBe(false));
    expect(String(await store.read('good'))).toBe('bytes');
    expect([log.error.mock.calls.length, log.warn.mock.calls.length]).toEqual([1, 1]);
    store.stop();
  }
});
