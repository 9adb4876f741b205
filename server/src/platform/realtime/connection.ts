import type { WebSocket } from 'ws';
import type { Viewer } from '../http/viewer.ts';
import { newId } from '../ids.ts';

/** Bytes that may wait for a slow reader, or while its session is looked up, before its socket is cut off. */
const queueLimit = 1024 * 1024;
/** Subscriptions of one socket, and their channels together. */
const mostSubscriptions = 100;
const mostChannels = 200;

/** The record of an event, as its subscribers see it. */
export type Payload = Readonly<Record<string, unknown>>;

export interface Subscription {
  id: string;
  channels: readonly string[];
  /** Which payloads of its channels it wants; without, all. */
  accepts?: (payload: Payload) => boolean;
}

interface Held {
  frame: Buffer;
  mayRead: (viewer: Viewer) => boolean;
}

const everyone = () => true;

/** One socket: its viewer and its channels. */
export class Connection {
  readonly id = newId();
  viewer: Viewer | null = null;
  /** The session secret it came with, to look again when the session may have ended. */
  secret: string | null = null;
  /** Its SDK reads `$sequence` as a number: the oldest generation of the wire. */
  numericSequence = false;
  /** Whether it answered since the last protocol ping. */
  alive = true;
  readonly socket: WebSocket;
  /** The client's address. */
  readonly ip: string;
  readonly #subscriptions = new Map<string, Subscription>();
  #held: Held[] | null = null;
  #heldBytes = 0;
  readonly #byChannel = new Map<string, string[]>();
  #hasFilters = false;

  constructor(socket: WebSocket, ip: string) {
    this.socket = socket;
    this.ip = ip;
  }

  /**
   * Sets subscriptions, in place of those with the same ids. False, and nothing is set, when the socket would have too
   * many.
   */
  subscribe(subscriptions: Iterable<Subscription>): boolean {
    const changed = new Map<string, Subscription>();
    for (const one of subscriptions) changed.set(one.id, { ...one, channels: [...new Set(one.channels)] });
    const all = new Map([...this.#subscriptions, ...changed]);
    const count = [...all.values()].reduce((sum, { channels }) => sum + channels.length, 0);
    if (all.size > mostSubscriptions || count > mostChannels) return false;
    for (const [id, subscription] of changed) this.#subscriptions.set(id, subscription);
    this.#index();
    return true;
  }

  /** Ends subscriptions; returns for each whether there was one. */
  unsubscribe(ids: readonly string[]): boolean[] {
    const known = ids.map((id) => this.#subscriptions.delete(id));
    if (known.includes(true)) this.#index();
    return known;
  }

  /** Ids of the subscriptions to any of the channels; undefined when there are none. */
  listeningTo(channels: readonly string[]): readonly string[] | undefined {
    let matches: readonly string[] | undefined;
    for (const channel of channels) {
      const ids = this.#byChannel.get(channel);
      if (ids === undefined || ids === matches) continue;
      matches = matches === undefined ? ids : [...new Set([...matches, ...ids])];
    }
    return matches;
  }

  /** Those of the subscriptions that want a payload. */
  accepting(ids: readonly string[], payload: Payload): readonly string[] {
    if (!this.#hasFilters) return ids;
    return ids.filter((id) => this.#subscriptions.get(id)?.accepts?.(payload) ?? true);
  }

  /** Holds frames back while the session is checked. */
  hold(): void {
    if (this.#held) return;
    this.#held = [];
    this.#heldBytes = 0;
  }

  /** Drops the frames held back: they were meant for the previous viewer. */
  forget(): void {
    this.#held = null;
  }

  /** Sends those of the frames held back that the viewer may still read. */
  resume(): void {
    const held = this.#held;
    this.#held = null;
    if (!held || !this.viewer) return;
    for (const { frame, mayRead } of held) if (mayRead(this.viewer)) this.send(frame);
  }

  /**
   * Sends one text frame; a reader with too many waiting bytes is cut off, and fetches what it missed when it
   * reconnects.
   */
  send(frame: Buffer, mayRead: Held['mayRead'] = everyone): void {
    const { socket } = this;
    if (socket.readyState !== socket.OPEN) return;
    if (this.#held) {
      this.#held.push({ frame, mayRead });
      this.#heldBytes += frame.length;
      if (this.#heldBytes <= queueLimit) return;
    } else if (socket.bufferedAmount <= queueLimit) {
      socket.send(frame, asText);
      return;
    }
    this.forget();
    socket.terminate();
  }

  /** Once per message, whatever it holds: as many steps as the socket has channels. */
  #index(): void {
    this.#byChannel.clear();
    this.#hasFilters = false;
    for (const [id, { channels, accepts }] of this.#subscriptions) {
      this.#hasFilters ||= accepts !== undefined;
      for (const channel of channels) {
        const ids = this.#byChannel.get(channel);
        if (ids === undefined) this.#byChannel.set(channel, [id]);
        else ids.push(id);
      }
    }
  }
}

const asText = { binary: false };
