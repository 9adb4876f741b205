import type { WebSocket } from 'ws';
import type { Viewer } from '../http/viewer.ts';
import { newId } from '../ids.ts';
import type { Share } from './shares.ts';

/** Bytes that may wait for a slow reader, or while its session is looked up, before its socket is cut off. */
const queueLimit = 1024 * 1024;
/** Subscriptions of one socket, and their channels together. */
export const mostSubscriptions = 100;
export const mostChannels = 200;

/** The record of an event, as its subscribers see it. */
export type Payload = Readonly<Record<string, unknown>>;

/** Which payloads a subscription wants. */
export interface Filter {
  /** The same for filters that accept the same payloads. */
  key: string;
  /** Conditions and values: a payload is compared with each at most once. */
  values: number;
  /** Characters that are kept of it. */
  textLength: number;
  accepts(payload: Payload): boolean;
}

export interface Subscription {
  id: string;
  channels: readonly string[];
  /** Without one it wants all payloads of its channels. */
  filter?: Filter;
}

/** What the subscriptions of a socket take. */
export interface SubscriptionsSize {
  values: number;
  textLength: number;
}

function sizeOf(subscriptions: Iterable<Subscription>): SubscriptionsSize {
  const size = { values: 0, textLength: 0 };
  for (const { channels, filter } of subscriptions) {
    size.values += filter?.values ?? 0;
    size.textLength += filter?.textLength ?? 0;
    for (const channel of channels) size.textLength += channel.length;
  }
  return size;
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
  /** Addresses of pictures in its events carry file tokens. */
  hasFileTokens = false;
  /** Whether it answered since the last protocol ping. */
  alive = true;
  readonly socket: WebSocket;
  /** The client's address. */
  readonly ip: string;
  /** The shares that count what it takes: of its account, its address and its network. */
  shares: readonly Share[] = [];
  readonly #subscriptions = new Map<string, Subscription>();
  #held: Held[] | null = null;
  #heldBytes = 0;
  readonly #byChannel = new Map<string, string[]>();
  /** The first parts of its channels. */
  readonly #roots = new Set<string>();
  #hasFilters = false;

  constructor(socket: WebSocket, ip: string) {
    this.socket = socket;
    this.ip = ip;
  }

  /** What its subscriptions take. */
  get size(): SubscriptionsSize {
    return sizeOf(this.#subscriptions.values());
  }

  /**
   * Sets subscriptions, in place of those with the same ids. Nothing is set when the socket would have too many, or
   * `mayHold` refuses what all of them take.
   */
  subscribe(
    subscriptions: Iterable<Subscription>,
    mayHold: (size: SubscriptionsSize) => boolean = () => true,
  ): 'done' | 'socket_full' | 'share_full' {
    const changed = new Map<string, Subscription>();
    for (const one of subscriptions) changed.set(one.id, { ...one, channels: [...new Set(one.channels)] });
    const all = new Map([...this.#subscriptions, ...changed]);
    const count = [...all.values()].reduce((sum, { channels }) => sum + channels.length, 0);
    if (all.size > mostSubscriptions || count > mostChannels) return 'socket_full';
    if (!mayHold(sizeOf(all.values()))) return 'share_full';
    for (const [id, subscription] of changed) this.#subscriptions.set(id, subscription);
    this.#index();
    return 'done';
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

  /** Whether it listens to a channel whose first part is one of `roots`. */
  listensBelow(roots: readonly string[]): boolean {
    return roots.some((root) => this.#roots.has(root));
  }

  /** Those of the subscriptions whose filter, where they have one, `accepts`. */
  accepting(ids: readonly string[], accepts: (filter: Filter) => boolean): readonly string[] {
    if (!this.#hasFilters) return ids;
    return ids.filter((id) => {
      const filter = this.#subscriptions.get(id)?.filter;
      return filter === undefined || accepts(filter);
    });
  }

  /** With how much an event of one of its channels is compared for a subscription. */
  comparisons(id: string): number {
    return 1 + (this.#subscriptions.get(id)?.filter?.values ?? 0);
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
    this.#roots.clear();
    this.#hasFilters = false;
    for (const [id, { channels, filter }] of this.#subscriptions) {
      this.#hasFilters ||= filter !== undefined;
      for (const channel of channels) {
        this.#roots.add(channel.split('.', 1)[0] ?? '');
        const ids = this.#byChannel.get(channel);
        if (ids === undefined) this.#byChannel.set(channel, [id]);
        else ids.push(id);
      }
    }
  }
}

const asText = { binary: false };
