import {
  type ComponentType,
  type JSX,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react';

/** Milliseconds that belong to the first sight of a page alone, unless the person acts before. */
const FIRST_SIGHT_MS = 6000;
const firstActs = ['pointerdown', 'keydown'] as const;

/** Runs once in an idle moment, after the first sight or the person's first act. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  let handle = 0;
  const begin = () => {
    stop();
    if (typeof requestIdleCallback === 'undefined') work();
    else handle = requestIdleCallback(work);
  };
  const timer = setTimeout(begin, FIRST_SIGHT_MS);
  for (const act of firstActs) addEventListener(act, begin);
  const stop = () => {
    clearTimeout(timer);
    for (const act of firstActs) removeEventListener(act, begin);
  };
  return () => {
    stop();
    if (handle !== 0) cancelIdleCallback(handle);
  };
}

interface LazyModule<Props> {
  /** The component itself once it was preloaded, which `React.lazy` would show a moment after its fallback. */
  current: () => ComponentType<Props> | LazyExoticComponent<ComponentType<Props>>;
  /** Fetches the code; fails without a network. */
  preload: () => Promise<unknown>;
}

/** A component that no first sight needs, by the module whose default export it is. Show it with `LazyComponent`. */
export function lazyModule<Props>(load: () => Promise<{ default: ComponentType<Props> }>): LazyModule<Props> {
  let loaded: ComponentType<Props> | undefined;
  const lazyComponent = lazyPart(load);
  return {
    current: () => loaded ?? lazyComponent,
    preload: async () => {
      loaded = (await load()).default;
    },
  };
}

interface LazyComponentProps<Props> {
  module: LazyModule<Props>;
  /** The component is rendered from the first time that this is true. */
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
  const { preload } = module;
  const [wasWanted, setWasWanted] = useState(isWanted);
  if (isWanted && !wasWanted) setWasWanted(true);
  useEffect(() => whenIdle(() => void preload().catch(() => undefined)), [preload]);
  if (!wasWanted) return fallback;
  return (
    <Suspense fallback={fallback}>
      <CurrentComponent module={module} props={props} />
    </Suspense>
  );
}

type CurrentComponentProps<Props> = Pick<LazyComponentProps<Props>, 'module' | 'props'>;

function CurrentComponent<Props>({ module, props }: CurrentComponentProps<Props>) {
  // Chosen once: another component would lose its state.
  const [Component] = useState(module.current);
  return <Component {...props} />;
}

/** Milliseconds until a part that could not be loaded is fetched again. */
const RETRY_MS = 2000;

async function loadAgain<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await load();
    } catch {
      // No network or no server: what is around the part works without it.
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}

/** `React.lazy` for a component that its screen does not need at first: a chunk that cannot be loaded is loaded
 * again, where `React.lazy` would fail permanently together with the screen. Needs a `<Suspense>` around it.
 */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => loadAgain(load));
}
