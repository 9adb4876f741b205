import { type ComponentType, lazy } from 'react';

/** Milliseconds until a part that could not be loaded is asked for again. */
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

/**
 * `React.lazy` for a part that its screen can do without until it is there: a chunk that cannot be loaded is asked for
 * again, where `React.lazy` would fail for good and take the screen with it. Stands in a `<Suspense>`.
 */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => loadAgain(load));
