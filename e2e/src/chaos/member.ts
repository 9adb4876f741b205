import { reconnectDelayMs } from '@tara/contract/limits';
import { ChatEvent, Message, messages } from '@tara/contract/messages/messages';
import { channel } from '@tara/contract/wire/realtime';
import type { Random } from '@tara/proof/random';
import { WebSocket } from 'ws';
import type { Person } from '../steps.ts';
import { type OpenChat, readAfter } from './chats.ts';

/** What happens to requests on their way. */
export interface Network {
  /** Share of requests, from 0 to 1, of which the request or the reply is lost. */
  loss: number;
  random: Random;
}

class Lost extends Error {}

/** ms until a lost or failed request is sent again. */
const retryMs = 20;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** What the server acknowledged to a member. */
export interface Acknowledged {
  clientKey: string;
  id: string;
  sequence: number;
  /** When the reply came, ms since the epoch. */
  at: number;
}

/** A time without a socket, ms since the epoch. */
export interface Absence {
  from: number;
  /** Infinity while it lasts. */
  until: number;
  /** How long the device waited in it before it connected again, by §9. */
  delayMs: number;
}

/**
 * One member with a chat open on one device, who behaves as the web does: one outgoing queue that keeps the typed order,
 * the same key for every attempt, a realtime socket, and requests for what was missed.
 */
export class ChaosMember {
  readonly person: Person;
  readonly #chat: OpenChat;
  readonly #network: Network;
  readonly #url: string;
  #socket: WebSocket | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #stopped = false;
  #reconnects = false;
  /** Tries to connect since the last socket that was accepted. */
  #tries = 0;
  /** Texts in the order in which they were typed, by their keys. */
  readonly typed: string[] = [];
  readonly acknowledged: Acknowledged[] = [];
  /** Sequences of own messages whose unsending was acknowledged. */
  readonly unsent = new Set<number>();
  /** Messages received on this device, by sequence. */
  readonly received = new Map<number, Message>();
  /** When each of them arrived first, ms since the epoch. */
  readonly receivedAt = new Map<number, number>();
  /** When this device had no socket, since `stayConnected`. */
  readonly absences: Absence[] = [];
  /** Every read mark that this member received, in order: own ones, and the other's. */
  readonly marks = { own: [] as number[], other: [] as number[] };
  /** Where this run of the chat begins. */
  readonly base: number;

  constructor(url: string, chat: OpenChat, person: Person, network: Network, base: number) {
    this.#url = url;
    this.#chat = chat;
    this.person = person;
    this.#network = network;
    this.base = base;
  }

  /** Shows a text as typed, and sends it after those before it. */
  send(text: string): void {
    const clientKey = crypto.randomUUID();
    this.typed.push(clientKey);
    this.#enqueue(async () => {
      const { id, sequence } = await this.#insist(() => this.#chat.send(this.person, text, clientKey));
      this.acknowledged.push({ clientKey, id, sequence, at: Date.now() });
    });
  }

  /** Takes back one of the messages that were acknowledged, if there is any. */
  unsend(choice: number): void {
    this.#enqueue(async () => {
      const message = this.acknowledged[Math.floor(choice * this.acknowledged.length)];
      if (!message) return;
      const body = { chatId: this.#chat.id, messageId: message.id };
      await this.#insist(() => this.person.client.call(messages.unsend, { body }));
      this.unsent.add(message.sequence);
    });
  }

  /** Marks as read what this device has without a gap. */
  read(): void {
    const read = this.contiguous();
    this.#enqueue(async () => {
      const body = { chatId: this.#chat.id, read };
      this.marks.own.push((await this.#insist(() => this.person.client.call(messages.mark, { body }))).read);
    });
  }

  /** The newest sequence before the first gap. */
  contiguous(): number {
    let last = this.base;
    while (this.received.has(last + 1)) last++;
    return last;
  }

  connect(): void {
    if (this.#socket || this.#stopped) return;
    const collection = this.#chat.kind === 'receipt' ? 'conversationReceipts' : 'conversations';
    const query = `project=tara&channels[]=${channel.document(collection, this.#chat.id)}`;
    const headers = { cookie: this.person.client.cookie };
    const socket = new WebSocket(`${this.#url.replace('http', 'ws')}/v1/realtime?${query}`, { headers });
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(String(data)));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (this.#reconnects && !this.#stopped) this.#reconnect();
    });
  }

  /** Connects, and again after each cut, as the web does. */
  stayConnected(): void {
    this.#reconnects = true;
    this.connect();
  }

  #reconnect(): void {
    const delayMs = reconnectDelayMs(this.#tries++);
    const absence = this.absences.at(-1);
    if (absence?.until === Number.POSITIVE_INFINITY) absence.delayMs += delayMs;
    else this.absences.push({ from: Date.now(), until: Number.POSITIVE_INFINITY, delayMs });
    setTimeout(() => this.connect(), delayMs);
  }

  #noteConnected(): void {
    this.#tries = 0;
    const absence = this.absences.at(-1);
    if (absence?.until === Number.POSITIVE_INFINITY) absence.until = Date.now();
    this.#insist(() => this.#catchUp()).catch(() => undefined);
  }

  /** Cuts the connection, as a tunnel does. */
  disconnect(): void {
    this.#socket?.terminate();
    this.#socket = null;
  }

  /** Waits until everything typed is stored and everything stored is received. */
  async settle(): Promise<void> {
    await this.#queue;
    await this.#insist(() => this.#catchUp());
  }

  close(): void {
    this.#stopped = true;
    this.disconnect();
  }

  #receive(frame: string): void {
    const { type, data } = JSON.parse(frame) as { type: string; data: { payload?: unknown } };
    if (type === 'connected') this.#noteConnected();
    if (type !== 'event') return;
    const message = Message.safeParse(data.payload);
    if (message.success) {
      this.#add(message.data);
      if (this.contiguous() < message.data.sequence)
        this.#insist(() => this.#catchUp()).catch(() => undefined);
      return;
    }
    const event = ChatEvent.safeParse(data.payload);
    if (event.success && event.data.mark) this.marks.other.push(event.data.mark.read);
  }

  #add(message: Message): void {
    if (!this.received.has(message.sequence)) this.receivedAt.set(message.sequence, Date.now());
    // An unsent message never reappears.
    if (this.received.get(message.sequence)?.unsent) return;
    this.received.set(message.sequence, message);
  }

  async #catchUp(): Promise<void> {
    for (const message of await readAfter(this.person, this.#chat.id, this.contiguous())) this.#add(message);
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work);
  }

  /** Repeats a request until it is answered. */
  async #insist<Reply>(request: () => Promise<Reply>): Promise<Reply> {
    for (;;) {
      try {
        return await this.#lossy(request);
      } catch (error) {
        if (this.#stopped || !isNetworkFailure(error)) throw error;
        await pause(retryMs);
      }
    }
  }

  async #lossy<Reply>(request: () => Promise<Reply>): Promise<Reply> {
    const { loss, random } = this.#network;
    const chance = random.next();
    if (chance < loss / 2) throw new Lost('The request was lost.');
    const reply = await request();
    if (chance < loss) throw new Lost('The reply was lost.');
    return reply;
  }
}

/** Refusals end a run; lost requests, and those to a server that is away, are sent again. */
const isNetworkFailure = (error: unknown) =>
  error instanceof Lost ||
  error instanceof TypeError ||
  (error instanceof Error && 'status' in error && Number(error.status) >= 500);
