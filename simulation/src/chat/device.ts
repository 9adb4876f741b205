import type { Call } from '@tara/contract/calls';
import { conversations } from '@tara/contract/messages/conversations';
import { ChatEvent, type ChatKind, Message, messages } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import { channel } from '@tara/contract/wire/realtime';
import type { Member } from '@tara/server/testing/features/members';
import type { Answered } from '@tara/server/testing/server';
import type { Product } from '../lives/product.ts';
import type { Machine, Mortal } from '../machine/machine.ts';
import type { Deed } from './script.ts';
import type { Writer } from './writers.ts';

/** A chat of two members. */
export interface OpenChat {
  id: string;
  kind: ChatKind;
  mixId: string;
  members: readonly [Member, Member];
}

/** A message as it was typed, and what became of it. */
export interface Typed {
  text: string;
  clientKey: string;
  stored: { id: string; sequence: number } | null;
}

/** A device's way to the product. */
export interface Network {
  readonly machine: Machine;
  /** Makes a call of a chat again and again until its answer arrives. */
  insist<C extends Call>(who: Member, call: C, parts: object, about: About): Promise<Answered<C>>;
  /** The product, once there is one that lives. */
  whenLiving(): Promise<Product>;
  /** Does something, and lets the life wait for it. */
  during(work: Promise<void>): void;
  /** A device was sent something, which may be on its way for long. */
  onSent(device: Device, shown: Message | ChatEvent): void;
}

/** What a call is about. */
export interface About {
  chatId: string | null;
  writer?: Writer;
  /** What it counts as when it was done. */
  deed?: Deed['do'];
}

/** What is used of the socket of the client. */
interface Socket {
  readonly readyState: number;
  readonly CONNECTING: number;
  send(text: string): void;
  terminate(): void;
  once(event: 'open', listener: () => void): unknown;
}

/** The socket of a device, until it is cut or its process dies. */
interface Line {
  life: { isDead: boolean };
  socket: Socket | null;
}

/**
 * One member with a chat open on one device, who behaves as the web does: one outgoing queue that keeps the typed order, the same
 * key for every attempt, a realtime socket, and requests for what was missed.
 */
export class Device {
  readonly member: Member;
  readonly chat: OpenChat;
  /** In the order in which they were typed. */
  readonly typed: Typed[] = [];
  /** What it shows, by sequence. */
  readonly received = new Map<number, Message>();
  /** Ids of own messages whose unsending was acknowledged. */
  readonly unsent = new Set<string>();
  /** The furthest mark that was acknowledged. */
  read = 0;
  /** Whether the last reading of the chat was answered: a chat that is hidden is not. */
  isReading = false;
  /** Whether it listens. */
  isConnected = false;
  readonly #network: Network;
  #line: Line | null = null;
  #queue: Promise<void> = Promise.resolve();

  constructor(network: Network, chat: OpenChat, member: Member) {
    this.#network = network;
    this.chat = chat;
    this.member = member;
  }

  get name(): string {
    return `${this.member.profileId} in ${this.chat.id}`;
  }

  get hasLine(): boolean {
    return this.#line !== null;
  }

