import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { openAccess } from '@tara/sandbox/access';
import { createProvider } from '@tara/sandbox/provider';
import Fastify, { type InjectOptions, type LightMyRequestResponse } from 'fastify';
import { currentDoer, type Machine, runFor } from '../machine/machine.ts';

const secretKey = 'sk_test_simulation';
/** Where the provider is; nothing listens there. */
const origin = 'http://provider.test';

/** What goes wrong with calls of the provider. */
export const callFaults = [
  'answer_500',
  'answer_429',
  'answer_403',
  'answer_401',
  'answer_409',
  /** It is not reached. */
  'lose_request',
  /** The work is done, and nobody hears of it. */
  'lose_answer',
] as const;
export type CallFault = (typeof callFaults)[number];

/** A fault of the next calls whose method and path begin so. */
export interface OrderedFault {
  kind: CallFault;
  call: string;
  times: number;
}

const refusals: Record<string, { status: number; code: string }> = {
  answer_500: { status: 500, code: 'internal_server_error' },
  answer_429: { status: 429, code: 'too_many_requests' },
  answer_403: { status: 403, code: 'access_denied' },
  answer_401: { status: 401, code: 'api_key_invalid' },
  answer_409: { status: 409, code: 'idempotency_in_progress' },
};

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

/** The payment provider: its stand-in in this process, whose time and network are the machine's. */
export class Provider {
  readonly secretKey = secretKey;
  readonly origin = origin;
  faults: OrderedFault[] = [];
  /** Called with each fault that was met. */
  onFault: (kind: string) => void = () => {};
  readonly #machine: Machine;
  readonly #app = Fastify({ logger: false });
  readonly #sandbox;
  readonly #folder: string;
  readonly #records: DatabaseSync;
  readonly #select: StatementSync;
  readonly #countBusy: StatementSync;
  readonly #reachProduct: Reach;

  private constructor(machine: Machine, folder: string, reachProduct: Reach) {
    this.#machine = machine;
    this.#folder = mkdtempSync(join(folder, 'provider-'));
    this.#reachProduct = reachProduct;
    this.#sandbox = createProvider({
      folder: this.#folder,
      publicUrl: origin,
      secretKey,
      access: openAccess({ folder: this.#folder, always: false }),
      deliverTo: () => true,
      clock: {
        now: () => machine.nowMs,
        after: (ms, run) => machine.after(ms, 'the provider works', run),
      },
      fetch: ((url: string, init: RequestInit) => this.#deliver(url, init)) as typeof fetch,
    });
    this.#records = new DatabaseSync(join(this.#folder, 'provider.sqlite'), { readOnly: true });
    this.#select = this.#records.prepare(
      'select id, kind, parent, attributes from objects where kind in (select value from json_each(?)) order by seq',
    );
    this.#countBusy = this.#records.prepare(
      `select (select count(*) from objects where due_at is not null and kind in ('refund', 'transfer', 'payment'))
        + (select count(*) from deliveries where state = 'pending') as count`,
    );
  }

  static async start(machine: Machine, folder: string, reachProduct: Reach): Promise<Provider> {
    const provider = new Provider(machine, folder, reachProduct);
    await provider.#app.register(provider.#sandbox.plugin);
    await provider.#app.ready();
    provider.#sandbox.start();
    return provider;
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
    const machine = this.#machine;
    const fault = await this.#request(doer, name);
    if (fault === 'lose_request') return fail;
    const refusal = fault && refusals[fault];
    const answered = refusal
      ? { statusCode: refusal.status, body: errorBody(refusal.code), headers: {} }
      : await machine.during(
          this.#app.inject({
            method: method as 'GET',
            url: path,
            headers: init.headers as Record<string, string>,
            ...(typeof init.body === 'string' ? { payload: init.body } : {}),
          }),
        );
    await machine.chosen('answer', `${doer}: the answer ${answered.statusCode} to ${name} arrives`);
    if (fault === 'lose_answer') return fail;
    return () => answerOf(answered.statusCode, answered.body, answered.headers);
  }

  async #request(doer: string, name: string): Promise<CallFault | null> {
    await this.#machine.chosen('call', `${doer}: the request ${name} arrives`);
    const fault = this.faults.find(({ call, times }) => times > 0 && name.startsWith(call));
    if (!fault) return null;
    fault.times -= 1;
    this.#machine.note(`  fault: ${fault.kind}`);
    this.onFault(fault.kind);
    return fault.kind;
  }

  async #deliver(url: string, init: RequestInit): Promise<Response> {
    const machine = this.#machine;
    const id = /"id":"(evt_[^"]*)"/.exec(String(init.body))?.[1] ?? '';
    const type = /"type":"event","attributes":\{"type":"([^"]*)"/.exec(String(init.body))?.[1] ?? '';
    await machine.chosen('call', `the event ${type} is delivered (${id})`);
    const { statusCode, body } = await runFor(`event ${id}`, () =>
      this.#reachProduct({
        method: 'POST',
        url: new URL(url).pathname,
        headers: init.headers as Record<string, string>,
        payload: String(init.body),
      }),
    );
    await machine.chosen('answer', `the answer ${statusCode} to the event ${type} arrives (${id})`);
    return answerOf(statusCode, body);
  }

  /** What a payer, a card issuer or the sandbox's controls do. @returns its status, and where it leads */
  async visit(path: string, body: Record<string, unknown>, isForm = false) {
    const answer = await this.#machine.during(
      this.#app.inject({
        method: 'POST',
        url: path.replace(origin, ''),
        headers: {
          host: 'localhost',
          'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        },
        payload: isForm
          ? new URLSearchParams(body as Record<string, string>).toString()
          : JSON.stringify(body),
      }),
    );
    const { location } = answer.headers;
    return {
      status: answer.statusCode,
      location: typeof location === 'string' ? location : '',
      body: answer.body,
    };
  }

  /** Sends the transfer of a payout once more. */
  async transferAgain(reference: string): Promise<void> {
    const sent = this.records('transfer').find(({ attributes }) => attributes.reference_number === reference);
    await this.#machine.during(
      this.#app.inject({
        method: 'POST',
        url: '/v2/batch_transfers',
        headers: { authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}` },
        payload: { transfers: [sent?.attributes] },
      }),
    );
  }

  /** Its records of these kinds, oldest first. */
  records(...kinds: string[]): ProviderRecord[] {
    const rows = this.#select.all(JSON.stringify(kinds)) as unknown as RecordRow[];
    return rows.map(({ attributes, ...row }) => ({ ...row, attributes: JSON.parse(attributes) }));
  }

  /** Whether something of it is under way: what becomes due, and events that are to be delivered. */
  isBusy(): boolean {
    const row = this.#countBusy.get() as { count: number };
    return row.count > 0;
  }

  /** Lets what is wrong end. */
  clearFaults(): void {
    this.faults = [];
  }

  async stop(): Promise<void> {
    this.#records.close();
    await this.#app.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const errorBody = (code: string) => JSON.stringify({ errors: [{ code, detail: 'Simulated by a fault.' }] });
