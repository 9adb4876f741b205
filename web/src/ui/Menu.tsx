import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, cloneElement, type KeyboardEvent, type ReactElement, useState } from 'react';
import { usePart } from './use-part.ts';

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  onSelect: () => void;
  tone?: 'danger';
  /** Why it cannot be chosen now. */
  disabledReason?: string | null | false;
}

export interface MenuProps {
  /** A Button or IconButton without a click of its own. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** `null` draws a line. */
  items: (MenuItem | null)[];
  label?: string;
}

const load = () => import('./MenuPanel.tsx').then(({ MenuPanel }) => MenuPanel);

/** A list of things to do behind one button. The list is fetched apart from the page that offers it. */
export function Menu(props: MenuProps) {
  const [asked, setAsked] = useState(false);
  const Panel = usePart(load, asked);
  if (Panel) return <Panel {...props} />;
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setAsked(true),
    onKeyDown: (event: KeyboardEvent) => event.key === 'ArrowDown' && setAsked(true),
  });
}
