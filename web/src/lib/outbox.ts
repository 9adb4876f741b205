import { reconnectDelayMs } from '@tara/contract/limits';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { errorNotice, isAbort, isProblem, type Notice, OfflineError, ProblemError } from './call.ts';

/** What a member wrote and the server has not stored yet. It outlives its screen, so that no text is lost. */
export interface Unsent {
  /** The same for every attempt, so that the server stores it once. */
  clientKey: string;
  /** `waiting` behind earlier ones; `retrying` until the server can be reached; `failed` until the person decides. */
  state: 'waiting' | 'sending' | 'retrying' | 'failed';
  /** Why it failed. */
  failure: Notice | null;
  createdAt: string;
}

/** What is written; the rest of an `Unsent` is the outbox's. */
type Written<Entry extends Unsent> = Omit<Entry, keyof Unsent>;

interface OutboxOptions<Name extends string, Entry extends Unsent> {
  /** Of the list in the store, and of its place in the tab's storage. */
  name: Name;
  /** Entries of one queue are sent in their order, one at a time; one that failed stops the later ones. */
  queueOf: (entry: Entry) => string;
  /** Sends an entry, and shows what the server stored. `signal` aborts when it is discarded. */
  send: (entry: Entry, signal: AbortSignal) => Promise<void>;
  /** Whether an entry is sent again by itself when the server could not be reached. */
  repeats: boolean;
  failureNotice?: (error: unknown) => Notice;
  /** What a reload of this tab makes of a stored entry. */
  restore: (stored: Entry) => Entry;
  /** An entry is gone: stored by the server, or discarded. */
  onRemove?: (entry: Entry) => void;
}

/** An outbox: what is written is shown at once, sent, and kept over a reload of this tab until the server has it. */
export function createOutbox<Name extends string, Entry extends Unsent>({
  name,
  queueOf,
  send,
  repeats,
  failureNotice = errorNotice,
  restore,
  onRemove = () => {},
}: OutboxOptions<Name, Entry>) {
  type Stored = Record<Name, readonly Entry[]>;
  // The only property of the state.
  const stateOf = (entries: readonly Entry[]) => ({ [name]: entries }) as Stored;
  const store = create<Stored>()(
    persist(() => stateOf([]), {
      name,
      storage: createJSONStorage(() => sessionStorage),
      merge: (stored, current) => {
        const entries = (stored as Partial<Stored> | undefined)?.[name];
        return entries ? stateOf(entries.map(restore)) : current;
      },
    }),
  );
  /** The queues that are being worked off, each with what ends its current step. */
  const running = new Map<string, AbortController>();

  const entries = () => store.getState()[name];
  const setEntries = (change: (entries: readonly Entry[]) => readonly Entry[]) =>
    store.setState(stateOf(change(entries())));
  const find = (clientKey: string) => entries().find((entry) => entry.clientKey === clientKey);
  const update = (clientKey: string, change: Partial<Entry>) =>
    setEntries((all) =>
      all.map((entry) => (entry.clientKey === clientKey ? { ...entry, ...change } : entry)),
    );
  const firstOf = (queue: string) => entries().find((entry) => queueOf(entry) === queue);

  function remove(key: string): void {
    const entry = find(key);
    if (!entry) return;
    onRemove(entry);
    setEntries((all) => all.filter(({ clientKey }) => clientKey !== key));
  }

  /** Sends the entries of one queue; ends at one that failed. */
  async function runQueue(queue: string): Promise<void> {
    if (running.has(queue)) return;
    try {
      let attempt = 0;
      let currentKey = '';
      for (;;) {
        const entry = firstOf(queue);
        if (entry === undefined || entry.state === 'failed') return;
        attempt = entry.clientKey === currentKey ? attempt + 1 : 0;
        currentKey = entry.clientKey;
        const controller = new AbortController();
        running.set(queue, controller);
        const delayMs = await deliver(entry, controller.signal, attempt);
        if (delayMs !== null) await retryTime(delayMs, controller.signal);
      }
    } finally {
      running.delete(queue);
    }
  }

  /** Sends an entry. Returns after how many milliseconds to try again, or null when it is done, discarded or failed. */
  async function deliver(entry: Entry, signal: AbortSignal, attempt: number): Promise<number | null> {
    const { clientKey } = entry;
    const setState = (state: Unsent['state'], failure: Notice | null = null) =>
      update(clientKey, { state, failure } as Partial<Entry>);
    if (attempt === 0) setState('sending');
    try {
      await send(entry, signal);
      remove(clientKey);
      return null;
    } catch (error) {
      // Discarded meanwhile.
      if (signal.aborted || isAbort(error)) return null;
      const delayMs = repeats ? retryDelayMs(error, attempt) : null;
      if (delayMs === null) setState('failed', failureNotice(error));
      else if (!isTooFast(error)) setState('retrying');
      return delayMs;
    }
  }

  return {
    store,
    update,
    find,
    /** Shows an entry at once, and sends it after the earlier ones of its queue. Returns its key. */
    add(written: Written<Entry>): string {
      const clientKey = crypto.randomUUID();
      const createdAt = new Date().toISOString();
      // Both parts are an entry.
      const entry = { ...written, clientKey, state: 'waiting', failure: null, createdAt } as unknown as Entry;
      setEntries((all) => [...all, entry]);
      void runQueue(queueOf(entry));
      return clientKey;
    },
    /** Sends an entry that failed again, with the same key. */
    sendAgain(clientKey: string): void {
      const entry = find(clientKey);
      if (!entry) return;
      update(clientKey, { state: 'waiting', failure: null } as Partial<Entry>);
      void runQueue(queueOf(entry));
    },
    /** Gives up an entry that is not stored yet, and lets the later ones of its queue go. */
    discard(clientKey: string): void {
      const entry = find(clientKey);
      if (!entry) return;
      const queue = queueOf(entry);
      const isCurrent = firstOf(queue) === entry;
      remove(clientKey);
      if (isCurrent) running.get(queue)?.abort();
      void runQueue(queue);
    },
    /** Goes on with what an earlier load of this tab left, of the entries that `isOwn` accepts; drops the others. */
    resume(isOwn: (entry: Entry) => boolean): readonly Entry[] {
      setEntries((all) => all.filter(isOwn));
      for (const queue of new Set(entries().map(queueOf))) void runQueue(queue);
      return entries();
    },
  };
}

const isTooFast = (error: unknown) => isProblem(error, 'general_rate_limit_exceeded');

/** After how long a failed attempt is repeated (§9); null when the server refused, so that it would refuse again. */
function retryDelayMs(error: unknown, attempt: number): number | null {
  if (error instanceof OfflineError) return reconnectDelayMs(attempt);
  const isAway = error instanceof ProblemError && [502, 503, 504].includes(error.code);
  if (!isAway && !isTooFast(error)) return null;
  return Math.max(reconnectDelayMs(attempt), (error as ProblemError).retryAfterSeconds * 1_000);
}

/** Waits, at most until the network is back or the entry is discarded. */
function retryTime(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, delayMs);
    addEventListener('online', end);
    signal.addEventListener('abort', end);
    function end() {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
