import { EventEmitter } from 'node:events';
import type { Machine, Mortal, Step } from '../machine/machine.ts';
import type { Backend } from './backend.ts';
import { type Frame, FrameReader, frame, int32, outlineOf, readText } from './frames.ts';

/** A statement that was parsed: how the server answers its description, by its text and the types of its parameters. */
interface Described {
  name: string;
  parse: Buffer;
  text: string;
  /** How the trace shows it. */
  outline: string;
  /** ParameterDescription, and RowDescription or NoData. */
  answer: Buffer;
}

/** Statements of all connections: each connection has those that it ran under the same names. */
export class Statements {
  readonly #byKey = new Map<string, Described>();
  #count = 0;

  find(key: string): Described | undefined {
    return this.#byKey.get(key);
  }

  /** Asks the server for the description of a statement that is new. @returns its error where it refuses it */
  async describe(backend: Backend, key: string, text: string, types: Buffer): Promise<Described | Frame> {
    this.#count += 1;
    const name = `s${this.#count}`;
    const parse = frame('P', name, text, types);
    const describe = frame('D', Buffer.from('S'), name);
    const frames = await backend.send(Buffer.concat([parse, describe, frame('S')]), 1);
    const refusal = frames.find(({ type }) => type === 'E');
    if (refusal) return refusal;
    backend.prepared.add(name);
    const answer = Buffer.concat(frames.filter(({ type }) => 'tTn'.includes(type)).map(({ bytes }) => bytes));
    const described = { name, parse, text, outline: outlineOf(text), answer };
    this.#byKey.set(key, described);
    return described;
  }
}

const parseComplete = frame('1');
const ready = (state: string) => frame('Z', Buffer.from(state));
const isWrite =
  /^\s*(with|insert|update|delete|commit|select from graphile_worker|select.*pg_advisory|select\s[\s\S]*\bstore_message\b)/i;

interface LineOptions {
  machine: Machine;
  backend: Backend;
  statements: Statements;
  /** How the trace names the connection. */
  name: string;
  /** The process whose connection it is: nothing happens any more once it is dead. */
  life: Mortal;
  /** Called after a statement that may have been committed something, with the texts since the last time. */
  onCommit: (texts: readonly string[]) => void;
}

/**
 * The socket that a driver of the product is given: what it sends waits until the machine chooses it, and is then run to its
 * end. Each text is parsed once by each connection, whatever the driver does, so that a statement is one exchange.
 */
export class Line extends EventEmitter {
  readyState = 'open';
  readonly #options: LineOptions;
  readonly #reader = new FrameReader();
  /** By the names of the driver; null for one that the server refused. */
  readonly #named = new Map<string, Described | null>();
  #hasStarted = false;
  #isSkipping = false;
  /** Answers that go out with the next one. */
  #answers: Buffer[] = [];
  /** Messages of the statement that is being put together. */
  #messages: Buffer[] = [];
  /** Statements that the server parses with it. */
  #parses: string[] = [];
  #texts: string[] = [];
  /** That of the last of them that was bound. */
  #outline = '';
  #isWriting = false;
  readonly #input: Frame[] = [];
  #isReceiving = false;
  #isWaiting = false;

  constructor(options: LineOptions) {
    super();
    this.#options = options;
  }

  write(chunk: Buffer, done?: () => void): boolean {
    const { machine, life } = this.#options;
    if (life.isDead) return true;
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      this.#start();
    } else {
      this.#input.push(...this.#reader.read(Buffer.from(chunk)));
      void machine.during(this.#receiveAll());
    }
    done?.();
    return true;
  }

