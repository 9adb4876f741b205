import { create } from 'zustand';
import { lastAccountKey, storedItem, storeItem } from '../ui/browser-storage.ts';

/**
 * What is written and not stored by the server yet, in the storage of the browser, so that a closed tab loses none and
 * all tabs show the same: one item for each entry, named by account, outbox and entry. The first load has this file;
 * the outboxes themselves come with their screens.
 */
const prefix = 'outbox:';

/** Whose entries are shown and sent; null while nobody is signed in. */
let account: string | null = null;

/** Entries that the browser could not store: they live as long as this tab. */
const unstored = new Map<string, string>();

/** What each outbox of this tab does when its stored entries changed. */
const listeners = new Set<() => void>();

const notify = () => {
  for (const listener of listeners) listener();
};

const keyOf = (name: string, clientKey = '') => `${prefix}${account ?? ''}:${name}:${clientKey}`;

function allKeys(): string[] {
  let stored: string[] = [];
  try {
    stored = Object.keys(localStorage);
  } catch {
    // Storage is forbidden: nothing is stored.
  }
  return [...new Set([...stored, ...unstored.keys()])].filter((key) => key.startsWith(prefix));
}

const read = (key: string) => unstored.get(key) ?? storedItem(key);

/** The account whose entries are shown and sent. */
export const outboxAccount = () => account;

/** Whether another account signed in meanwhile, in another tab: requests of this one would be made in its name. */
export function isOtherSignedIn(): boolean {
  const last = storedItem(lastAccountKey);
  return account !== null && last !== null && last !== account;
}

/** Shows and sends the entries of an account; null shows none, and leaves what is stored for its next session. */
export function openOutboxes(accountId: string | null): void {
  if (accountId === account) return;
  account = accountId;
  notify();
}

/** Forgets what every account wrote here: it was signed out, or another one signed in. */
export function forgetOutboxes(): void {
  for (const key of allKeys()) {
    unstored.delete(key);
    storeItem(key, null);
  }
  // While the account is still open: what is gone is removed with all that belongs to it.
  notify();
  openOutboxes(null);
}

/** The names of the outboxes that have entries of the account. */
export function storedOutboxes(): Set<string> {
  const start = `${prefix}${account}:`;
  const own = allKeys().filter((key) => key.startsWith(start));
  return new Set(own.map((key) => key.slice(start.length).split(':')[0] ?? ''));
}

/** The stored texts of an outbox, by the keys of their entries. */
export function storedEntries(name: string): Map<string, string> {
  const start = keyOf(name);
  const own = allKeys().filter((key) => key.startsWith(start));
  return new Map(own.map((key) => [key.slice(start.length), read(key) ?? '']));
}

/** Whether an entry is still stored: another tab may have sent or discarded it. */
export const isStored = (name: string, clientKey: string) => read(keyOf(name, clientKey)) !== null;

/** Stores the text of an entry, or removes it: null. Where storage is forbidden or full, this tab remembers it. */
export function storeEntry(name: string, clientKey: string, text: string | null): void {
  const key = keyOf(name, clientKey);
  unstored.delete(key);
  storeItem(key, account === null ? null : text);
  if (text !== null && storedItem(key) !== text) unstored.set(key, text);
}

/** Calls the listener when the account or, here or in another tab, stored entries changed. */
export function onStoredEntries(listener: () => void): void {
  listeners.add(listener);
  addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(prefix)) listener();
  });
}

/** How many entries of each outbox wait for the network. */
const useWaitingCounts = create<Record<string, number>>(() => ({}));

export const setWaiting = (name: string, count: number) => {
  if ((useWaitingCounts.getState()[name] ?? 0) !== count) useWaitingCounts.setState({ [name]: count });
};

/** How many likes, messages and other entries of all outboxes wait until the server can be reached. */
export const useWaiting = () =>
  useWaitingCounts((counts) => Object.values(counts).reduce((total, count) => total + count, 0));
