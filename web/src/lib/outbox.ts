import { reconnectDelayMs } from '@tara/contract/limits';
import { create } from 'zustand';
import { errorNotice, isAbort, isProblem, type Notice, OfflineError, ProblemError } from './call.ts';
import {
  isOtherSignedIn,
  isStored,
  onStoredEntries,
  outboxAccount,
  setWaiting,
  storedEntries,
  storeEntry,
} from './outbox-storage.ts';
import { reportSessionEnd } from './queries.ts';

/** What a member wrote and the server has not stored yet. It outlives its screen and its tab, so that nothing is lost. */
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
  /** Of the list in the store, and of its place in the browser's storage. */
  name: Name;
  /** Entries of one queue are sent in their order, one at a time; one that failed stops the later ones. */
  queueOf: (entry: Entry) => string;
  /** Sends an entry, and shows what the server stored. `signal` aborts when it is discarded. */
  send: (entry: Entry, signal: AbortSignal) => Promise<void>;
  /** Whether an entry is sent again by itself when the server could not be reached. */
  repeats: boolean;
  failureNotice?: (error: unknown) => Notice;
  /** An entry that the server refused is gone, instead of waiting for the person to decide. */
  onRefuse?: (entry: Entry, error: unknown) => void;
  /** What of an entry is stored as text. */
  toStored?: (entry: Entry) => Entry;
  /** What this tab makes of an entry that another tab or an earlier load stored; `known` is what this tab had of it. */
  restore?: (stored: Entry, known: Entry | undefined) => Entry;
  /** An entry that another tab or an earlier load wrote is shown here from now on. */
  onRestore?: (entry: Entry) => void;
  /** An entry is gone: stored by the server, or discarded. */
  onRemove?: (entry: Entry) => void;
}

/** What a tab does with a queue. */
interface Run {
  /** Of the entry of its last attempt. */
  clientKey: string;
  /** How often that entry was tried before. */
  attempt: number;
  /** Ends the current attempt, or the wait for the next. */
  controller: AbortController;
}

/**
 * An outbox: what is written is shown at once in all tabs of the browser, sent by one of them, and stays in the browser's
 * storage until the server has it. A tab that closes leaves it to the others, or to the next start.
 */
