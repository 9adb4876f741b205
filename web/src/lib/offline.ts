import type { QueryKey } from '@tanstack/react-query';
import { create } from 'zustand';

interface Offline {
  /** Whether the last call had no answer of the server: what is on screen may be what was here before. */
  isOffline: boolean;
  /** The queries whose data is what was here before. */
  restored: readonly QueryKey[];
}

export const useOffline = create<Offline>(() => ({ isOffline: false, restored: [] }));

/** Notes that the server answered, or that it did not. */
export function noteAnswer(hasAnswered: boolean): void {
  if (useOffline.getState().isOffline === hasAnswered) useOffline.setState({ isOffline: !hasAnswered });
}

/** Notes that a query has its data of last time. */
export function noteRestored(key: QueryKey): void {
  useOffline.setState(({ restored }) => ({ restored: [...restored, key] }));
}
