import { type ComponentType, createElement, use } from 'react';
import { ScreenUnavailableError } from './failure.ts';

/** Loads a chunk once; after a failure the next call loads it again. @throws ScreenUnavailableError */
function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw new ScreenUnavailableError(error);
    });
    return loading;
  };
}

/**
 * A component of a route whose code is a chunk of its own. It stands in for the router's `lazyRouteComponent`
 * (vite.config.ts swaps them), which reloads the window when the chunk is missing: without a network or with the server
 * restarting that ends in the browser's error page. Here `preload` rejects, and the router shows the error screen.
 */
export function lazyRouteComponent<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType & { preload: () => Promise<void> | undefined } {
  let screen: ComponentType | undefined;
  const loadModule = loadOnce(load);
  const preload = (): Promise<void> | undefined => {
    if (screen) return undefined;
    return loadModule().then((module) => {
      screen = module[name];
    });
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once per route, as React.lazy is
  function LazyScreen(props: object) {
    return createElement(screen ?? use(loadModule())[name], props);
  }
  return Object.assign(LazyScreen, { preload });
}

/** A loader whose code is in the chunk of its screen: stands in for the router's `lazyFn`. */
export function lazyFn<Name extends string, Args extends unknown[], Result>(
  load: () => Promise<Record<Name, (...args: Args) => Result | Promise<Result>>>,
  name: Name,
): (...args: Args) => Promise<Result> {
  const loadModule = loadOnce(load);
  return async (...args) => (await loadModule())[name](...args);
}
