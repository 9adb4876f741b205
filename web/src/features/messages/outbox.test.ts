import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetOutboxes, openOutboxes } from '../../lib/outbox-storage.ts';
import { sampleMessage } from '../../testing/samples.ts';
import { problem } from '../../testing/stub-server.ts';
import { discard, send, sendAgain, useOutbox } from './outbox.ts';

/** One request of the outbox, with the means to answer it. */
interface Sent {
  path: string;
  body: Record<string, unknown>;
  signal: AbortSignal;
  store: () => void;
  refuse: (code: number, type: string, headers?: Record<string, string>) => void;
  /** No answer: the network is down. */
  lose: () => void;
}

let sent: Sent[];

beforeEach(() => {
  sent = [];
  openOutboxes('Ana');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('fetch', (path: string, { body, signal }: RequestInit & { signal: AbortSignal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const fields: Record<string, unknown> = JSON.parse(String(body));
    signal.addEventListener('abort', () => reject(signal.reason));
    sent.push({
      path,
      body: fields,
      signal,
      store: () =>
        resolve(Response.json(sampleMessage({ clientKey: String(fields.clientKey), sequence: sent.length }))),
      refuse: (code, type, headers = {}) =>
        resolve(Response.json(problem(code, type).body, { status: code, headers })),
      lose: () => reject(new TypeError('Failed to fetch')),
    });
    return promise;
  });
});
afterEach(() => {
  forgetOutboxes();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const write = (body: string, chatId = 'chat', kind: 'receipt' | 'conversation' = 'receipt') =>
  send({ chatId, kind, userId: 'Ana', body, replyTo: null, file: null });
const states = () => useOutbox.getState().messages.map(({ body, state }) => `${body}: ${state}`);
const keyOf = (body: string) =>
  useOutbox.getState().messages.find((message) => message.body === body)?.clientKey ?? '';
const bodies = () => sent.map(({ body }) => body.message ?? body.body);
/** Waits without the clock, which these tests turn by hand. */
async function until<Value>(read: () => Value | undefined): Promise<Value> {
  for (let turn = 0; turn < 1_000; turn += 1) {
    const value = read();
    if (value !== undefined) return value;
    await new Promise((done) => setImmediate(done));
  }
  throw new Error(`Timed out; the states are ${states().join(', ')}.`);
}
const nth = (index: number) => until(() => sent[index]);
const settled = (expected: string[]) => until(() => (states().join() === expected.join() ? true : undefined));

describe('the queue of a chat', () => {
  test('sends one message at a time, in the typed order', async () => {
    write('one');
    write('two');
    await nth(0);
    expect(states()).toEqual(['one: sending', 'two: waiting']);
    expect(bodies()).toEqual(['one']);
    sent[0]?.store();
    (await nth(1)).store();
    await settled([]);
    expect(bodies()).toEqual(['one', 'two']);
  });

  test('repeats a lost message by itself with the same key, and lets later ones wait', async () => {
    write('one');
    write('two');
    (await nth(0)).lose();
    await settled(['one: retrying', 'two: waiting']);
    await vi.advanceTimersByTimeAsync(999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    (await nth(1)).store();
    (await nth(2)).store();
    await settled([]);
    expect(bodies()).toEqual(['one', 'one', 'two']);
    expect(sent[1]?.body.clientKey).toBe(sent[0]?.body.clientKey);
  });

  test('waits as long as §9 says, and not when the network is back', async () => {
    write('one');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      (await nth(attempt)).lose();
      await settled(['one: retrying']);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    (await nth(5)).lose();
    await settled(['one: retrying']);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(sent).toHaveLength(6);
    dispatchEvent(new Event('online'));
    (await nth(6)).store();
    await settled([]);
  });

  test('stops at a refused message until it is tried again', async () => {
    write('one');
    write('two');
    (await nth(0)).refuse(409, 'chat_closed');
    await settled(['one: failed', 'two: waiting']);
    expect(useOutbox.getState().messages[0]?.failure).toEqual({ title: 'Title of chat_closed' });
    write('three');
    expect(sent).toHaveLength(1);
    sendAgain(keyOf('one'));
    for (const index of [1, 2, 3]) (await nth(index)).store();
    await settled([]);
    expect(bodies()).toEqual(['one', 'one', 'two', 'three']);
    expect(sent[1]?.body.clientKey).toBe(sent[0]?.body.clientKey);
  });

  test('continues once a refused message is discarded', async () => {
    write('one');
    write('two');
    (await nth(0)).refuse(409, 'chat_closed');
    await settled(['one: failed', 'two: waiting']);
    discard(keyOf('one'));
    (await nth(1)).store();
    await settled([]);
    expect(bodies()).toEqual(['one', 'two']);
  });

  test('continues once a message that hangs is cancelled', async () => {
    write('one');
    write('two');
    const first = await nth(0);
    discard(keyOf('one'));
    expect(first.signal.aborted).toBe(true);
    (await nth(1)).store();
    await settled([]);
    expect(bodies()).toEqual(['one', 'two']);
  });

  test('continues at once when the message that waits for the network is discarded', async () => {
    write('one');
    write('two');
    (await nth(0)).lose();
    await settled(['one: retrying', 'two: waiting']);
    discard(keyOf('one'));
    (await nth(1)).store();
    await settled([]);
    expect(bodies()).toEqual(['one', 'two']);
  });

  test('drops a waiting message without a call', async () => {
    write('one');
    write('two');
    discard(keyOf('two'));
    (await nth(0)).store();
    await settled([]);
    expect(bodies()).toEqual(['one']);
  });

  test('waits as long as a rate limit of the server says', async () => {
    write('one');
    (await nth(0)).refuse(429, 'general_rate_limit_exceeded', { 'retry-after': '7' });
    await until(() => (vi.getTimerCount() > 0 ? true : undefined));
    await vi.advanceTimersByTimeAsync(6_999);
    expect(states()).toEqual(['one: sending']);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    (await nth(1)).store();
    await settled([]);
  });

  test('repeats while the server is away behind its proxy, but not after an error of its own', async () => {
    write('one');
    (await nth(0)).refuse(503, 'general_unknown');
    await settled(['one: retrying']);
    await vi.advanceTimersByTimeAsync(1_000);
    (await nth(1)).refuse(500, 'general_unknown');
    await settled(['one: failed']);
  });
});

test('a message that hangs blocks no other chat, and each kind has its call', async () => {
  write('slow', 'chat');
  await nth(0);
  write('fast', 'other', 'conversation');
  (await nth(1)).store();
  await settled(['slow: sending']);
  expect(sent.map(({ path }) => path)).toEqual(['/api/plan/sendMessage', '/api/message/sendMessage']);
  expect(sent[0]?.body).toMatchObject({ conversation: 'chat', message: 'slow' });
  expect(sent[1]?.body).toMatchObject({ convoId: 'other', body: 'fast' });
});

test('an upload that is done is not repeated by the next load, a picture that is not stored is asked for again', async () => {
  const stored = {
    ...{ chatId: 'chat', kind: 'receipt', userId: 'Ana', body: 'one', replyTo: null, hasPicture: true },
    ...{ picture: null, state: 'sending', failure: null, createdAt: '2026-01-02T03:04:05.000Z' },
  };
  const put = (clientKey: string, chatId: string, upload: object) =>
    localStorage.setItem(
      `outbox:Ana:messages:${clientKey}`,
      JSON.stringify({ ...stored, clientKey, chatId, upload }),
    );
  put('uploaded', 'chat', { step: 'stored', id: 'image', file: null });
  put('lost', 'other', { step: 'idle' });
  dispatchEvent(new StorageEvent('storage', { key: null }));
  const { body, store } = await nth(0);
  expect(body).toMatchObject({ imageId: 'image', clientKey: 'uploaded' });
  store();
  await settled(['one: failed']);
  expect(useOutbox.getState().messages[0]?.failure?.title).toContain('picture was lost');
});

test('a message is stored without its picture, which the browser keeps elsewhere', async () => {
  send({
    ...{ chatId: 'chat', kind: 'receipt', userId: 'Ana', body: 'one', replyTo: null },
    file: new File(['x'], 'pier.jpg', { type: 'image/jpeg' }),
  });
  const key = keyOf('one');
  const stored = () => JSON.parse(localStorage.getItem(`outbox:Ana:messages:${key}`) ?? '{}');
  expect(stored()).toMatchObject({ body: 'one', hasPicture: true, picture: null, upload: { step: 'idle' } });
  const shown = () => useOutbox.getState().messages[0];
  expect(shown()?.picture?.previewUrl).toMatch(/^blob:/);
  // Another tab changed it.
  localStorage.setItem(`outbox:Ana:messages:${key}`, JSON.stringify({ ...stored(), body: 'changed' }));
  dispatchEvent(new StorageEvent('storage', { key: `outbox:Ana:messages:${key}` }));
  expect(shown()).toMatchObject({ body: 'changed', picture: { previewUrl: expect.any(String) } });
});
