import type { Call } from '@tara/contract/calls';
import { counts } from '@tara/contract/counts';
import { blocks } from '@tara/contract/members/blocks';
import { conversations } from '@tara/contract/messages/conversations';
import { type ChatEvent, type Message, messages } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import { tasks } from '@tara/server/platform/tasks';
import type { Member } from '@tara/server/testing/features/members';
import type { TestPlatform } from '@tara/server/testing/platform';
import type { Answered, TestServer } from '@tara/server/testing/server';
import {
  type Finding as AnyFinding,
  Life as AnyLife,
  type LifeOptions,
  live as liveAny,
  type Outcome,
} from '../lives/life.ts';
import { ProcessDied, type Served } from '../lives/product.ts';
import type { Tamper } from '../lives/script.ts';
import { setTime } from '../lives/world.ts';
import { runFor } from '../machine/machine.ts';
import {
  type ChatInvariant,
  checkLists,
  checkQuiet,
  checkStored,
  countUnread,
  mayRead,
  readBlocks,
  readListed,
  type StoredChat,
} from './checks.ts';
import { type About, Device, type Network, type OpenChat } from './device.ts';
import type { Deed, networkFaults, Script, Side } from './script.ts';
import { serveChats } from './serve.ts';
import { requestIds, type World } from './world.ts';
import { pairOf, type Writer } from './writers.ts';

type Finding = AnyFinding<ChatInvariant>;

/** ms after which the lists are written of everything that happened. */
const settledMs = 2_000;

/** The pairs of people who begin conversations. */
const pairs = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** The life that a seed says, from its first chat until everything is over. */
export const live = (options: LifeOptions<World, Script>): Promise<Outcome> =>
  liveAny(options, (machine) => new Life(options, machine));

/** A call that is under way. */
interface Writing extends About {
  writer: Writer;
}

/** What was stored of the chats from a step on. */
interface State {
  step: number;
  chats: readonly StoredChat[];
}

class Life extends AnyLife<World, Script, ChatInvariant> implements Network {
  readonly chats: OpenChat[] = [];
  readonly #devices: Device[] = [];
  #server: TestServer | undefined;
  /** What was stored after each commit, oldest first. */
  #states: State[] = [{ step: 0, chats: [] }];
  /** What is lost next between devices and the product. */
  #losses: { what: (typeof networkFaults)[number]; times: number }[] = [];
  readonly #writing = new Set<Writing>();
  readonly #met: Finding[] = [];
  /** Calls of a member that are no device's are made one after the other. */
  readonly #queues = new Map<string, Promise<void>>();
  /** Who blocks whom for certain, by `blocker blocked`: it was answered, and nobody began to end it. */
  readonly #blocks = new Set<string>();
  /** Who hides read marks for certain. */
  readonly #hidden = new Set<string>();
  #texts = 0;

  protected override async serve(platform: TestPlatform): Promise<Served> {
    const served = await serveChats(platform);
    this.#server = served.server;
    return served;
  }

  protected override async enqueueRounds(): Promise<void> {
    const { database } = this.world;
    await tasks.notifyExpiring.enqueue(database, {});
    await tasks.removeUnsentMessages.enqueue(database, {});
  }

  protected override onCrash(): void {
    this.#writing.clear();
    for (const device of this.#devices) {
      if (!device.hasLine) continue;
      device.cut();
      device.connect();
    }
    // Pings are timers of the system.
    this.#server?.close().catch(() => {});
  }

  protected override isChecked(text: string): boolean {
    return isAboutChats.test(text);
  }

  protected override async checkStored(): Promise<Finding[]> {
    const { chats, findings } = await checkStored(this.world, this.#stored);
    this.#states.push({ step: this.machine.steps, chats });
    return findings;
  }

  get #stored(): readonly StoredChat[] {
    return this.#states.at(-1)?.chats ?? [];
  }

