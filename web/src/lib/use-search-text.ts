import { useNavigate, useRouter } from '@tanstack/react-router';
import { tooLong } from '@tara/contract/fields';
import { searchLength, timer } from '@tara/contract/limits';
import { useEffect, useEffectEvent, useState } from 'react';

interface SearchText {
  /** What the search box shows. */
  text: string;
  setText: (text: string) => void;
  /** Why the text cannot be searched for. */
  problem: string | undefined;
  /** The pause in typing is not over. */
  isWaiting: boolean;
}

/** The text of the search box of a screen, written to its URL after a pause in typing (§9). */
export function useSearchText(to: '/all-users' | '/explore', search: string): SearchText {
  const navigate = useNavigate();
  const router = useRouter();
  const [typed, setTyped] = useState({ text: search, search });
  // A navigation, e.g. Back, replaces the typed text by the search of the new URL.
  const text = typed.search === search ? typed.text : search;
  const problem = text.trim().length > searchLength ? tooLong(searchLength) : undefined;
  const updateUrl = useEffectEvent(() => {
    const wanted = text.trim();
    // Do not navigate back if the person has already left the screen.
    if (wanted === search || problem !== undefined || router.latestLocation.pathname !== to) return;
    setTyped({ text, search: wanted });
    void navigate({
      to,
      // What else the address says of the screen stays.
      search: (before: object) => ({ ...before, search: wanted === '' ? undefined : wanted }),
      replace: true,
      resetScroll: false,
    });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text starts the wait again
  useEffect(() => {
    const timeout = setTimeout(() => updateUrl(), timer.searchDebounceMs);
    return () => clearTimeout(timeout);
  }, [text]);
  return {
    text,
    setText: (next) => setTyped({ text: next, search }),
    problem,
    isWaiting: problem === undefined && text.trim() !== search,
  };
}
