import { type ComponentType, useEffect, useState } from 'react';

/** Milliseconds until a part that could not be fetched is asked for again. */
const RETRY = 2000;

/** Runs once the page has nothing better to do; Safari cannot say when, so it waits a moment. Answers its undoing. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, RETRY);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work);
  return () => cancelIdleCallback(handle);
}

/**
 * A component that no first sight needs, null until it is there. It is fetched when it is `wanted`, and before that
 * in an idle moment, so that it opens at once and also without a network. `load` must stay the same function.
 */
export function usePart<Props>(
  load: () => Promise<ComponentType<Props>>,
  wanted: boolean,
): ComponentType<Props> | null {
  const [part, setPart] = useState<ComponentType<Props> | null>(null);
  // The browser fetches a module once: this only warms its cache, and failing is no harm yet.
  useEffect(() => whenIdle(() => void load().catch(() => undefined)), [load]);
  useEffect(() => {
    if (!wanted || part) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let given = true;
    const fetchPart = () => {
      load().then(
        (loaded) => given && setPart(() => loaded),
        (error: unknown) => {
          console.error(error);
          if (given) timer = setTimeout(fetchPart, RETRY);
        },
      );
    };
    fetchPart();
    return () => {
      given = false;
      clearTimeout(timer);
    };
  }, [load, wanted, part]);
  return part;
}
