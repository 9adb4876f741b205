import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import { type Listener, type RealtimeEvent, RealtimeSocket } from './realtime-socket.ts';

export type { RealtimeEvent } from './realtime-socket.ts';

const useLost = create(() => ({ isLost: false }));

/** Whether the tab's socket tries in vain to reach the server. */
export const useRealtimeLost = () => useLost(({ isLost }) => isLost);

let socket: RealtimeSocket | undefined;

/** The one socket of this tab. */
function sharedSocket(): RealtimeSocket {
  if (!socket) {
    const created = new RealtimeSocket({
      url: () => `${location.origin.replace(/^http/, 'ws')}/v1/realtime`,
      onLost: (isLost) => useLost.setState({ isLost }),
    });
    addEventListener('online', () => created.reconnectNow());
    socket = created;
  }
  return socket;
}

/** Listens outside of React, until the returned function is called. */
export function listen(listener: Listener): () => void {
  return sharedSocket().listen(listener);
}

/** Sends a message on the tab's socket, or not at all while there is no connection. */
export function sendRealtime(type: string, data: unknown): void {
  socket?.send(type, data);
}

/** Subscribes to channels (of `channel` in contract/realtime) while the component is mounted.
 * `onCatchUp` runs once subscribed and after each reconnect: events can be missed, so fetch newer data there.
 * An empty list of channels subscribes to nothing.
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
