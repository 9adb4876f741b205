import { type ComponentType, type JSX, type ReactNode, Suspense, useEffect, useState } from 'react';
import { lazyPart } from './lazy-part.ts';

/** Milliseconds after which a page counts as idle where the browser cannot say. */
const IDLE_MS = 2000;

/** Runs once the page has nothing better to do; Safari cannot say when, so it waits a moment. Answers its undoing. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, IDLE_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work);
  return () => cancelIdleCallback(handle);
}

interface LazyModule<Props> {
  Component: ComponentType<Props>;
  /** Fetches the code; fails without a network. */
  preload: () => Promise<unknown>;
}

/** A component that no first sight needs, by the module whose default export it is. Show it with `LazyComponent`. */
export function lazyModule<Props>(load: () => Promise<{ default: ComponentType<Props> }>): LazyModule<Props> {
  return { Component: lazyPart(load), preload: load };
}

interface LazyComponentProps<Props> {
  module: LazyModule<Props>;
  /** The component is there from the first time that this is true. */
  isWanted: boolean;
  props: Props & JSX.IntrinsicAttributes;
  /** Shown until then. */
  fallback?: ReactNode;
}

/** Its code is fetched in an idle moment before it is wanted, so that it opens at once and also without a network. */
export function LazyComponent<Props>({
  module,
  isWanted,
  props,
  fallback = null,
}: LazyComponentProps<Props>) {
  const { Component, preload } = module;
  const [wasWanted, setWasWanted] = useState(isWanted);
  if (isWanted && !wasWanted) setWasWanted(true);
  useEffect(() => whenIdle(() => void preload().catch(() => undefined)), [preload]);
  if (!wasWanted) return fallback;
  return (
    <Suspense fallback={fallback}>
      <Component {...props} />
    </Suspense>
  );
}
