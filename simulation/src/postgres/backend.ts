import { createConnection, type Socket } from 'node:net';
import { openDriver } from '@tara/server/platform/database/address';
import { type Frame, FrameReader, frame } from './frames.ts';

/** A row as texts. */
export type Cells = (string | null)[];

/** Whether a connection is outside of a transaction, in one, or in one that failed. */
export type TransactionState = 'I' | 'T' | 'E';

interface Exchange {
  /** How many messages that end an answer are still to come. */
  left: number;
  frames: Frame[];
  resolve: (frames: Frame[]) => void;
}

/**
 * A connection to Postgres below the driver: messages are sent as they are, and their answers come back whole. It stays open
 * while the processes of the simulation that use it begin and end.
 */
export class Backend {
  readonly pid: number;
  state: TransactionState = 'I';
  /** What this connection has prepared. */
  readonly prepared = new Set<string>();
  /** The time that its statements see, ms. */
  timeMs = 0;
  /** Called when its statement begins to wait for a lock. */
  onWait: () => void = () => {};
  /** Whether the last statement gave locks back that others may wait for. */
  hasGivenBack = false;
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  #exchange: Exchange | null = null;

  private constructor(socket: Socket, pid: number) {
    this.#socket = socket;
    this.pid = pid;
    socket.on('data', (chunk: Buffer) => {
      for (const one of this.#reader.read(chunk)) this.#receive(one);
    });
    socket.on('error', () => {});
  }

  /** Opens a connection with these settings: the driver signs in, and then leaves the socket to us. */
  static async open(url: string, settings: Record<string, string | number>): Promise<Backend> {
    let socket: Socket | undefined;
    const driver = openDriver(url, {
      max: 1,
      max_lifetime: null,
      idle_timeout: undefined,
      fetch_types: false,
      onnotice: () => {},
      connection: settings,
      // The type of the driver leaves it out.
      ...{
        socket: (options: { host: string[]; port: number[]; path: string }) =>
          new Promise<Socket>((resolve, reject) => {
            const opened = options.path
              ? createConnection(options.path)
              : createConnection(options.port[0] ?? 5432, options.host[0]);
            opened.once('error', reject);
            opened.once('connect', () => resolve(opened));
            socket = opened;
          }),
      },
    });
    const [row] = await driver<{ pid: number }[]>`select pg_backend_pid() as pid`;
    if (!socket || !row) throw new Error('the driver opened no connection');
    socket.removeAllListeners();
    return new Backend(socket, row.pid);
  }

  #receive(one: Frame): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    if (one.type === 'N') {
      this.#notice(one.bytes.toString('utf8', 5));
      return;
    }
    exchange.frames.push(one);
    if (one.type === 'C' && one.bytes.toString('latin1', 5, 13) === 'ROLLBACK') this.hasGivenBack = true;
    if (one.type !== 'Z') return;
    const state = String.fromCharCode(one.bytes[5] ?? 0) as TransactionState;
    if (this.state !== 'I' && state !== 'T') this.hasGivenBack = true;
    this.state = state;
    exchange.left -= 1;
    if (exchange.left > 0) return;
    this.#exchange = null;
    exchange.resolve(exchange.frames);
  }

  /** Locks that all databases share, such as that of a commit with a notification, are given back without the machine. */
  #notice(fields: string): void {
    const [, lock] = /process \d+ still waiting for (.+?) after \d/.exec(fields) ?? [];
    if (lock !== undefined && !lock.endsWith('of database 0')) this.onWait();
  }

  /** Lets it wait where it is, whatever locks it is given, until `goOn`. */
  hold(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  /** Ends `hold`; without one nothing happens. */
  goOn(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  get isBusy(): boolean {
    return this.#exchange !== null;
  }

  /** Sends messages, of which so many end an answer (`Sync`, `Query`), and resolves with all of the answers. */
  send(messages: Buffer, answers: number): Promise<Frame[]> {
    if (this.#exchange !== null) throw new Error('the connection is busy');
    this.hasGivenBack = false;
    return new Promise((resolve) => {
      this.#exchange = { left: answers, frames: [], resolve };
      this.#socket.write(messages);
    });
  }

  /** Runs statements by the simple protocol. @returns the cells of the rows of all of them */
  async run(text: string): Promise<Cells[]> {
    return (await this.runEach(text)).flat();
  }

  /** Runs statements by the simple protocol. @returns the cells of the rows of each */
  async runEach(text: string): Promise<Cells[][]> {
    const frames = await this.send(frame('Q', text), 1);
    const failed = frames.find(({ type }) => type === 'E');
    if (failed) throw new Error(`${failed.bytes.toString('utf8', 5).replaceAll('\0', ' ')}: ${text}`);
    const results: Cells[][] = [];
    let rows: Cells[] = [];
    for (const { type, bytes } of frames) {
      if (type === 'D') rows.push(readCells(bytes));
      if (type !== 'C') continue;
      results.push(rows);
      rows = [];
    }
    return results;
  }

  close(): void {
    this.#socket.destroy();
  }
}

function readCells(row: Buffer): Cells {
  const count = row.readInt16BE(5);
  const cells: Cells = [];
  let at = 7;
  for (let index = 0; index < count; index++) {
    const length = row.readInt32BE(at);
    at += 4;
    cells.push(length < 0 ? null : row.toString('utf8', at, at + length));
    if (length > 0) at += length;
  }
  return cells;
}
