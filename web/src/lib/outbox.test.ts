import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { problem } from '../testing/stub-server.ts';
import { lastAccountKey } from '../ui/browser-storage.ts';
import { OfflineError, toProblemError } from './call.ts';
import { answerInTime, createOutbox, type Unsent } from './outbox.ts';
import { forgetOutboxes, openOutboxes, storedOutboxes, useWaiting } from './outbox-storage.ts';
import { onSessionEnded } from './queries.ts';

interface Note extends Unsent {
  list: string;
  text: string;
}

/** An attempt to send a note, with the means to end it. */
interface Attempt extends PromiseWithResolvers<void> {
  note: Note;
  signal: AbortSignal;
}

let attempts: Attempt[] = [];
const removed: string[] = [];
const options = {
  queueOf: ({ list }: Note) => list,
  send: (note: Note, signal: AbortSignal) => {
    const attempt = { note, signal, ...Promise.withResolvers<void>() };
    signal.addEventListener('abort', () => attempt.reject(signal.reason));
    attempts.push(attempt);
    return attempt.promise;
  },
  onRemove: ({ text }: Note) => removed.push(text),
};
const outbox = createOutbox<'notes', Note>({ ...options, name: 'notes', repeats: true });
const once = createOutbox<'notesOnce', Note>({ ...options, name: 'notesOnce', repeats: false });

const refusal = () => toProblemError(409, JSON.stringify(problem(409, 'chat_closed').body));
const offline = () => new OfflineError(new TypeError('Failed to fetch'));
const states = (of = outbox) => of.store.getState().notes.map(({ text, state }) => `${text}: ${state}`);
const sentTexts = () => attempts.map(({ note }) => note.text);
/** A further tab of this browser, or the next load of the page. */
const openTab = () => createOutbox<'notes', Note>({ ...options, name: 'notes', repeats: true });
const storedKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('outbox:'));
const nth = async (index: number) => {
  await vi.waitFor(() => expect(attempts.length).toBeGreaterThan(index));
  return attempts[index] as Attempt;
};

beforeEach(() => {
  attempts = [];
  removed.length = 0;
  openOutboxes('Ana');
});
afterEach(() => {
  forgetOutboxes();
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('entries of one queue are sent in their order, those of others at the same time', async () => {
  for (const [list, text] of [
    ['a', 'one'],
    ['a', 'two'],
    ['b', 'three'],
  ] as const)
    outbox.add({ list, text });
  expect(states()).toEqual(['one: sending', 'two: waiting', 'three: sending']);
  (await nth(0)).resolve();
  expect((await nth(2)).note.text).toBe('two');
  expect(states()).toEqual(['two: sending', 'three: sending']);
  expect(removed).toEqual(['one']);
});

test('a refused entry stops its queue, and is sent again with the same key', async () => {
  const key = outbox.add({ list: 'a', text: 'one' });
  outbox.add({ list: 'a', text: 'two' });
  (await nth(0)).reject(refusal());
  await vi.waitFor(() => expect(states()).toEqual(['one: failed', 'two: waiting']));
  expect(outbox.find(key)?.failure).toEqual({ title: 'Title of chat_closed' });
  outbox.sendAgain(key);
  expect(outbox.find(key)).toMatchObject({ state: 'sending', failure: null });
  expect((await nth(1)).note.clientKey).toBe(key);
});

test('an entry that is discarded while it is sent is aborted, and the next one goes', async () => {
  const key = outbox.add({ list: 'a', text: 'one' });
  outbox.add({ list: 'a', text: 'two' });
  outbox.discard(key);
  expect((await nth(0)).signal.aborted).toBe(true);
  expect((await nth(1)).note.text).toBe('two');
  expect([states(), removed]).toEqual([['two: sending'], ['one']]);
});

test('an entry that was stored although it was discarded is removed once', async () => {
  const key = outbox.add({ list: 'a', text: 'one' });
  const attempt = await nth(0);
  attempt.resolve();
  outbox.discard(key);
  await attempt.promise;
  await vi.waitFor(() => expect(states()).toEqual([]));
  expect(removed).toEqual(['one']);
});

test('without a connection an entry is sent again by itself, or fails where the outbox does not repeat', async () => {
  outbox.add({ list: 'a', text: 'one' });
  (await nth(0)).reject(offline());
  await vi.waitFor(() => expect(states()).toEqual(['one: retrying']));
  dispatchEvent(new Event('online'));
  expect((await nth(1)).note.text).toBe('one');

  once.add({ list: 'a', text: 'two' });
  (await nth(2)).reject(offline());
  await vi.waitFor(() => expect(once.store.getState().notesOnce).toMatchObject([{ state: 'failed' }]));
});

test('a message or like without an answer after 30 s failed as one without a connection, which is sent again (§9-http-timeout)', async () => {
  const timeout = new AbortController();
  const timed = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  onTestFinished(() => timed.mockRestore());
  const waiting = answerInTime(
    new AbortController().signal,
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  timeout.abort();
  await expect(waiting).rejects.toBeInstanceOf(OfflineError);
  expect(timed).toHaveBeenCalledExactlyOnceWith(30_000);
});

test('the next load of the page goes on with what was left, in its order and with the same keys', async () => {
  // The clock is set back.
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    now -= 1_000;
    return now;
  });
  const keys = ['one', 'two'].map((text) => outbox.add({ list: 'a', text }));
  clock.mockRestore();
  await nth(0);
  const next = openTab();
  (await nth(1)).resolve();
  (await nth(2)).resolve();
  await vi.waitFor(() => expect(states(next)).toEqual([]));
  expect(attempts.slice(1).map(({ note }) => note.clientKey)).toEqual(keys);
  expect(storedKeys()).toEqual([]);
});

test('one that was refused before the page was loaded again waits for the person', async () => {
  outbox.add({ list: 'a', text: 'one' });
  (await nth(0)).reject(refusal());
  await vi.waitFor(() => expect(states()).toEqual(['one: failed']));
  const next = openTab();
  await vi.waitFor(() => expect(states(next)).toEqual(['one: failed']));
  expect(attempts).toHaveLength(1);
});

test('what is stored and is no entry is left out', async () => {
  localStorage.setItem('outbox:Ana:notes:broken', '{"list":');
  localStorage.setItem('outbox:Ana:notes:other', '{"list":"a","text":"one","clientKey":"none"}');
  outbox.add({ list: 'a', text: 'two' });
  await nth(0);
  const next = openTab();
  await vi.waitFor(() => expect(states(next)).toEqual(['two: sending']));
  expect(new Set(sentTexts())).toEqual(new Set(['two']));
});

/** A storage that tells all tabs of each write, as browsers tell the others. */
class SharedStorage {
  [key: string]: unknown;
  getItem(key: string) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key: string, value: string) {
    this[key] = value;
    queueMicrotask(() => dispatchEvent(new StorageEvent('storage', { key })));
  }
  removeItem(key: string) {
    delete this[key];
    queueMicrotask(() => dispatchEvent(new StorageEvent('storage', { key })));
  }
  clear() {
    for (const key of Object.keys(this)) delete this[key];
  }
}

