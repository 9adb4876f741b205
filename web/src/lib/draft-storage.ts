import { storedItem, storeItem } from '../ui/browser-storage.ts';

/** Texts of this tab alone. A forbidden or full storage means no draft, never an error. */
export function readDraft(key: string): string | null {
  try {
    return sessionStorage.getItem(`draft:${key}`);
  } catch {
    return null;
  }
}

export function writeDraft(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(`draft:${key}`);
    else sessionStorage.setItem(`draft:${key}`, text);
  } catch {
    // Storage is forbidden or full: the form works without a draft.
  }
}

/** Days after which what is stored on this device is forgotten. */
const DEVICE_DAYS = 30;
const devicePrefix = 'draft-of-device:';

/** A draft by its name: in this tab, or with an account on this device, where other tabs and later days find it. */
interface DraftName {
  key: string;
  account?: string | undefined;
}

interface StoredDraft {
  /** ms since 1970, after which it is forgotten. */
  until: number;
  values: Record<string, unknown>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function parseObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? { ...value } : {};
  } catch {
    // Invalid JSON, or written by an older version.
    return {};
  }
}

function parseStored(text: string | null): StoredDraft | null {
  const { until, values } = parseObject(text);
  return typeof until === 'number' && until > Date.now() && isObject(values) ? { until, values } : null;
}

const deviceKey = (account: string, key: string) => `${devicePrefix}${account}:${key}`;

/** Forgets the drafts of this device: those that are too old, or all. */
export function clearDeviceDrafts(which: 'old' | 'all'): void {
  try {
    for (const name of Object.keys(localStorage)) {
      if (!name.startsWith(devicePrefix)) continue;
      if (which === 'all' || parseStored(localStorage.getItem(name)) === null) localStorage.removeItem(name);
    }
  } catch {
    // Storage is forbidden: nothing is stored.
  }
}

/** The stored values of a form's fields; none where nothing readable is stored. */
export function readDraftValues({ key, account }: DraftName): Record<string, unknown> {
  if (account === undefined) return parseObject(readDraft(key));
  return parseStored(storedItem(deviceKey(account, key)))?.values ?? {};
}

/** Stores the values of a form's fields. */
export function writeDraftValues({ key, account }: DraftName, values: Record<string, unknown>): void {
  if (account === undefined) {
    writeDraft(key, JSON.stringify(values));
    return;
  }
  clearDeviceDrafts('old');
  const stored: StoredDraft = { until: Date.now() + DEVICE_DAYS * 86_400_000, values };
  storeItem(deviceKey(account, key), JSON.stringify(stored));
}

/** Forgets what is stored under a name. */
export function clearDraft({ key, account }: DraftName): void {
  if (account === undefined) writeDraft(key, null);
  else storeItem(deviceKey(account, key), null);
}
