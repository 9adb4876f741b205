import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Maximum distance from the end that counts as reading the newest message. */
const NEAR_END_PX = 80;
/** From this distance on a button leads to the newest message. */
const FAR_PX = 400;

type Distance = 'end' | 'near' | 'far';

/**
 * Keeps the scroll position when a message is added at the bottom: at the end the list follows; further up it stays and
 * `unseen` is set. The viewer's own message always scrolls to the end.
 */
export function useScrollAnchor(newest: string | undefined, ownNewest: boolean) {
  const scroller = useRef<HTMLElement>(null);
  const [unseen, setUnseen] = useState(false);
  const [distance, setDistance] = useState<Distance>('end');
  const seen = useRef({ newest, height: 0 });
  const measure = useCallback(() => {
    // In column-reverse, scrollTop is 0 at the end and negative further up.
    const distancePx = -(scroller.current?.scrollTop ?? 0);
    if (distancePx < NEAR_END_PX) setUnseen(false);
    setDistance(distancePx < NEAR_END_PX ? 'end' : distancePx < FAR_PX ? 'near' : 'far');
  }, []);
  const toNewest = () => {
    if (scroller.current) scroller.current.scrollTop = 0;
    measure();
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const { height } = seen.current;
    if (seen.current.newest !== newest) {
      if (ownNewest) element.scrollTop = 0;
      else if (element.scrollTop < -NEAR_END_PX) {
        element.scrollTop -= element.scrollHeight - height;
        setUnseen(true);
      }
    }
    seen.current = { newest, height: element.scrollHeight };
  });
  useEffect(() => {
    const element = scroller.current;
    element?.addEventListener('scroll', measure, { passive: true });
    return () => element?.removeEventListener('scroll', measure);
  }, [measure]);
  return { scroller, unseen, isAtEnd: distance === 'end', isFar: distance === 'far', toNewest };
}
