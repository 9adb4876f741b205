import { reconnectDelayMs } from '@tara/contract/limits';
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';

const useLost = create(() => ({ isLost: false }));

/** Whether the tab's socket fails to reach the server. */
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

/** A realtime event (§7): its names, and the document as the subscriber may see it. */
export interface RealtimeEvent {
  events: string[];
  channels: string[];
  timestamp: string;
  payload: Record<string, unknown>;
}

export interface Listener {
  channels: readonly string[];
  onEvent: (event: RealtimeEvent) => void;
  /** Called once subscribed and after each reconnect: fetch what may have been missed. */
  onCatchUp?: () => void;
}

interface Options {
  url: () => string;
  /** Milliseconds between pings (20 s on the wire). */
  pingIntervalMs?: number;
  delayMs?: (attempt: number) => number;
  /** Milliseconds before an unused socket is closed, so that it survives a change of screens. */
  lingerMs?: number;
  /** Called when the server cannot be reached, once a second try has failed, and when it can again. */
  onLost?: (isLost: boolean) => void;
}

const POLICY_VIOLATION = 1008;

/** A client for the backend service's realtime protocol: one socket, subscriptions by message. */
export class RealtimeSocket {
  readonly #listeners = new Map<string, Listener>();
  readonly #options: Required<Options>;
  #socket: WebSocket | undefined;
  /** `connected` was received on the current socket: the server accepts no subscriptions before that. */
  #ready = false;
  #refused = false;
  #attempt = 0;
  #lastId = 0;
  #unsent = new Set<string>();
  /** Subscriptions that the server confirmed on the current socket. */
  readonly #agreed = new Set<string>();
  #alive = true;
  #ping: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #leave: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    const defaults = { pingIntervalMs: 20_000, delayMs: reconnectDelayMs, lingerMs: 5_000, onLost: () => {} };
    this.#options = { ...defaults, ...options };
  }

  /** Listens until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#lastId += 1;
    const id = String(this.#lastId);
    this.#listeners.set(id, listener);
    clearTimeout(this.#leave);
    if (this.#ready) this.#sendSoon(id);
    else if (!this.#socket && this.#retry === undefined && !this.#refused) this.#open();
    return () => this.#forget(id);
  }

  /** Reconnects at once instead of after the delay, e.g. when the network is back. */
  reconnectNow(): void {
    if (this.#retry === undefined) return;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#open();
  }

  /** Sends a message that may be lost: nothing is sent, and nothing stored, while there is no connection. */
  send(type: string, data: unknown): void {
    if (this.#ready) this.#send(type, data);
  }

  close(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#leave);
    this.#retry = undefined;
    this.#drop()?.close(1000);
  }

  #forget(id: string): void {
    this.#listeners.delete(id);
    this.#agreed.delete(id);
    if (!this.#unsent.delete(id) && this.#ready) this.#send('unsubscribe', [{ subscriptionId: id }]);
    if (this.#listeners.size === 0) this.#leave = setTimeout(() => this.close(), this.#options.lingerMs);
  }

  #open(): void {
    const socket = new WebSocket(this.#options.url());
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      if (socket === this.#socket && typeof data === 'string') this.#hear(data);
    });
    socket.addEventListener('close', ({ code }) => {
      if (socket === this.#socket) this.#lost(code);
    });
  }

  /** Detaches the current socket; its later events are ignored. */
  #drop(): WebSocket | undefined {
    const socket = this.#socket;
    clearInterval(this.#ping);
    this.#socket = undefined;
    this.#ready = false;
    this.#unsent.clear();
    this.#agreed.clear();
    return socket;
  }

  #lost(code: number): void {
    this.#drop();
    if (code === POLICY_VIOLATION) this.#refused = true;
    else if (this.#listeners.size > 0) {
      this.#retry = setTimeout(() => {
        this.#retry = undefined;
        this.#open();
      }, this.#options.delayMs(this.#attempt));
      this.#attempt += 1;
      if (this.#attempt > 1) this.#options.onLost(true);
    }
  }

  #send(type: string, data?: unknown): void {
    this.#socket?.send(JSON.stringify(data === undefined ? { type } : { type, data }));
  }

  /** Batches the subscriptions of one render into one message, because messages are rate-limited. */
  #sendSoon(id: string): void {
    if (this.#unsent.size === 0) queueMicrotask(() => this.#subscribe());
    this.#unsent.add(id);
  }

  #subscribe(): void {
    const data = [...this.#unsent].flatMap((id) => {
      const listener = this.#listeners.get(id);
      return listener ? [{ subscriptionId: id, channels: listener.channels, queries: [] }] : [];
    });
    this.#unsent.clear();
    if (this.#ready && data.length > 0) this.#send('subscribe', data);
  }

  #subscribeRest(): void {
    for (const id of this.#listeners.keys()) if (!this.#agreed.has(id)) this.#unsent.add(id);
    this.#subscribe();
  }

  #connected(): void {
    this.#ready = true;
    this.#attempt = 0;
    this.#options.onLost(false);
    this.#alive = true;
    this.#subscribeRest();
    this.#ping = setInterval(() => {
      // No message since the last ping: the connection is dead although it was not closed.
      if (!this.#alive) {
        const socket = this.#socket;
        this.#lost(1006);
        socket?.close();
        return;
      }
      this.#alive = false;
      this.#send('ping');
      // Messages are rate-limited: the server may have dropped a subscription that came too soon.
      this.#subscribeRest();
    }, this.#options.pingIntervalMs);
  }

  #hear(text: string): void {
    this.#alive = true;
    const { type, data } = parseMessage(text);
    if (type === 'connected') this.#connected();
    if (type === 'response' && data.to === 'subscribe') {
      for (const id of subscriptionIds(data.subscriptions)) {
        if (this.#listeners.has(id)) this.#agreed.add(id);
        this.#listeners.get(id)?.onCatchUp?.();
      }
    }
    if (type === 'event') this.#deliver(data);
  }

  #deliver(data: Record<string, unknown>): void {
    // The server and this client share the protocol: the frame's type says that it is an event.
    const event = data as unknown as RealtimeEvent;
    const targetIds = new Set(subscriptionIds(data.subscriptions));
    for (const [id, listener] of [...this.#listeners]) {
      if (targetIds.has(id)) listener.onEvent(event);
    }
  }
}

function parseMessage(text: string): { type: unknown; data: Record<string, unknown> } {
  try {
    const { type, data }: { type?: unknown; data?: unknown } = JSON.parse(text);
    return { type, data: typeof data === 'object' && data !== null ? { ...data } : {} };
  } catch {
    // A frame that is not JSON is ignored.
    return { type: undefined, data: {} };
  }
}

/** Subscription ids: strings in events, objects in the response to `subscribe`. */
function subscriptionIds(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.map((item: unknown) =>
    typeof item === 'object' && item !== null && 'subscriptionId' in item
      ? String(item.subscriptionId)
      : String(item),
  );
}