  #start(): void {
    const answer = [
      frame('R', int32(0)),
      frame('S', 'server_version', '18.0'),
      frame('K', int32(this.#options.backend.pid), int32(0)),
      ready('I'),
    ];
    setImmediate(() => this.emit('data', Buffer.concat(answer)));
  }

  /** Takes messages until a statement waits: what the driver sent ahead is answered after it. */
  async #receiveAll(): Promise<void> {
    if (this.#isReceiving) return;
    this.#isReceiving = true;
    while (!this.#isWaiting) {
      const next = this.#input.shift();
      if (!next) break;
      await this.#receive(next);
    }
    this.#isReceiving = false;
  }

  async #receive({ type, bytes }: Frame): Promise<void> {
    const { backend } = this.#options;
    if (this.#isSkipping && type !== 'S') return;
    switch (type) {
      case 'P':
        return this.#parse(bytes);
      case 'D': {
        const { text: name } = readText(bytes, 6);
        this.#answers.push(this.#named.get(name)?.answer ?? Buffer.alloc(0));
        return;
      }
      case 'H':
        return this.#flush();
      case 'B':
        return this.#bind(bytes);
      case 'E':
        return void this.#messages.push(bytes);
      case 'C':
        return void this.#answers.push(frame('3'));
      case 'S':
        if (this.#messages.length > 0) {
          this.#messages.push(bytes);
          return this.#queue(this.#texts.at(-1) ?? '', this.#outline);
        }
        this.#isSkipping = false;
        this.#answers.push(ready(backend.state));
        return this.#flush();
      case 'Q': {
        const { text } = readText(bytes, 5);
        this.#texts.push(text);
        this.#messages.push(bytes);
        return this.#queue(text, outlineOf(text));
      }
      case 'X':
        return this.end();
      default:
        throw new Error(`The driver sent a message of a type that is not known: ${type}.`);
    }
  }

  async #parse(bytes: Buffer): Promise<void> {
    const { statements, backend } = this.#options;
    const { text: name, end } = readText(bytes, 5);
    const { text, end: typesAt } = readText(bytes, end);
    const types = Buffer.from(bytes.subarray(typesAt));
    const key = `${types.toString('latin1')} ${text}`;
    const described = statements.find(key) ?? (await statements.describe(backend, key, text, types));
    if ('type' in described) {
      this.#named.set(name, null);
      this.#answers.push(described.bytes);
      this.#isSkipping = true;
      return this.#flush();
    }
    this.#named.set(name, described);
    this.#answers.push(parseComplete);
  }

  #bind(bytes: Buffer): void {
    const { backend } = this.#options;
    const portal = readText(bytes, 5);
    const { text: name, end } = readText(bytes, portal.end);
    const statement = this.#named.get(name);
    if (!statement) throw new Error(`The driver binds a statement that it did not parse: ${name}.`);
    if (!backend.prepared.has(statement.name)) {
      this.#parses.push(statement.name);
      this.#messages.push(statement.parse);
    }
    this.#texts.push(statement.text);
    this.#outline = statement.outline;
    this.#messages.push(frame('B', portal.text, statement.name, Buffer.from(bytes.subarray(end))));
  }

  #flush(): void {
    const answers = Buffer.concat(this.#answers);
    this.#answers = [];
    if (answers.length > 0) this.emit('data', answers);
  }

  #queue(text: string, outline: string): void {
    const { machine, name, life } = this.#options;
    if (life.isDead) return;
    this.#isWaiting = true;
    const messages = Buffer.concat(this.#messages);
    this.#messages = [];
    const prefix = this.#answers;
    this.#answers = [];
    const parses = this.#parses;
    this.#parses = [];
    const step: Step = {
      name: `${name} ${outline}`,
      life,
      perform: () => this.#run(text, messages, prefix, parses),
    };
    machine.offer(step);
  }

  async #run(text: string, messages: Buffer, prefix: Buffer[], parses: string[]): Promise<void> {
    const { machine, backend } = this.#options;
    if (isWrite.test(text)) this.#isWriting = true;
    const time = this.#timeMessage();
    const exchange = backend.send(Buffer.concat([...time, messages]), time.length + 1).then((frames) => {
      const from = time.length === 0 ? 0 : frames.findIndex(({ type }) => type === 'Z') + 1;
      // In a transaction that failed it parses nothing.
      const parsed = frames.filter(({ type }) => type === '1').length;
      for (const name of parses.slice(0, parsed)) backend.prepared.add(name);
      const bytes = frames
        .slice(from)
        // Our own Parse was not asked for.
        .filter(({ type }) => type !== '1')
        .map((one) => one.bytes);
      return () => this.#answer(Buffer.concat([...prefix, ...bytes]));
    });
    await machine.awaitBackend(backend, exchange, `${this.#options.name} goes on`);
  }

  /** Statements of a transaction see the time at its begin. */
  #timeMessage(): Buffer[] {
    const { machine, backend } = this.#options;
    const { nowMs } = machine;
    if (backend.state !== 'I' || backend.timeMs === nowMs) return [];
    backend.timeMs = nowMs;
    return [frame('Q', timeStatement(nowMs))];
  }

  #answer(bytes: Buffer): void {
    const { machine, backend, onCommit, life } = this.#options;
    if (life.isDead) return;
    if (backend.state === 'I') {
      if (this.#isWriting) onCommit(this.#texts);
      this.#isWriting = false;
      this.#texts = [];
    }
    this.#isWaiting = false;
    this.emit('data', bytes);
    void machine.during(this.#receiveAll());
  }

  // What the driver calls of a socket.
  setKeepAlive(): void {}
  resume(): void {}
  pause(): void {}
  end(): void {
    this.readyState = 'closed';
  }
  destroy(): void {
    this.readyState = 'closed';
  }
}

/** The statement by which a connection of the simulation learns the time. */
export const timeStatement = (ms: number) => `set simulation.now = '${new Date(ms).toISOString()}'`;