export function createOutbox<Name extends string, Entry extends Unsent>({
  name,
  queueOf,
  send,
  repeats,
  failureNotice = errorNotice,
  onRefuse,
  toStored = (entry) => entry,
  restore = (stored) => stored,
  onRestore = () => {},
  onRemove = () => {},
}: OutboxOptions<Name, Entry>) {
  type Stored = Record<Name, readonly Entry[]>;
  // The only property of the state.
  const stateOf = (entries: readonly Entry[]) => ({ [name]: entries }) as Stored;
  const store = create<Stored>()(() => stateOf([]));
  /** The text of each entry as this tab last wrote or read it. */
  const texts = new Map<string, string>();
  /** The queues that are being worked off. */
  const running = new Map<string, Run>();
  /** Whose entries are in the store. */
  let account: string | null = null;

  const entries = () => store.getState()[name];
  const find = (clientKey: string) => entries().find((entry) => entry.clientKey === clientKey);
  const firstOf = (queue: string) => entries().find((entry) => queueOf(entry) === queue);
  /** Whether an entry waits until the server can be reached: itself, or one before it. */
  const isOffline = (entry: Entry) => firstOf(queueOf(entry))?.state === 'retrying';

  function setEntries(next: readonly Entry[]): void {
    store.setState(stateOf(next));
    setWaiting(name, next.filter(isOffline).length);
  }

  /** Stores an entry whose text changed. */
  function storeText(entry: Entry): void {
    const text = JSON.stringify(toStored(entry));
    if (texts.get(entry.clientKey) === text) return;
    texts.set(entry.clientKey, text);
    storeEntry(name, entry.clientKey, text);
  }

  function update(clientKey: string, change: Partial<Entry>): void {
    // Sent or discarded by another tab: written again, it would be sent again.
    if (!isStored(name, clientKey)) readStored();
    const entry = find(clientKey);
    if (!entry) return;
    const changed = { ...entry, ...change };
    storeText(changed);
    setEntries(entries().map((other) => (other === entry ? changed : other)));
  }

  /** Takes an entry that is not stored any more out of the list. */
  function drop(entry: Entry): void {
    texts.delete(entry.clientKey);
    onRemove(entry);
    setEntries(entries().filter((other) => other !== entry));
  }

  /** Ends the attempt to send an entry, so that its queue can go on. */
  function stop({ clientKey }: Entry, queue: string): void {
    const run = running.get(queue);
    if (run?.clientKey !== clientKey) return;
    run.controller.abort();
    running.delete(queue);
  }

  function remove(clientKey: string): void {
    const entry = find(clientKey);
    if (!entry) return;
    storeEntry(name, clientKey, null);
    drop(entry);
  }

  /** Shows what is stored of the account now, and goes on with what another tab or an earlier load left. */
  function readStored(): void {
    if (account !== outboxAccount()) {
      account = outboxAccount();
      for (const { controller } of running.values()) controller.abort();
      running.clear();
      texts.clear();
      setEntries([]);
    }
    const stored = storedEntries(name);
    const gone = entries().filter(({ clientKey }) => !stored.has(clientKey));
    for (const entry of gone) {
      stop(entry, queueOf(entry));
      drop(entry);
    }
    const changed = [...stored].flatMap(([clientKey, text]) => {
      if (texts.get(clientKey) === text) return [];
      const entry = parseEntry<Entry>(text);
      if (!entry) return [];
      texts.set(clientKey, text);
      return { entry, known: find(clientKey) };
    });
    const restored = changed.map(({ entry, known }) => restore(entry, known));
    const keys = new Set(restored.map(({ clientKey }) => clientKey));
    const others = entries().filter(({ clientKey }) => !keys.has(clientKey));
    if (restored.length > 0) setEntries([...others, ...restored].toSorted(byTime));
    for (const [index, entry] of restored.entries()) if (!changed[index]?.known) onRestore(entry);
    for (const queue of new Set([...gone, ...restored].map(queueOf))) void runQueue(queue);
  }

  /** Sends the entries of one queue, in one tab at a time; ends at one that failed. */
  async function runQueue(queue: string): Promise<void> {
    if (running.has(queue)) return;
    const run: Run = { clientKey: '', attempt: 0, controller: new AbortController() };
    running.set(queue, run);
    try {
      while (running.get(queue) === run) {
        const delayMs = await exclusively(`outbox:${account}:${name}:${queue}`, () => sendFirst(queue, run));
        // Meanwhile another tab may try.
        if (typeof delayMs === 'number') await retryTime(delayMs, run.controller.signal);
      }
    } finally {
      if (running.get(queue) === run) running.delete(queue);
    }
  }

  /** Sends the first entry of a queue. Returns after how many milliseconds to try again, null to go on with the next. */
  async function sendFirst(queue: string, run: Run): Promise<number | null> {
    readStored();
    if (running.get(queue) !== run) return null;
    const entry = firstOf(queue);
    if (entry === undefined || entry.state === 'failed' || isOtherSignedIn()) {
      // At once: what is written from now on starts the queue again.
      running.delete(queue);
      return null;
    }
    run.attempt = entry.clientKey === run.clientKey ? run.attempt + 1 : 0;
    run.clientKey = entry.clientKey;
    run.controller = new AbortController();
    return deliver(entry, queue, run);
  }

  /** Sends an entry. Returns after how many milliseconds to try again, null when it is done, discarded or failed. */
  async function deliver(entry: Entry, queue: string, { attempt, controller }: Run): Promise<number | null> {
    const { clientKey } = entry;
    const { signal } = controller;
    const setState = (state: Unsent['state'], failure: Notice | null = null) =>
      update(clientKey, { state, failure } as Partial<Entry>);
    if (attempt === 0 && entry.state !== 'retrying') setState('sending');
    try {
      await send(entry, signal);
      remove(clientKey);
      return null;
    } catch (error) {
      // Discarded meanwhile.
      if (signal.aborted || isAbort(error)) return null;
      if (isProblem(error, 'general_unauthorized_scope')) {
        // It is sent when the same member has signed in again.
        setState('waiting');
        running.delete(queue);
        reportSessionEnd();
        return null;
      }
      const delayMs = repeats ? retryDelayMs(error, attempt) : null;
      if (delayMs === null) refuse(clientKey, error);
      else if (!isTooFast(error)) setState('retrying');
      return delayMs;
    }
  }

  function refuse(clientKey: string, error: unknown): void {
    const entry = find(clientKey);
    if (!entry || !onRefuse) {
      update(clientKey, { state: 'failed', failure: failureNotice(error) } as Partial<Entry>);
      return;
    }
    remove(clientKey);
    onRefuse(entry, error);
  }

  onStoredEntries(readStored);
  // Once the caller has this outbox: sending uses it.
  queueMicrotask(readStored);

  return {
    store,
    update,
    find,
    isOffline,
    /** Shows an entry at once, and sends it after the earlier ones of its queue. Returns its key. */
    add(written: Written<Entry>): string {
      const clientKey = crypto.randomUUID();
      // Entries are ordered by their time.
      const last = entries().at(-1);
      const time = Math.max(Date.now(), last ? Date.parse(last.createdAt) + 1 : 0);
      const createdAt = new Date(time).toISOString();
      // Both parts are an entry.
      const entry = { ...written, clientKey, state: 'waiting', failure: null, createdAt } as unknown as Entry;
      storeText(entry);
      setEntries([...entries(), entry]);
      void runQueue(queueOf(entry));
      return clientKey;
    },
    /** Sends an entry that failed again, with the same key. */
    sendAgain(clientKey: string): void {
      update(clientKey, { state: 'waiting', failure: null } as Partial<Entry>);
      const entry = find(clientKey);
      if (entry) void runQueue(queueOf(entry));
    },
    /** Gives up an entry that is not stored yet, and lets the later ones of its queue go. */
    discard(clientKey: string): void {
      const entry = find(clientKey);
      if (!entry) return;
      const queue = queueOf(entry);
      stop(entry, queue);
      remove(clientKey);
      void runQueue(queue);
    },
  };
}

const byTime = (a: Unsent, b: Unsent) =>
  Number(a.createdAt > b.createdAt) - Number(a.createdAt < b.createdAt);

/** The entry of a stored text; null where it is none. One that is not of its key is dropped as not stored. */
function parseEntry<Entry extends Unsent>(text: string): Entry | null {
  try {
    // Written by `storeText` of this version or an earlier one.
    return JSON.parse(text) as Entry | null;
  } catch {
    return null;
  }
}

/** Does the work while no other tab works under the same name; where the browser has no locks, at once. */
async function exclusively<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return work();
  let isBegun = false;
  try {
    return await locks.request(lock, () => {
      isBegun = true;
      return work();
    });
  } catch (error) {
    if (isBegun) throw error;
    // Locks can be forbidden, with storage.
    return work();
  }
}

/** How long an answer may take until an entry is sent again, with the same key. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Makes a call that fails as one without a network when its answer takes too long. */
export async function answerInTime<Result>(
  signal: AbortSignal,
  makeCall: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    return await makeCall(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw new OfflineError(error);
    throw error;
  }
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
