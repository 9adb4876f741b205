import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { openAccess } from '@tara/sandbox/access';
import { createProvider } from '@tara/sandbox/provider';
import Fastify, { type InjectOptions, type LightMyRequestResponse } from 'fastify';
import { currentDoer, type Machine, runFor } from '../machine/machine.ts';

const secretKey = 'sk_test_simulation';
/** Where the provider is; nothing listens there. */
const origin = 'http://provider.test';

/** Calls that the provider refuses, without doing their work. */
const refusals = {
  answer_500: { status: 500, code: 'internal_server_error' },
  answer_429: { status: 429, code: 'too_many_requests' },
  answer_403: { status: 403, code: 'access_denied' },
  answer_401: { status: 401, code: 'api_key_invalid' },
  answer_409: { status: 409, code: 'idempotency_in_progress' },
};
type Refusal = keyof typeof refusals;

/** `lose_request`: it is not reached. `lose_answer`: the work is done, and nobody hears of it. */
const losses = ['lose_request', 'lose_answer'] as const;

export type CallFault = Refusal | (typeof losses)[number];
/** What goes wrong with calls of the provider. */
export const callFaults: readonly CallFault[] = [...(Object.keys(refusals) as Refusal[]), ...losses];

/** A fault of the next calls whose method and path begin so. */
export interface OrderedFault {
  kind: CallFault;
  call: string;
  times: number;
}

/** Passes a request to a process that is there, and rejects as a network does when it is not. */
export type Reach = (request: InjectOptions) => Promise<LightMyRequestResponse>;

const fail = (): never => {
  throw new TypeError('fetch failed');
};

const answerOf = (status: number, text: string, headers: Record<string, unknown> = {}) =>
  ({
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name: string) => headers[name] ?? null },
    text: async () => text,
  }) as unknown as Response;

/** How a call is named, without what it is about. */
export const callName = (method: string, path: string) =>
  `${method} ${path.replace(/\?.*/, '').replace(/_[A-Za-z0-9]{20,}/g, '_…')}`;

/** A row of the provider's own records. */
export interface ProviderRecord {
  id: string;
  kind: string;
  parent: string | null;
  attributes: Record<string, unknown>;
}

type RecordRow = Omit<ProviderRecord, 'attributes'> & { attributes: string };

/** A life in which the provider is called: its machine, and the way to the product. */
interface Served {
  machine: Machine;
  reachProduct: Reach;
  /** Rejects when it ends, so that nothing is on its way into the next one. */
  ended: PromiseWithResolvers<never>;
}

/**
 * The payment provider: its stand-in in this process, whose time and network are the machine's. It stays from one life to the next,
 * and each begins without records.
 */
export class Provider {
  readonly secretKey = secretKey;
  readonly origin = origin;
  faults: OrderedFault[] = [];
  /** Called with each fault that was met. */
  onFault: (kind: string) => void = () => {};
  readonly #app = Fastify({ logger: false });
  readonly #sandbox;
  readonly #records: DatabaseSync;
  readonly #select: StatementSync;
  readonly #countBusy: StatementSync;
  readonly #selectFaults: StatementSync;
  readonly #empty: string;
  /** What was read of the records since they changed, by kinds. */
  readonly #read = new Map<string, ProviderRecord[]>();
  #life: Served | undefined;

