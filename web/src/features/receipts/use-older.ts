import { useEffect, useRef, useState } from 'react';
import { fetchOlder } from './receipt-query.ts';

/** Fetches older messages when the top of the list comes near. */
export function useOlder(id: string, hasOlder: boolean) {
  const sentinel = useRef<HTMLDivElement>(null);
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState(false);
  const load = async () => {
    setPending(true);
    setFailed(false);
    try {
      await fetchOlder(id);
    } catch {
      // Said in the list, with a way to try again.
      setFailed(true);
    }
    setPending(false);
  };
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  const watching = hasOlder && !pending && !failed;
  useEffect(() => {
    const element = sentinel.current;
    if (!watching || !element) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void latest.current(), {
      root: element.closest('section'),
      rootMargin: '400px 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [watching]);
  return { sentinel, pending, failed, load: () => void load() };
}
