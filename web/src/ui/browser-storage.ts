/** Where the account is noted that was the last one signed in here. */
export const lastAccountKey = 'tara-account';

/** What this browser remembers of a choice; null when it is not set. */
export function storedItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage can be forbidden; then a choice holds until the next load.
    return null;
  }
}

/** Remembers a choice in this browser, or forgets it: null. */
export function storeItem(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // As above.
  }
}