  /** Shows a text as typed, and sends it after those before it. */
  send(text: string, clientKey: string, { isTwice }: { isTwice: boolean }): void {
    const typed: Typed = { text, clientKey, stored: null };
    this.typed.push(typed);
    this.#enqueue(async () => {
      const about = { writer: 'send', deed: 'send' } as const;
      const sendOnce = () =>
        this.chat.kind === 'receipt'
          ? this.#ask(receipts.sendMessage, { conversation: this.chat.id, message: text, clientKey }, about)
          : this.#ask(conversations.sendMessage, { convoId: this.chat.id, body: text, clientKey }, about);
      const answers = await Promise.all(isTwice ? [sendOnce(), sendOnce()] : [sendOnce()]);
      for (const answer of answers)
        if (answer.status === 200) typed.stored = { id: answer.reply.id, sequence: answer.reply.sequence };
    });
  }

  /** Takes back one of the messages that were acknowledged, if there is any. */
  unsend(choice: number): void {
    this.#enqueue(async () => {
      const stored = this.typed.flatMap((one) => one.stored ?? []);
      const message = stored[Math.floor(choice * stored.length)];
      if (!message) return;
      const body = { chatId: this.chat.id, messageId: message.id };
      const { status } = await this.#ask(messages.unsend, body, { writer: 'unsend', deed: 'unsend' });
      if (status === 200) this.unsent.add(message.id);
    });
  }

  /** Marks as read what this device has without a gap. */
  markRead(): void {
    this.#enqueue(async () => {
      const body = { chatId: this.chat.id, read: this.contiguous() };
      const answer = await this.#ask(messages.mark, body, { writer: 'mark', deed: 'read' });
      if (answer.status === 200) this.read = Math.max(this.read, answer.reply.read);
    });
  }

  /** The newest sequence before the first gap. */
  contiguous(): number {
    let last = 0;
    while (this.received.has(last + 1)) last++;
    return last;
  }

  /** Shows the other that this member types. */
  type(): void {
    const line = this.#line;
    const data = { status: 'typing', metadata: { chatId: this.chat.id } };
    if (line)
      this.#network.during(
        this.#network.machine
          .chosen(`${this.name}: typing is sent`)
          .then(
            () => void (line.life.isDead || line.socket?.send(JSON.stringify({ type: 'presence', data }))),
          ),
      );
  }

  connect(): void {
    if (this.#line) return;
    const line: Line = { life: { isDead: false }, socket: null };
    this.#line = line;
    this.#network.during(this.#open(line));
  }

  async #open(line: Line): Promise<void> {
    await this.#network.machine.chosen(`${this.name}: it connects`);
    const { server } = await this.#network.whenLiving();
    if (line.life.isDead) return;
    const collection = this.chat.kind === 'receipt' ? 'conversationReceipts' : 'conversations';
    const query = `project=tara&channels[]=${channel.document(collection, this.chat.id)}`;
    const headers = { host: 'tara.test', cookie: `a_session_tara=${this.member.secret}` };
    const frames: string[] = [];
    server.app
      .injectWS(
        `/v1/realtime?${query}`,
        { headers, socket: { remoteAddress: '127.0.0.1' } as never },
        {
          onInit: (socket) => {
            line.socket = socket;
            socket.on('error', () => {});
            socket.on('message', (data) => {
              if (line.life.isDead) return;
              const frame = String(data);
              this.#noteSent(frame);
              frames.push(frame);
              if (frames.length === 1) this.#offerFrame(line.life, frames);
            });
          },
        },
      )
      .catch((error: unknown) => this.#network.machine.note(`  ${this.name} is not connected: ${error}`));
  }

  /** Frames of a socket arrive one after the other. */
  #offerFrame(life: Mortal, frames: string[]): void {
    this.#network.machine.offer({
      ...{ name: `${this.name}: a frame arrives`, life },
      perform: () => {
        const frame = frames.shift();
        if (frame !== undefined) this.#receive(frame);
        if (frames.length > 0) this.#offerFrame(life, frames);
      },
    });
  }

  /** Cuts the connection, as a tunnel does: what was on its way is lost. */
  cut(): void {
    const line = this.#line;
    this.#line = null;
    this.isConnected = false;
    if (!line) return;
    line.life.isDead = true;
    this.#network.machine.dropDead();
    const { socket } = line;
    if (socket?.readyState === socket?.CONNECTING) socket?.once('open', () => socket.terminate());
    else socket?.terminate();
  }

  #noteSent(frame: string): void {
    const shown = shownBy(frame);
    if (shown) this.#network.onSent(this, shown);
  }

  #receive(frame: string): void {
    if ((JSON.parse(frame) as { type: string }).type === 'connected') {
      this.isConnected = true;
      // What was taken back meanwhile is seen only by reading all of it again.
      this.#catchUp(() => 0);
      return;
    }
    const shown = shownBy(frame);
    if (!shown) return;
    if ('sequence' in shown) {
      this.#add(shown);
      if (this.contiguous() < shown.sequence) this.#catchUp(() => this.contiguous());
    } else if (shown.changed) this.#catchUp(() => 0);
  }

  #add(message: Message): void {
    // An unsent message never reappears.
    if (!this.received.get(message.sequence)?.unsent) this.received.set(message.sequence, message);
  }

  /** Reads the messages after a sequence. */
  #catchUp(from: () => number): void {
    this.#network.during(
      (async () => {
        for (let after = from(), hasMore = true; hasMore; ) {
          const parts = { params: { chatId: this.chat.id }, query: { after, pages: 20 } };
          const answer = await this.#network.insist(this.member, messages.list, parts, {
            chatId: this.chat.id,
          });
          this.isReading = answer.status === 200;
          if (!this.isReading) return;
          for (const message of answer.reply.items) this.#add(message);
          after = answer.reply.items.at(-1)?.sequence ?? after;
          hasMore = answer.reply.hasMore;
        }
      })(),
    );
  }

  #ask<C extends Call>(call: C, body: object, about: Omit<About, 'chatId'>): Promise<Answered<C>> {
    return this.#network.insist(this.member, call, { body }, { chatId: this.chat.id, ...about });
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work);
    this.#network.during(this.#queue);
  }
}

/** The message or event of a chat that a frame shows; null for others. */
function shownBy(frame: string): Message | ChatEvent | null {
  const { type, data } = JSON.parse(frame) as { type: string; data?: { payload?: unknown } };
  if (type !== 'event') return null;
  const message = Message.safeParse(data?.payload);
  if (message.success) return message.data;
  const event = ChatEvent.safeParse(data?.payload);
  return event.success ? event.data : null;
}
