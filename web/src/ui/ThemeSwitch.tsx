import { Monitor, Moon, Sun } from 'lucide-react';
import { create } from 'zustand';
import { Segmented } from './Segmented.tsx';

const OPTIONS = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const;

/** System, light or dark. */
export function ThemeSwitch({ className }: { className?: string }) {
  return (
    <Segmented
      label="Theme"
      iconsOnly
      value={useTheme().theme}
      onChange={chooseTheme}
      options={OPTIONS}
      className={className}
    />
  );
}

type Theme = 'system' | 'light' | 'dark';

// The same key stands in public/theme.js, which applies it before the first paint.
const KEY = 'tara-theme';

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

const PAPER = { light: '#fcfaf6', dark: '#0b0c10' };

/** Sets the colour of the browser's bars, which otherwise follow the system by media query. */
function setThemeColor(next: Theme): void {
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    bar.content = PAPER[next === 'system' ? (bar.media.includes('dark') ? 'dark' : 'light') : next];
  }
}

export const useTheme = create<{ theme: Theme }>(() => ({ theme: currentTheme() }));

/** Chooses light, dark or the system's theme, for this browser. */
export function chooseTheme(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  setThemeColor(next);
  try {
    if (next === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage can be forbidden; then the choice holds until the next load.
  }
  useTheme.setState({ theme: next });
}
