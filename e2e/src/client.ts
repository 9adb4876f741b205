import { account, accounts } from '@tara/contract/accounts/accounts';
import { secondFactor } from '@tara/contract/accounts/second-factor';
import { type Call, readReply } from '@tara/contract/calls';
import { files, type File as StoredFile } from '@tara/contract/files';
import { callUrl } from '@tara/contract/url';
import type { z } from 'zod';

/** An error reply, with its problem type. */
export class Refused extends Error {
  readonly status: number;
  readonly type: string;
  constructor(call: Call, status: number, answer: { type: string; message: string }) {
    super(`${call.method} ${call.path}: ${status} ${answer.type} ${answer.message}`);
    this.status = status;
    this.type = answer.type;
  }
}

interface CallArgs<C extends Call> {
  params?: z.input<C['params']>;
  query?: z.input<C['query']>;
  body?: z.input<C['body']>;
}

/** What one request came to. */
export interface Attempt {
  path: string;
  /** 0 where there was no answer. */
  status: number;
  /** Whether the answer says when to come again. */
  hasRetryAfter: boolean;
  /** ms since the epoch. */
  startedAt: number;
  endedAt: number;
}

/** Sends a request, and says what it came to. */
async function send(url: string, init: RequestInit, observe: (attempt: Attempt) => void): Promise<Response> {
  const startedAt = Date.now();
  const note = (status: number, hasRetryAfter: boolean) =>
    observe({ path: new URL(url).pathname, status, hasRetryAfter, startedAt, endedAt: Date.now() });
  try {
    const answer = await fetch(url, init);
    note(answer.status, answer.headers.has('retry-after'));
    return answer;
  } catch (error) {
    note(0, false);
    throw error;
  }
}

/** Repeats a request while the server replies 503 with `Retry-After`; such a request changed nothing. */
async function insist(
  url: string,
  init: RequestInit,
  observe: (attempt: Attempt) => void,
  tries = 10,
): Promise<Response> {
  const answer = await send(url, init, observe);
  const seconds = Number(answer.headers.get('retry-after'));
  if (answer.status !== 503 || seconds === 0 || tries === 1) return answer;
  await answer.body?.cancel();
  await new Promise((done) => setTimeout(done, seconds * 1000));
  return insist(url, init, observe, tries - 1);
}

/** How long a password and a code that were shown are taken for recent, ms: less than the limits of the contract. */
const provenForMs = 5 * 60_000;

/** An HTTP client of one person, with a cookie jar. */
export class Client {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();
  /** Of an admin: reads a code of the second factor. Calls that need one show it first. */
  readCode: (() => Promise<string>) | null = null;
  /** Gets what each request came to, those that are repeated among them. */
  observe: (attempt: Attempt) => void = () => undefined;
  /** The one that it signed in with: calls that need it again show it first. */
  #password: string | null = null;
  /** When all that this person can show was shown, ms. */
  #provenAt = 0;
  /** What calls wait for that were refused until a code or the password is shown: once for all of them. */
  readonly #proofs = new Map<string, Promise<unknown>>();

  constructor(url: string) {
    this.#url = url;
  }

  /** The same person at another address, such as one node's; from then on each has cookies of its own. */
  at(url: string): Client {
    const client = new Client(url);
    for (const [name, value] of this.#cookies) client.#cookies.set(name, value);
    client.readCode = this.readCode;
    client.#password = this.#password;
    return client;
  }

  /** The cookies as a header, for a websocket of this person. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** The same cookies for a browser. */
  get browserCookies(): Array<{ name: string; value: string; url: string; httpOnly: boolean }> {
    return [...this.#cookies].map(([name, value]) => ({ name, value, url: this.#url, httpOnly: true }));
  }

  async call<C extends Call>(call: C, parts: CallArgs<C> = {}): Promise<z.output<C['reply']>> {
    // A call can need both.
    for (let proofs = 0; proofs < 2; proofs++) {
      try {
        return await this.#send(call, parts);
      } catch (error) {
        const proof = error instanceof Refused ? this.#proofFor(error.type) : null;
        if (proof === null) throw error;
        await proof;
      }
    }
    return this.#send(call, parts);
  }

  /** Of an admin: shows password and code before they are too old for what is decided in the browser, where nobody enters them. */
  async renewProofs(): Promise<void> {
    if (this.readCode === null || Date.now() - this.#provenAt < provenForMs) return;
    for (const type of ['user_recent_password_required', 'recent_second_factor_required'])
      await this.#proofFor(type);
    this.#provenAt = Date.now();
  }

  /** Shows what a refused call needs; null where that is nothing of this person's. */
  #proofFor(type: string): Promise<unknown> | null {
    const { readCode } = this;
    const password = this.#password;
    const show =
      readCode !== null && /second_factor_required$/.test(type)
        ? async () => this.#send(secondFactor.confirm, { body: { code: await readCode() } })
        : password !== null && type === 'user_recent_password_required'
          ? () => this.#send(accounts.confirmPassword, { body: { password } })
          : null;
    if (show === null) return null;
    const proof = this.#proofs.get(type) ?? show().finally(() => this.#proofs.delete(type));
    this.#proofs.set(type, proof);
    return proof;
  }

  async #send<C extends Call>(call: C, parts: CallArgs<C>): Promise<z.output<C['reply']>> {
    const answer = await insist(
      `${this.#url}${callUrl(call, parts)}`,
      {
        method: call.method,
        headers: {
          cookie: this.cookie,
          ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
      },
      this.observe,
    );
    this.#keep(answer);
    const reply = await this.#read(call, answer);
    if (call.path === account.createEmailSession.path && call.method === 'POST') {
      this.#provenAt = Date.now();
      this.#password = account.createEmailSession.body.parse(parts.body).password;
    }
    return reply;
  }

  /** Uploads one picture. */
  async upload(
    bucketId: 'images' | 'messageFiles' | 'verificationFiles',
    bytes: Buffer,
  ): Promise<StoredFile> {
    const form = new FormData();
    form.set('fileId', 'unique()');
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'photo.jpg');
    const answer = await insist(
      `${this.#url}${callUrl(files.create, { params: { bucketId } })}`,
      {
        method: 'POST',
        headers: { cookie: this.cookie },
        body: form,
      },
      this.observe,
    );
    return this.#read(files.create, answer);
  }

  /** Reads any path once, and nothing of the reply but its status; 0 where there is none. */
  async look(path: string): Promise<number> {
    const init = { headers: { cookie: this.cookie } };
    try {
      const answer = await send(`${this.#url}${path}`, init, this.observe);
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }

  async #read<C extends Call>(call: C, answer: Response): Promise<z.output<C['reply']>> {
    if (answer.status === 204) return undefined as z.output<C['reply']>;
    const json = (await answer.json()) as { type: string; message: string };
    if (!answer.ok) throw new Refused(call, answer.status, json);
    return readReply(call, json);
  }

  #keep(answer: Response): void {
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}
