import { useEffect } from 'react';
import { create } from 'zustand';
import { LazyComponent, lazyModule } from '../../ui/lazy-component.tsx';
import { createSwitch } from '../../ui/stored-switch.ts';

/** Whether `/` opens the search: who speaks to the browser, or strikes keys by accident, can switch it off. */
export const searchKey = createSwitch('tara-search-key');

interface SearchState {
  isOpen: boolean;
  /** What was typed while the code of the dialog was on its way. */
  typed: string;
}

const useSearch = create<SearchState>(() => ({ isOpen: false, typed: '' }));

/** Opens the search of people, plans and posts over the screen. */
export const openSearch = () => useSearch.setState({ isOpen: true });
const closeSearch = () => useSearch.setState({ isOpen: false, typed: '' });

/** Where a `/` is written, or goes to what is open over the screen. */
const KEY_USERS = 'input, textarea, select, [contenteditable]:not([contenteditable=false])';
const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu]';

const panel = lazyModule(() => import('./SearchDialog.tsx'));

/** The search of every screen, which `/` opens; once in the layout. */
export function SearchHost() {
  const { isOpen, typed } = useSearch();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.length > 1 || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (event.target instanceof Element && event.target.closest(KEY_USERS)) return;
      if (document.querySelector(OVERLAYS)) return;
      const { isOpen, typed } = useSearch.getState();
      if (isOpen) useSearch.setState({ typed: typed + event.key });
      else if (event.key === '/' && !event.repeat && searchKey.isOn()) openSearch();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      closeSearch();
    };
  }, []);
  return (
    <LazyComponent module={panel} isWanted={isOpen} props={{ open: isOpen, onClose: closeSearch, typed }} />
  );
}
