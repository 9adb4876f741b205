import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problem } from '../testing/stub-server.ts';
import { OfflineError, toProblemError } from './call.ts';
import { createOutbox, type Unsent } from './outbox.ts';

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
  restore: (note: Note): Note => ({ ...note, state: note.state === 'failed' ? 'failed' : 'waiting' }),
  onRemove: ({ text }: Note) => removed.push(text),
};
const outbox = createOutbox<'notes', Note>({ ...options, name: 'notes', repeats: true });
const once = createOutbox<'notesOnce', Note>({ ...options, name: 'notesOnce', repeats: false });

const refusal = () => toProblemError(409, JSON.stringify(problem(409, 'chat_closed').body));
const states = () => outbox.store.getState().notes.map(({ text, state }) => `${text}: ${state}`);
const nth = async (index: number) => {
  await vi.waitFor(() => expect(attempts.length).toBeGreaterThan(index));
  return attempts[index] as Attempt;
};

beforeEach(() => {
  attempts = [];
  removed.length = 0;
});
afterEach(() => {
  for (const { clientKey } of outbox.store.getState().notes) outbox.discard(clientKey);
  for (const { clientKey } of once.store.getState().notesOnce) once.discard(clientKey);
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
  (await nth(0)).reject(new OfflineError(new TypeError('Failed to fetch')));
  await vi.waitFor(() => expect(states()).toEqual(['one: retrying']));
  dispatchEvent(new Event('online'));
  expect((await nth(1)).note.text).toBe('one');

  once.add({ list: 'a', text: 'two' });
  (await nth(2)).reject(new OfflineError(new TypeError('Failed to fetch')));
  await vi.waitFor(() => expect(once.store.getState().notesOnce).toMatchObject([{ state: 'failed' }]));
});

test('a reload of the tab restores what was left, and resuming drops what is not the member’s own', async () => {
  outbox.add({ list: 'a', text: 'one' });
  outbox.add({ list: 'b', text: 'two' });
  const left = sessionStorage.getItem('notes') ?? '';
  for (const { clientKey } of outbox.store.getState().notes) outbox.discard(clientKey);
  sessionStorage.setItem('notes', left);
  await outbox.store.persist.rehydrate();
  expect(states()).toEqual(['one: waiting', 'two: waiting']);
  expect(outbox.resume(({ list }) => list === 'a')).toMatchObject([{ text: 'one' }]);
  expect((await nth(2)).note.text).toBe('one');
  expect(outbox.store.getState().notes).toHaveLength(1);
});