  protected override checkQuiet(): Promise<Finding[]> {
    return checkQuiet(this.world, { devices: this.#devices, chats: this.#stored });
  }

  protected override takeFindings(): Finding[] {
    return this.#met.splice(0);
  }

  during(work: Promise<void>): void {
    this.acting += 1;
    work
      .catch((error: unknown) => this.#met.push({ invariant: 'the people go on', text: String(error) }))
      .finally(() => {
        this.acting -= 1;
      });
  }

  async insist<C extends Call>(who: Member, call: C, parts: object, about: About): Promise<Answered<C>> {
    for (;;) {
      const answered = await this.#send(who, call, parts, about);
      if (!answered) continue;
      if (answered.status === 200 && about.deed) this.countDeed(about.deed);
      return answered;
    }
  }

  /** Makes a call once. @returns null when it, its answer or the process was lost */
  async #send<C extends Call>(
    who: Member,
    call: C,
    parts: object,
    { chatId, writer }: About,
  ): Promise<Answered<C> | null> {
    const { machine } = this;
    const action = call.path.split('/').at(-1) ?? '';
    const name = `${who.profileId}: ${action}`;
    await machine.chosen(`${name} is sent`);
    if (this.#isLost('request')) return null;
    const product = await this.whenLiving();
    const begunStep = machine.steps;
    const writing = writer && { chatId, writer };
    if (writing) this.#noteBegin(writing);
    try {
      const answered = await runFor(name, () => product.call(who, call, parts));
      const problem = answered.status === 200 ? null : answered.problem.type;
      machine.note(`  ${name}: ${problem ?? answered.status}`);
      this.#noteAnswer(`${who.profileId} ${action}`, {
        problem,
        status: answered.status,
        chatId,
        writer,
        begunStep,
      });
      const { status } = answered;
      await machine.chosen(`${who.profileId}: the answer ${status} to ${action} arrives`);
      return this.#isLost('answer') ? null : answered;
    } catch (error) {
      if (!(error instanceof ProcessDied)) throw error;
      machine.note(`  ${name}: no answer`);
      return null;
    } finally {
      if (writing) this.#writing.delete(writing);
    }
  }

  #isLost(what: (typeof networkFaults)[number]): boolean {
    const loss = this.#losses.find((one) => one.what === what && one.times > 0);
    if (!loss) return false;
    loss.times -= 1;
    this.machine.note(`  the ${what} is lost`);
    this.coverage.count('fault', what);
    return true;
  }

  #noteBegin(writing: Writing): void {
    for (const other of this.#writing)
      if (other.chatId === writing.chatId)
        this.coverage.count('at once', pairOf(writing.writer, other.writer));
    this.#writing.add(writing);
  }

