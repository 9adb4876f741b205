import { ArrowUpDown } from 'lucide-react';
import { useEffect } from 'react';
import { IconButton } from '../ui/Button.tsx';
import { announce } from '../ui/feedback.ts';
import { Icon } from '../ui/Icon.tsx';
import { swapNavigation, useNavigationMode } from './navigation.ts';

/** Elements that use ArrowUp themselves: text fields and widgets with arrow-key navigation. */
const ARROW_KEY_USERS =
  'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=tablist], [role=radiogroup], [role=slider], [role=dialog]';

function swap(): void {
  swapNavigation();
  announce(useNavigationMode.getState().mode === 'admin' ? 'Admin navigation' : 'Main navigation');
}

/** For admins: a floating button, or ArrowUp while not typing, swaps the navigation (§2). */
export function AdminSwap() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowUp' || event.defaultPrevented || event.repeat) return;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest(ARROW_KEY_USERS)) return;
      swap();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <div className="fixed right-4 bottom-[calc(16px+env(safe-area-inset-bottom)+var(--bottom-bar,0px)+var(--composer,0px))] z-40">
      <IconButton
        label="Swap the navigation (ArrowUp)"
        variant="filled"
        onClick={swap}
        className="shadow-lift"
      >
        <Icon of={ArrowUpDown} />
      </IconButton>
    </div>
  );
}