  private constructor(folder: string) {
    this.#sandbox = createProvider({
      folder,
      publicUrl: origin,
      secretKey,
      access: openAccess({ folder, always: false }),
      deliverTo: () => true,
      clock: {
        now: () => this.#served.machine.nowMs,
        after: (ms, run) =>
          this.#served.machine.after(ms, 'the provider works', () => {
            run();
            this.#read.clear();
          }),
      },
      fetch: ((url: string, init: RequestInit) =>
        Promise.race([this.#deliver(url, init), this.#served.ended.promise])) as typeof fetch,
    });
    // What is stored refers to what is stored: all of it goes at once.
    this.#records = new DatabaseSync(join(folder, 'provider.sqlite'), { enableForeignKeyConstraints: false });
    this.#records.exec('pragma synchronous = off');
    this.#select = this.#records.prepare(
      'select id, kind, parent, attributes from objects where kind in (select value from json_each(?)) order by seq',
    );
    this.#countBusy = this.#records.prepare(
      `select (select count(*) from objects where due_at is not null and kind in ('refund', 'transfer', 'payment'))
        + (select count(*) from deliveries where state = 'pending') as count`,
    );
    this.#selectFaults = this.#records.prepare(
      'select kind, used, times - used as times from faults order by id',
    );
    const tables = this.#records.prepare("select name from sqlite_master where type = 'table'").all();
    this.#empty = `begin; ${tables.map(({ name }) => `delete from ${name};`).join(' ')} commit`;
  }

  /** Opens one that keeps its records in a folder. */
  static async open(folder: string): Promise<Provider> {
    const provider = new Provider(mkdtempSync(join(folder, 'provider-')));
    await provider.#app.register(provider.#sandbox.plugin);
    await provider.#app.ready();
    return provider;
  }

  get #served(): Served {
    if (!this.#life) throw new Error('the provider has no life to serve');
    return this.#life;
  }

  /** Begins a life without records and faults. */
  begin(machine: Machine, reachProduct: Reach): void {
    this.faults = [];
    this.#records.exec(this.#empty);
    this.#read.clear();
    this.#life = { machine, reachProduct, ended: Promise.withResolvers<never>() };
    this.#life.ended.promise.catch(() => {});
    this.#sandbox.start();
  }

  /** Ends the life: events that are on their way are lost. */
  async end(): Promise<void> {
    if (!this.#life) return;
    const { machine, ended } = this.#life;
    ended.reject(new TypeError('fetch failed'));
    await machine.quiesce();
  }

  /**
   * What a process calls in place of `fetch`. The request and its answer are steps of their own: a request that was sent arrives
   * also when its process died.
   */
  fetchOf(life: { isDead: boolean }): typeof fetch {
    return (async (input: string | URL, init: RequestInit = {}) => {
      const answer = await this.#call(input, init);
      return life.isDead ? new Promise(() => {}) : answer();
    }) as typeof fetch;
  }

  async #call(input: string | URL, init: RequestInit): Promise<() => Response> {
    const url = new URL(String(input));
    const path = url.pathname + url.search;
    const method = init.method ?? 'GET';
    const name = callName(method, path);
    const doer = currentDoer();
    const { machine } = this.#served;
    const fault = await this.#request(doer, name);
    if (fault === 'lose_request') return fail;
    const isAnswerLost = fault === 'lose_answer';
    const refusal = fault === null || isAnswerLost ? null : refusals[fault];
    const answered = refusal
      ? { statusCode: refusal.status, body: errorBody(refusal.code), headers: {} }
      : await this.#inject({
          method: method as 'GET',
          url: path,
          headers: init.headers as Record<string, string>,
          ...(typeof init.body === 'string' ? { payload: init.body } : {}),
        });
    await machine.chosen(`${doer}: the answer ${answered.statusCode} to ${name} arrives`);
    if (isAnswerLost) return fail;
    return () => answerOf(answered.statusCode, answered.body, answered.headers);
  }

  async #request(doer: string, name: string): Promise<CallFault | null> {
    const { machine } = this.#served;
    await machine.chosen(`${doer}: the request ${name} arrives`);
    const fault = this.faults.find(({ call, times }) => times > 0 && name.startsWith(call));
    if (!fault) return null;
    fault.times -= 1;
    machine.note(`  fault: ${fault.kind}`);
    this.onFault(fault.kind);
    return fault.kind;
  }

  /** A request at the provider, under way until it is answered. */
  async #inject(request: InjectOptions): Promise<LightMyRequestResponse> {
    try {
      return await this.#served.machine.during(this.#app.inject(request));
    } finally {
      this.#read.clear();
    }
  }

  async #deliver(url: string, init: RequestInit): Promise<Response> {
    const { machine, reachProduct } = this.#served;
    const id = /"id":"(evt_[^"]*)"/.exec(String(init.body))?.[1] ?? '';
    const type = /"type":"event","attributes":\{"type":"([^"]*)"/.exec(String(init.body))?.[1] ?? '';
    await machine.chosen(`the event ${type} is delivered (${id})`);
    const { statusCode, body } = await runFor(`event ${id}`, () =>
      reachProduct({
        method: 'POST',
        url: new URL(url).pathname,
        headers: init.headers as Record<string, string>,
        payload: String(init.body),
      }),
    );
    await machine.chosen(`the answer ${statusCode} to the event ${type} arrives (${id})`);
    return answerOf(statusCode, body);
  }

  /** What a payer, a card issuer or the sandbox's controls do. @returns its status, and where it leads */
  async visit(path: string, body: Record<string, unknown>, isForm = false) {
    const answer = await this.#inject({
      method: 'POST',
      url: path.replace(origin, ''),
      headers: {
        host: 'localhost',
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      },
      payload: isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body),
    });
    const { location } = answer.headers;
    return {
      status: answer.statusCode,
      location: typeof location === 'string' ? location : '',
      body: answer.body,
    };
  }

  /** Changes its records past everything. */
  change(statement: string): void {
    this.#records.exec(statement);
    this.#read.clear();
  }

  /** Its records of these kinds, oldest first. */
  records(...kinds: string[]): readonly ProviderRecord[] {
    const key = JSON.stringify(kinds);
    const known = this.#read.get(key);
    if (known) return known;
    const rows = this.#select.all(key) as unknown as RecordRow[];
    const records = rows.map(({ attributes, ...row }) => ({ ...row, attributes: JSON.parse(attributes) }));
    this.#read.set(key, records);
    return records;
  }

  /** Whether something of it is under way: what becomes due, and events that are to be delivered. */
  isBusy(): boolean {
    const row = this.#countBusy.get() as { count: number };
    return row.count > 0;
  }

  /** The faults of the sandbox: how often each was met, and how often it is still to be. */
  readFaults() {
    return this.#selectFaults.all() as { kind: string; used: number; times: number }[];
  }

  async close(): Promise<void> {
    this.#records.close();
    await this.#app.close();
  }
}

const errorBody = (code: string) => JSON.stringify({ errors: [{ code, detail: 'Simulated by a fault.' }] });