describe('in several tabs', () => {
  /** Locks as all tabs share them, with the means to close the tab that holds one. */
  function shareLocks() {
    const waiting: (() => void)[] = [];
    let isHeld = false;
    const giveToNext = () => {
      const next = waiting.shift();
      isHeld = next !== undefined;
      next?.();
    };
    const request = (_name: string, work: () => Promise<unknown>) =>
      new Promise((resolve, reject) => {
        waiting.push(() => void work().then(resolve, reject).finally(giveToNext));
        if (!isHeld) giveToNext();
      });
    Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
    return { closeHolder: giveToNext };
  }
  let locks: ReturnType<typeof shareLocks>;
  beforeEach(() => {
    locks = shareLocks();
  });
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'locks');
  });

  test('all show the same entries, and one of them sends each once', async () => {
    vi.stubGlobal('localStorage', new SharedStorage());
    const other = openTab();
    outbox.add({ list: 'a', text: 'one' });
    await vi.waitFor(() => expect(states(other)).toEqual(['one: sending']));
    other.add({ list: 'a', text: 'two' });
    await vi.waitFor(() => expect(states()).toEqual(['one: sending', 'two: waiting']));
    expect(states(other)).toEqual(states());
    (await nth(0)).resolve();
    (await nth(1)).resolve();
    await vi.waitFor(() => expect([states(), states(other)]).toEqual([[], []]));
    expect(sentTexts()).toEqual(['one', 'two']);
  });

  test('one goes on when the one that was sending is closed', async () => {
    vi.stubGlobal('localStorage', new SharedStorage());
    const other = openTab();
    const key = outbox.add({ list: 'a', text: 'one' });
    await nth(0);
    await vi.waitFor(() => expect(states(other)).toEqual(['one: sending']));
    locks.closeHolder();
    expect((await nth(1)).note.clientKey).toBe(key);
  });

  test('one that waited for its turn sends nothing that another one has sent', async () => {
    const other = openTab();
    const key = outbox.add({ list: 'a', text: 'one' });
    other.add({ list: 'a', text: 'two' });
    await nth(0);
    // Before the event of it arrives.
    localStorage.removeItem(`outbox:Ana:notes:${key}`);
    locks.closeHolder();
    expect((await nth(1)).note.text).toBe('two');
  });

  test('what one discards is not sent by the other any more, and the next one goes', async () => {
    vi.stubGlobal('localStorage', new SharedStorage());
    const other = openTab();
    const key = outbox.add({ list: 'a', text: 'one' });
    outbox.add({ list: 'a', text: 'two' });
    await vi.waitFor(() => expect(states(other)).toEqual(['one: sending', 'two: waiting']));
    other.discard(key);
    await vi.waitFor(() => expect(attempts[0]?.signal.aborted).toBe(true));
    await nth(1);
    expect(sentTexts()).toEqual(['one', 'two']);
  });

  test('one that changes an entry which another one has sent does not write it again', async () => {
    const key = outbox.add({ list: 'a', text: 'one' });
    await nth(0);
    localStorage.removeItem(`outbox:Ana:notes:${key}`);
    outbox.update(key, { text: 'changed' });
    expect([states(), storedKeys()]).toEqual([[], []]);
  });

  test('where locks are forbidden, it is sent without', async () => {
    const request = async () => Promise.reject(new DOMException('', 'SecurityError'));
    Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } });
    outbox.add({ list: 'a', text: 'one' });
    (await nth(0)).resolve();
    await vi.waitFor(() => expect(states()).toEqual([]));
  });
});

