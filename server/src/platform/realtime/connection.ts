import type { WebSocket } from 'ws';
import type { Viewer } from '../http/viewer.ts';

/** Bytes that may wait for a slow reader before its socket is closed. */
const queueLimit = 1024 * 1024;
/** Subscriptions of one socket, and channels of one subscription. */
const mostSubscriptions = 100;
const mostChannels = 100;

interface Held {
  frame: Buffer;
  mayRead: (viewer: Viewer) => boolean;
}

const everyone = () => true;

/** One socket: who listens, and to which channels. */
export class Connection {
  viewer: Viewer | null = null;
  /** The session secret it came with, to look again when the session may have ended. */
  secret: string | null = null;
  /** Whether it answered since the last protocol ping. */
  alive = true;
  readonly socket: WebSocket;
  readonly #channels = new Map<string, readonly string[]>();
  #held: Held[] | null = null;
  readonly #byChannel = new Map<string, readonly string[]>();

  constructor(socket: WebSocket) {
    this.socket = socket;
  }

  /** Sets the channels of a subscription, in place of those it had. False when there are too many. */
  subscribe(id: string, channels: readonly string[]): boolean {
    if (channels.length > mostChannels) return false;
    if (!this.#channels.has(id) && this.#channels.size >= mostSubscriptions) return false;
    this.#channels.set(id, [...new Set(channels)]);
    this.#index();
    return true;
  }

  /** False when there was no such subscription. */
  unsubscribe(id: string): boolean {
    const known = this.#channels.delete(id);
    if (known) this.#index();
    return known;
  }

  /** Ids of the subscriptions to any of the channels; undefined when there are none. */
  listeningTo(channels: readonly string[]): readonly string[] | undefined {
    let found: readonly string[] | undefined;
    for (const channel of channels) {
      const ids = this.#byChannel.get(channel);
      if (ids === undefined || ids === found) continue;
      found = found === undefined ? ids : [...new Set([...found, ...ids])];
    }
    return found;
  }

  /** Keeps frames back while it is asked whether the session still holds. */
  hold(): void {
    this.#held ??= [];
  }

  /** Drops what was kept back: it was for who listened before. */
  forget(): void {
    this.#held = null;
  }

  /** Goes on: of what was kept back, what the listener may still read is sent. */
  resume(): void {
    const held = this.#held;
    this.#held = null;
    if (!held || !this.viewer) return;
    for (const { frame, mayRead } of held) if (mayRead(this.viewer)) this.send(frame);
  }

  /** Sends one text frame; a reader that lets too much wait is cut off, and comes back for what it missed. */
  send(frame: Buffer, mayRead: Held['mayRead'] = everyone): void {
    if (this.#held) {
      this.#held.push({ frame, mayRead });
      return;
    }
    const { socket } = this;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > queueLimit) {
      socket.terminate();
      return;
    }
    socket.send(frame, asText);
  }

  #index(): void {
    this.#byChannel.clear();
    for (const [id, channels] of this.#channels) {
      for (const channel of channels) {
        this.#byChannel.set(channel, [...(this.#byChannel.get(channel) ?? []), id]);
      }
    }
  }
}

const asText = { binary: false };
