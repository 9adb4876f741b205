import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * Back closes what is open over a screen: dialogs, drawers, menus and pictures share one entry of the history, which the
 * router does not see. The entry has the address and the state of its screen, and this mark.
 */
const MARK = 'isOverlay';

interface EntryState {
  [MARK]?: boolean;
  /** The router's number of an entry. */
  __TSR_index?: number;
}

const entryState = (): EntryState => history.state ?? {};

/** How many entries of the history one goes back to leave a screen: one more while something is open over it. */
export const stepsToLeave = () => (entryState()[MARK] ? 2 : 1);

/** What is open, the last on top, by what closes it. */
const open: Array<() => void> = [];

let routerIndex: (() => number) | null = null;
/** Our entry is being taken off the history, which the browser does later. */
let isReturning = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Adds our entry when something is open, and takes it off when nothing is. */
function updateEntry(): void {
  if (routerIndex === null || isReturning) return;
  const state = entryState();
  // While the router asks whether a page may be left, the browser is at another entry already.
  if (state.__TSR_index !== routerIndex()) return;
  if (open.length > 0 && !state[MARK]) history.pushState({ ...state, [MARK]: true }, '');
  if (open.length === 0 && state[MARK]) {
    isReturning = true;
    history.back();
  }
}

/** Later, because one overlay often closes as another opens, or as the screen is left. */
function scheduleUpdate(): void {
  clearTimeout(timer);
  timer = setTimeout(updateEntry);
}

function handlePop(event: PopStateEvent): void {
  const state = entryState();
  const isSamePage = state.__TSR_index === routerIndex?.();
  if (isReturning) {
    // Of a page that was left meanwhile: the router handles it.
    isReturning = false;
    if (isSamePage) event.stopImmediatePropagation();
    scheduleUpdate();
  } else if (state[MARK]) {
    // An entry of what was closed: by Forward, or left behind by a page that came too soon.
    event.stopImmediatePropagation();
    isReturning = true;
    history.back();
  } else if (isSamePage && open.length > 0) {
    event.stopImmediatePropagation();
    open.at(-1)?.();
    // What is still open gets an entry again.
    scheduleUpdate();
  }
}

/**
 * Makes Back close overlays from now on. Called once, before the router takes over the history.
 * @param currentIndex the router's number of the entry that it shows.
 */
export function closeOverlaysOnBack(currentIndex: () => number): void {
  routerIndex = currentIndex;
  addEventListener('popstate', handlePop);
  const { pushState } = history;
  // A page that an overlay leads to takes the place of our entry.
  history.pushState = (state, unused, url) => {
    const isLeaving = entryState()[MARK] && !(state as EntryState)[MARK];
    (isLeaving ? History.prototype.replaceState : pushState).call(history, state, unused, url);
  };
  // A reload closed what was open.
  if (entryState()[MARK]) scheduleUpdate();
}

/** Lets Back close this while it is open, wherever the open state is. */
export function useBackToClose(isOpen: boolean, close: () => void): void {
  const handleBack = useEffectEvent(close);
  // Before it is painted: Back can be pressed as soon as it is seen.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const entry = () => handleBack();
    open.push(entry);
    updateEntry();
    scheduleUpdate();
    return () => {
      open.splice(open.indexOf(entry), 1);
      scheduleUpdate();
    };
  }, [isOpen]);
}