  /** Whether an answer is what was stored of the chat, of whatever was stored while it was made. */
  #noteAnswer(
    name: string,
    answer: About & { problem: string | null; status: number; begunStep: number },
  ): void {
    const { problem, status, chatId, begunStep } = answer;
    if (answer.writer !== undefined) this.coverage.count('answer', `${answer.writer}: ${problem ?? status}`);
    if (status >= 500) this.#met.push({ invariant: 'no call fails inside', text: `${name}: ${problem}` });
    if (answer.writer !== 'send' || problem === null) return;
    const first = this.#states.findLastIndex(({ step }) => step <= begunStep);
    const during = this.#states.slice(Math.max(0, first)).flatMap(({ chats }) => chats);
    const isTrue = during.some(
      (chat) => chat.id === chatId && refusals[problem]?.(chat, this.machine.nowMs) === true,
    );
    if (!isTrue)
      this.#met.push({ invariant: 'a chat that is open takes messages', text: `${name}: ${problem}` });
  }

  /** A block hides each of the two from the other, whoever began it. */
  #isBlocked({ members: [one, other] }: OpenChat): boolean {
    const [first, second] = [one.profileId, other.profileId];
    return this.#blocks.has(`${first} ${second}`) || this.#blocks.has(`${second} ${first}`);
  }

  onSent({ member, chat, name }: Device, shown: Message | ChatEvent): void {
    const find = (invariant: ChatInvariant, text: string) =>
      void this.#met.push({ invariant, text: `${name}: ${text}` });
    const isBlocked = this.#isBlocked(chat);
    if ('sequence' in shown) {
      this.coverage.count('shown', shown.unsent ? 'unsent' : 'message');
      // The chat of an open request is read also by who is blocked.
      if (isBlocked && chat.kind === 'conversation' && shown.userId !== member.profileId)
        find('who is blocked reaches nobody', `message ${shown.sequence}`);
      return;
    }
    for (const kind of Object.keys(shown)) if (isShownKind(kind)) this.coverage.count('shown', kind);
    const about =
      shown.mark?.memberId ?? shown.typing ?? (shown.presence?.online ? shown.presence.memberId : null);
    if (isBlocked && about !== null && about !== member.profileId)
      find('who is blocked is shown to nobody', JSON.stringify(shown));
    const { mark } = shown;
    if (!mark) return;
    if (this.#hidden.has(mark.memberId) || this.#hidden.has(member.profileId))
      find('who hides read marks shows and sees none', JSON.stringify(mark));
    const stored = this.#stored.find(({ id }) => id === chat.id);
    if (stored && mark.read > stored.lastSequence)
      find('no mark is shown of what is not stored', JSON.stringify(mark));
  }

  protected override async begin(deed: Exclude<Deed, Tamper>): Promise<void> {
    await this.#learnChats();
    if ('chat' in deed) {
      const chat = this.chats[deed.chat % Math.max(1, this.chats.length)];
      if (chat) await this.#beginIn(deed, chat);
      return;
    }
    const [ana, ben] = this.world.members;
    switch (deed.do) {
      case 'open': {
        const [one, other] = pairs[deed.pair] ?? pairs[0];
        const members = [this.world.members[one], this.world.members[other]] as const;
        const by = members[deed.by];
        const body = { creator1: members[0].profileId, creator2: members[1].profileId };
        return this.#ask(by, conversations.createConversation, body, { deed: deed.do });
      }
      case 'openPlan':
        return this.#ask(
          deed.by === 0 ? ana : ben,
          receipts.createConversationReceipt,
          { interactionId: requestIds.paid },
          { deed: deed.do },
        );
      case 'showMarks': {
        const member = this.world.members[deed.member] ?? ana;
        const { profileId } = member;
        return this.#ask(
          ...([member, conversations.updateSettings, { showReadMarks: deed.isShown }] as const),
          {
            deed: deed.do,
            begin: () => void (deed.isShown && this.#hidden.delete(profileId)),
            done: () => void (deed.isShown || this.#hidden.add(profileId)),
          },
        );
      }
      case 'payPlan':
      case 'endPlan': {
        // Beside the product: what is locked must be free.
        await this.idle();
        await setTime(this.world, this.machine.nowMs);
        const changed = await (deed.do === 'payPlan'
          ? this.world.admin`update interactions set paid_at = simulation.now()
              where id = ${requestIds.unpaid} and paid_at is null returning id`
          : this.world.admin`update interactions
              set cancelled_at = simulation.now(), cancelled_by = 'ana', cancel_reason = 'cancelled'
              where id = ${requestIds.paid} and cancelled_at is null returning id`);
        if (changed.length > 0) this.countDeed(deed.do);
        this.product.jobs.note();
        return this.lookAtStored();
      }
      case 'lose':
        this.#losses.push({ what: deed.what, times: deed.times });
        return;
      case 'crash':
        await this.crash(deed.point);
        return this.countDeed(deed.do);
      case 'pass':
        await this.pass(deed.ms);
        this.countDeed(deed.do);
        if (deed.ms >= settledMs) await this.#checkSettled();
        return;
      default:
        return deed satisfies never;
    }
  }

  #deviceIn(chat: OpenChat, by: Side): Device {
    const device = this.#devices.find((one) => one.chat === chat && one.member === chat.members[by]);
    if (!device) throw new Error('a member of a chat has no device');
    return device;
  }

  async #beginIn(deed: Extract<Deed, { chat: number }>, chat: OpenChat): Promise<void> {
    if (deed.do === 'rush') return this.#rush(deed.picks, chat);
    const device = this.#deviceIn(chat, deed.by);
    const { member } = device;
    const other = chat.members[deed.by === 0 ? 1 : 0];
    const pair = `${member.profileId} ${other.profileId}`;
    const about = { chatId: chat.id, deed: deed.do };
    switch (deed.do) {
      case 'send': {
        const number = ++this.#texts;
        return device.send(`message ${number}`, `message-key-${String(number).padStart(8, '0')}`, deed);
      }
      case 'unsend':
        return device.unsend(deed.choice);
      case 'read':
        return device.markRead();
      case 'type':
        if (device.hasLine) this.countDeed(deed.do);
        return device.type();
      case 'connect':
        if (!device.hasLine) this.countDeed(deed.do);
        return device.connect();
      case 'disconnect':
        if (device.hasLine) this.countDeed(deed.do);
        return device.cut();
      case 'readAll':
        if (chat.kind === 'receipt') return device.markRead();
        return this.#ask(
          member,
          conversations.markRead,
          { mixId: chat.mixId },
          { ...about, writer: 'mark all' },
        );
      case 'hide':
        if (chat.kind === 'receipt') return;
        return this.#ask(
          member,
          conversations.deleteChat,
          { convoId: chat.id },
          { ...about, writer: 'hide' },
        );
      case 'answer':
        if (chat.kind === 'receipt') return;
        return this.#ask(
          ...([member, conversations.answerRequest, { convoId: chat.id, answer: deed.answer }] as const),
          { ...about, writer: 'answer' },
        );
      case 'block':
        return this.#ask(
          member,
          blocks.block,
          { profileId: other.profileId },
          {
            ...{ ...about, writer: 'block' },
            done: () => void this.#blocks.add(pair),
          },
        );
      case 'unblock':
        return this.#ask(
          member,
          blocks.unblock,
          { profileId: other.profileId },
          {
            ...{ ...about, writer: 'unblock' },
            begin: () => void this.#blocks.delete(pair),
          },
        );
      default:
        return deed satisfies never;
    }
  }

  /** Begins several of what may change a chat, each by one of its members. */
  async #rush(picks: readonly number[], chat: OpenChat): Promise<void> {
    const of = { chat: 0 };
    const moves = ([0, 1] as const).flatMap((by): Extract<Deed, { by: Side; chat: number }>[] => [
      { ...{ do: 'send', ...of, by }, isTwice: false },
      { ...{ do: 'unsend', ...of, by }, choice: 0.5 },
      { do: 'read', ...of, by },
      { do: 'readAll', ...of, by },
      { do: 'block', ...of, by },
      { do: 'unblock', ...of, by },
      { ...{ do: 'answer', ...of, by }, answer: 'accept' },
      { do: 'hide', ...of, by },
    ]);
    const indexes = new Set(picks.map((pick) => pick % moves.length));
    if (indexes.size > 1) this.countDeed('rush');
    for (const index of indexes) {
      const move = moves[index];
      if (move) await this.#beginIn(move, chat);
    }
  }

  /**
   * A member asks for something, after what they asked for before.
   * @param begin called before it is sent the first time, `done` once the product has done it
   */
  #ask<C extends Call>(
    who: Member,
    call: C,
    body: object,
    { begin, done, ...about }: Partial<About> & { begin?: () => void; done?: () => void } = {},
  ): void {
    const before = this.#queues.get(who.profileId) ?? Promise.resolve();
    const work = before.then(async () => {
      begin?.();
      const { status } = await this.insist(who, call, { body }, { chatId: null, ...about });
      if (status === 200) done?.();
    });
    this.#queues.set(who.profileId, work);
    this.during(work);
  }

  /** Learns of chats that are stored; their members open them. */
  async #learnChats(): Promise<void> {
    const rows = await this.world.admin`select id, kind, first_id, second_id,
      first_account_id || second_account_id as mix_id from chats order by created_at, id`;
    for (const { id, kind, first_id: first, second_id: second, mix_id: mixId } of rows) {
      if (this.chats.some((chat) => chat.id === id)) continue;
      const [one, other] = [first, second].map((profileId) =>
        this.world.members.find((member) => member.profileId === profileId),
      );
      if (!one || !other) throw new Error('a chat has no members');
      const chat: OpenChat = { id, kind, mixId, members: [one, other] };
      this.chats.push(chat);
      for (const member of chat.members) {
        const device = new Device(this, chat, member);
        this.#devices.push(device);
        device.connect();
      }
    }
  }

  /** Whether the lists, and what people see by the calls, are those of the messages. */
  async #checkSettled(): Promise<void> {
    await this.idle();
    await this.lookQuiet();
    for (const finding of await checkLists(this.world)) this.find(finding);
    for (const member of this.world.members) await this.#checkCounts(member);
  }

  async #checkCounts(member: Member): Promise<void> {
    const { profileId } = member;
    const list = await this.read(member, conversations.list, { query: {} });
    const own = await this.read(member, counts.own, {});
    if (!list || !own) return this.find({ invariant: 'a list is read', text: profileId });
    const ids = list.items.map(({ id }) => id).sort();
    const expectedIds = (await readListed(this.world, profileId)).map(({ id }) => id);
    if (ids.join() !== expectedIds.join())
      this.find({
        invariant: 'a list has the chats that it should',
        text: `${profileId} sees ${ids.join(', ')}, and has ${expectedIds.join(', ')}`,
      });
    const unread = new Map((await countUnread(this.world, profileId)).map((row) => [row.chatId, row.unread]));
    for (const row of list.items) {
      const chat = this.#stored.find(({ id }) => id === row.id);
      const isExpired = chat?.expiresAt != null && chat.expiresAt.getTime() <= this.machine.nowMs;
      const seen = { unread: row.unread, last: row.lastSequence, isExpired: row.expired };
      const expected = { unread: unread.get(row.id), last: chat?.lastSequence, isExpired };
      if (JSON.stringify(seen) !== JSON.stringify(expected))
        this.find({
          invariant: 'counts are what was not read',
          text: `${profileId} sees ${JSON.stringify(seen)} of ${row.id}, and it is ${JSON.stringify(expected)}`,
        });
    }
    const unreadRows = list.items.filter((row) => row.unread > 0 && row.request !== 'received');
    if (own.conversations !== unreadRows.length)
      this.find({
        invariant: 'unread conversations are counted',
        text: `${profileId} has ${own.conversations} unread conversations, and sees ${unreadRows.length}`,
      });
  }

  protected override async finish(): Promise<void> {
    const { machine } = this;
    machine.note('> everything comes to its end');
    this.#losses = [];
    await this.#learnChats();
    for (const device of this.#devices) device.connect();
    await this.pass(settledMs);
    await this.#checkSettled();
    const since = this.#devices.map((device) => ({ device, sequence: device.contiguous() }));
    await this.crash(null);
    await this.pass(settledMs);
    await this.lookAtStored();
    await this.#checkSettled();
    for (const { device, sequence } of since) await this.#checkSince(device, sequence);
  }

  /** Whether a subscriber that reads what came after a sequence has all of it, and nothing that was taken back. */
  async #checkSince({ chat, member, name }: Device, sequence: number): Promise<void> {
    const stored = this.#stored.find(({ id }) => id === chat.id);
    const isReadable =
      stored !== undefined && mayRead(stored, member.profileId, await readBlocks(this.world));
    const page = await this.read(member, messages.list, {
      ...{ params: { chatId: chat.id }, query: { after: Math.max(0, sequence - 2), pages: 20 } },
    });
    const find = (invariant: ChatInvariant, text: string) =>
      this.find({ invariant, text: `${name}: ${text}` });
    if ((page !== null) !== isReadable)
      find('a chat is read by those who may', page ? 'it is, though hidden' : 'it is not');
    if (!page) return;
    const rows = await this.world.admin`select sequence, body from messages
      where chat_id = ${chat.id} and sequence > ${Math.max(0, sequence - 2)} order by sequence`;
    const seen = page.items.map((item) => ({ sequence: item.sequence, body: item.body }));
    if (
      JSON.stringify(seen) !== JSON.stringify(rows.map((row) => ({ sequence: row.sequence, body: row.body })))
    )
      find(
        'who reads since a message has everything',
        `${JSON.stringify(seen)} is not ${JSON.stringify(rows)}`,
      );
  }
}

const isAboutChats = /store_message|"?(chats|messages|chat_marks|blocks|conversations|interactions)"?\b/;

/** Whether a chat is as the refusal of a message says. */
const refusals: Record<string, (chat: StoredChat, nowMs: number) => boolean> = {
  chat_closed: ({ closedAt }) => closedAt !== null,
  chat_read_only: ({ blocked }) => blocked,
  chat_expired: ({ expiresAt }, nowMs) => expiresAt !== null && expiresAt.getTime() <= nowMs,
  chat_request_full: ({ awaitsId }) => awaitsId !== null,
};

const eventKinds = ['mark', 'typing', 'presence', 'changed'] as const;
const isShownKind = (kind: string) => eventKinds.some((one) => one === kind);
