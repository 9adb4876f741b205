import { clsx } from 'clsx';
import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';
import { useId } from 'react';
import { create } from 'zustand';
import { storeItem } from './browser-storage.ts';
import { Icon } from './Icon.tsx';

interface SegmentedProps<T extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: string; icon?: LucideIcon }[];
  /** Icons alone; their labels become tooltips and names. */
  iconsOnly?: boolean;
  className?: string;
}

/** A switch between a few views or values, e.g. Posts and Reviews. Arrow keys move, as in any radio group. */
export function Segmented<T extends string>({
  label,
  value,
  onChange,
  options,
  iconsOnly,
  className,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={clsx('inline-flex max-w-full flex-wrap rounded-control bg-sunken p-1', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          title={iconsOnly ? option.label : undefined}
          className={clsx(
            'flex flex-1 items-center justify-center gap-2 rounded-[7px] font-semibold whitespace-nowrap transition-colors has-focus-visible:outline-2 has-focus-visible:outline-lagoon',
            iconsOnly ? 'size-9 coarse:size-11' : 'min-h-9 px-4 text-sm coarse:min-h-11',
            option.value === value
              ? 'bg-thumb text-ink shadow-[0_0_0_1px_var(--color-line)]'
              : 'text-ink-soft hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.icon && <Icon of={option.icon} size={18} />}
          {iconsOnly ? <span className="sr-only">{option.label}</span> : option.label}
        </label>
      ))}
    </fieldset>
  );
}

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

// The same key is in public/before-paint.js, which applies it before the first paint.
const KEY = 'tara-theme';

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

const PAPER = { light: '#fcfaf6', dark: '#0c0d12' };

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
  storeItem(KEY, next === 'system' ? null : next);
  useTheme.setState({ theme: next });
}