describe('by account', () => {
  test('what one wrote is neither shown nor sent to another one, and is there again when the first comes back', async () => {
    const key = outbox.add({ list: 'a', text: 'one' });
    const { signal } = await nth(0);
    openOutboxes(null);
    expect([states(), signal.aborted]).toEqual([[], true]);
    openOutboxes('Ben');
    expect([states(), [...storedOutboxes()]]).toEqual([[], []]);
    openOutboxes('Ana');
    expect([...storedOutboxes()]).toEqual(['notes']);
    expect((await nth(1)).note.clientKey).toBe(key);
    expect(removed).toEqual([]);
  });

  test('forgetting removes what all wrote, with what belongs to it', async () => {
    localStorage.setItem('outbox:Ben:notes:key', '{}');
    outbox.add({ list: 'a', text: 'one' });
    const { signal } = await nth(0);
    forgetOutboxes();
    expect([states(), storedKeys(), removed, signal.aborted]).toEqual([[], [], ['one'], true]);
  });

  test('nothing is sent when another one has signed in in another tab', async () => {
    localStorage.setItem(lastAccountKey, 'Ben');
    outbox.add({ list: 'a', text: 'one' });
    await new Promise((done) => setTimeout(done));
    expect([states(), attempts]).toEqual([['one: waiting'], []]);
  });

  test('an entry that is sent after the session has ended waits for the next one', async () => {
    const end = vi.fn();
    const stop = onSessionEnded(end);
    outbox.add({ list: 'a', text: 'one' });
    (await nth(0)).reject(
      toProblemError(401, JSON.stringify(problem(401, 'general_unauthorized_scope').body)),
    );
    await vi.waitFor(() => expect(end).toHaveBeenCalledOnce());
    stop();
    expect(states()).toEqual(['one: waiting']);
    openOutboxes(null);
    openOutboxes('Ana');
    expect((await nth(1)).note.text).toBe('one');
  });
});

test('where storage is full, this tab remembers what is written', async () => {
  const storage = new SharedStorage();
  vi.stubGlobal('localStorage', storage);
  vi.spyOn(storage, 'setItem').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  const key = outbox.add({ list: 'a', text: 'one' });
  (await nth(0)).reject(offline());
  await vi.waitFor(() => expect(states()).toEqual(['one: retrying']));
  openOutboxes(null);
  openOutboxes('Ana');
  expect(states()).toEqual(['one: retrying']);
  const again = await nth(1);
  expect(again.note.clientKey).toBe(key);
  again.resolve();
  await vi.waitFor(() => expect(states()).toEqual([]));
});

test('all that waits for the network is counted, over all outboxes', async () => {
  const { result } = renderHook(useWaiting);
  outbox.add({ list: 'a', text: 'one' });
  outbox.add({ list: 'a', text: 'two' });
  outbox.add({ list: 'b', text: 'three' });
  expect(result.current).toBe(0);
  (await nth(0)).reject(offline());
  await vi.waitFor(() => expect(result.current).toBe(2));
  (await nth(1)).reject(offline());
  await vi.waitFor(() => expect(result.current).toBe(3));
  forgetOutboxes();
  await vi.waitFor(() => expect(result.current).toBe(0));
});
