import { Monitor, Moon, Sun } from 'lucide-react';
import { Segmented } from './Segmented.tsx';
import { chooseTheme, useTheme } from './theme.ts';

const OPTIONS = [
  { value: 'system', label: 'Like the system', icon: Monitor },
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
