import { createStore } from './store.ts';

export type Theme = 'system' | 'light' | 'dark';

// The same key stands in public/theme.js, which applies it before the first paint.
const KEY = 'tara-theme';

function stored(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

export const theme = createStore<Theme>(stored());

/** Chooses light, dark or the system's wish, for this browser. */
export function chooseTheme(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    if (next === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage can be forbidden; then the choice holds until the next load.
  }
  theme.set(next);
}
