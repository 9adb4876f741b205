import { timer } from '@tara/contract/limits';
import { useEffect, useState } from 'react';

/** The text once the person paused typing (§9); an empty one at once. */
export function useSearchAfterPause(text: string): string {
  const [search, setSearch] = useState('');
  const wanted = text.trim();
  useEffect(() => {
    const pause = setTimeout(() => setSearch(wanted), wanted === '' ? 0 : timer.searchDebounceMs);
    return () => clearTimeout(pause);
  }, [wanted]);
  return search;
}
