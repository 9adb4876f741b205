import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How near to the end counts as reading the newest, in pixels. */
const NEAR = 80;

/**
 * Keeps a list that is laid out from the bottom where its reader is when a message is added below: at the end it
 * follows, further up it stays and `unseen` says that something came. One's own message always leads to the end.
 */
export function useStayInPlace(newest: string | undefined, ownNewest: boolean) {
  const scroller = useRef<HTMLElement>(null);
  const [unseen, setUnseen] = useState(false);
  const seen = useRef({ newest, height: 0 });
  const toNewest = () => {
    if (scroller.current) scroller.current.scrollTop = 0;
    setUnseen(false);
  };
  // In a column laid out from the bottom 0 is the end, and further up is negative.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const { height } = seen.current;
    if (seen.current.newest !== newest) {
      if (ownNewest) element.scrollTop = 0;
      else if (element.scrollTop < -NEAR) {
        element.scrollTop -= element.scrollHeight - height;
        setUnseen(true);
      }
    }
    seen.current = { newest, height: element.scrollHeight };
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const scrolled = () => element.scrollTop > -NEAR && setUnseen(false);
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => element.removeEventListener('scroll', scrolled);
  }, []);
  return { scroller, unseen, toNewest };
}
