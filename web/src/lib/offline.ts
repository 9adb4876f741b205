import { create } from 'zustand';

/** Whether what is on screen may be what was here before, because the last call had no answer of the server. */
export const useOffline = create<{ isOffline: boolean }>(() => ({ isOffline: false }));

/** What a proxy answers for a server that is not there. */
export const isProxyStatus = (status: number): boolean => status === 502 || status === 503 || status === 504;

/** Notes that the server answered, or that it did not. */
export function noteAnswer(hasAnswered: boolean): void {
  if (useOffline.getState().isOffline === hasAnswered) useOffline.setState({ isOffline: !hasAnswered });
}
