import { useEffect, useEffectEvent } from 'react';
import { type Listener, type RealtimeEvent, RealtimeSocket } from './realtime-socket.ts';

export type { RealtimeEvent } from './realtime-socket.ts';

let socket: RealtimeSocket | undefined;

/** The one socket of this tab. */
function sharedSocket(): RealtimeSocket {
  if (!socket) {
    const created = new RealtimeSocket({
      url: () => `${location.origin.replace(/^http/, 'ws')}/v1/realtime`,
    });
    addEventListener('online', () => created.reconnectNow());
    socket = created;
  }
  return socket;
}

/** Listens outside of React; ends when the returned function is called. */
export function listen(listener: Listener): () => void {
  return sharedSocket().listen(listener);
}

/**
 * Follows channels (of `channel` in contract/realtime) while the component is there.
 * `onCatchUp` runs once subscribed and after every gap: realtime is a hint, so ask for what is newer than you have.
 * An empty list of channels listens to nothing.
 */
export function useRealtime(
  channels: readonly string[],
  onEvent: (event: RealtimeEvent) => void,
  onCatchUp?: () => void,
): void {
  const handleEvent = useEffectEvent(onEvent);
  const handleCatchUp = useEffectEvent(() => onCatchUp?.());
  const joinedChannels = channels.join(' ');
  useEffect(() => {
    if (joinedChannels === '') return;
    return listen({
      channels: joinedChannels.split(' '),
      onEvent: (event) => handleEvent(event),
      onCatchUp: () => handleCatchUp(),
    });
  }, [joinedChannels]);
}
