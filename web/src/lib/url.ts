import { searchLength } from '@tara/contract/limits';
import { storeItem } from '../ui/browser-storage.ts';

/** Search params stay strings: a secret of digits must not become a number. */
export function parseSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

export function stringifySearch(values: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const query = search.toString();
  return query === '' ? '' : `?${query}`;
}

/** `validateSearch` of a route: its known params, each a string or absent; all others are dropped.
 * Not a zod schema, because routes are in the first load and zod is not.
 */
export function textParams<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [N in Name]?: string } => {
    const params: { [N in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' && value !== '') params[name] = value;
    }
    return params;
  };
}

/** `validateSearch` of a screen with a search box: its text, cut to what can be searched for. */
export function searchParam(params: Record<string, unknown>): { search?: string } {
  const { search } = textParams('search')(params);
  return search === undefined ? {} : { search: search.slice(0, searchLength) };
}

/** `validateSearch` of Explore: its text, the kind that is shown, and the filter of plans. */
export const exploreParams = (params: Record<string, unknown>) => ({
  ...searchParam(params),
  ...textParams('show', 'place', 'min', 'max', 'day')(params),
});

/** Where a guest wanted to go, kept through signing in, signing up and the mailed link on the same device. */

const storageKey = 'destination';
/** Milliseconds that a destination is remembered: the mailed link may be opened later. */
const LIFETIME_MS = 24 * 3_600_000;
/** Milliseconds that a taken destination stays for the other tab. */
const TAKEN_LIFETIME_MS = 60_000;

/** Screens that lead on themselves. */
const waypoints =
  /^\/(sign-in|sign-up|verification-message|confirming|welcome|recovery|reset-password|second-factor)?(\?|#|\/|$)/;

/**
 * A path of this site that a person may be sent to, undefined for anything else: an address of another site in any
 * spelling that a browser accepts, and screens that would lead on to here again.
 */
export function safeDestination(value: string | undefined): string | undefined {
  // A browser reads `\` as `/` and drops control characters.
  if (value === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(value)) return undefined;
  const url = new URL(value, location.origin);
  // Of `/.//other.example` only `//other.example` is left.
  if (url.origin !== location.origin || url.pathname.startsWith('//') || waypoints.test(url.pathname))
    return undefined;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The search params of a link to /sign-in or /sign-up that lead on to a path afterwards. */
export function destinationSearch(value: string | undefined): { redirect?: string } {
  const redirect = safeDestination(value);
  return redirect === undefined ? {} : { redirect };
}

function store(path: string, lifetimeMs: number): void {
  localStorage.setItem(storageKey, JSON.stringify({ path, until: Date.now() + lifetimeMs }));
}

/** Remembers a destination on this device, until it is taken. */
export function rememberDestination(value: string | undefined): void {
  const path = safeDestination(value);
  if (path === undefined) return;
  try {
    store(path, LIFETIME_MS);
  } catch {
    // Storage can be forbidden; then the way leads home.
  }
}

interface Remembered {
  path: string;
  /** ms since 1970. */
  until: number;
}

/** The destination that is remembered, null for none that can be gone to. */
function readRemembered(): Remembered | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('path' in stored) || !('until' in stored))
      return null;
    const { path, until } = stored;
    if (typeof until !== 'number' || until <= Date.now() || typeof path !== 'string') return null;
    const destination = safeDestination(path);
    return destination === undefined ? null : { path: destination, until };
  } catch {
    // Forbidden, or written by something else.
    return null;
  }
}

/** Forgets the destination, when a member signs out. */
export const forgetDestination = () => storeItem(storageKey, null);

/** The remembered destination, or `/`; it stays remembered. */
export const rememberedDestination = (): string => readRemembered()?.path ?? '/';

/** The remembered destination, or `/`. It is forgotten after a minute: the mailed link and the waiting tab both go on. */
export function takeDestination(): string {
  const remembered = readRemembered();
  try {
    if (remembered === null) localStorage.removeItem(storageKey);
    else store(remembered.path, Math.min(remembered.until - Date.now(), TAKEN_LIFETIME_MS));
  } catch {
    // Storage can be forbidden; then the way leads home.
  }
  return remembered?.path ?? '/';
}
