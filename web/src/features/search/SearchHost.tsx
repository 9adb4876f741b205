import { useEffect } from 'react';
import { create } from 'zustand';
import { LazyComponent, lazyModule } from '../../ui/lazy-component.tsx';
import { createSwitch } from '../../ui/stored-switch.ts';

/** Whether `/` opens the search: who speaks to the browser, or strikes keys by accident, can switch it off. */
export const searchKey = createSwitch('tara-search-key');

const useSearch = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

/** Opens the search of people, plans and posts over the screen. */
export const openSearch = () => useSearch.setState({ isOpen: true });
const closeSearch = () => useSearch.setState({ isOpen: false });

/** Where a `/` is written, or goes to what is open over the screen. */
const KEY_USERS = 'input, textarea, select, [contenteditable]:not([contenteditable=false])';
const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu]';

const panel = lazyModule(() => import('./SearchDialog.tsx'));

/** The search of every screen, which `/` opens; once in the layout. */
export function SearchHost() {
  const { isOpen } = useSearch();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || !searchKey.isOn() || event.defaultPrevented || event.repeat) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(KEY_USERS)) return;
      if (document.querySelector(OVERLAYS)) return;
      event.preventDefault();
      openSearch();
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      closeSearch();
    };
  }, []);
  return <LazyComponent module={panel} isWanted={isOpen} props={{ open: isOpen, onClose: closeSearch }} />;
}
