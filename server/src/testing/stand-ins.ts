import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from './database.ts';
import { newDataDir, startServer } from './start.ts';

/** An answer to a raw request; `type` is that of an error of ours. */
interface RawAnswer {
  status: number;
  body: string;
  type: string | undefined;
}

/** What answers an address that does not exist. */
export const unknownRoute = { status: 404, type: 'general_route_not_found' };

/** Addresses that show mails, events or faults. */
export const mailboxPaths = [
  '/mailbox',
  '/mailbox/',
  '/mailbox/messages',
  '/mailbox/x',
  '/mailbox/sandbox.css',
];
export const sandboxPaths = [
  '/sandbox',
  '/sandbox/',
  '/sandbox/events',
  '/sandbox/faults',
  '/sandbox/settings',
];

const Refusal = z.object({ type: z.string() });

/** A server with stand-ins for mail and payment. */
export interface StandIns {
  readonly url: string;
  /** What it wrote to stdout. */
  out(): string;
  /** Sends the lines of a request as they are, which `fetch` would tidy up. */
  send(...lines: string[]): Promise<RawAnswer>;
  /** The token of the address that was printed for 'Mailbox' or 'Payment sandbox'. */
  token(page: string): string;
  /** The same as a cookie, for `fetch`. */
  withToken(page: string): { headers: { cookie: string } };
  /** A file of the stand-ins. */
  path(name: string): string;
}

/** The tests of a `describe` share a server on a fresh database and folder; `prepare` gets the folder before. */
export function startStandIns(
  environment: Record<string, string>,
  prepare: (dataDir: string) => Promise<void> = async () => {},
): StandIns {
  let dataDir = '';
  let server = { url: '', out: () => '' };
  let close = async (): Promise<void> => {};
  beforeAll(async () => {
    const [test, folder] = await Promise.all([createTestDatabase(), newDataDir()]);
    dataDir = folder.path;
    await prepare(dataDir);
    const started = await startServer({ DATABASE_URL: test.url, DATA_DIR: dataDir, ...environment }, [
      '--empty',
    ]);
    if (started.url === null) throw new Error(started.output().err);
    const { url } = started;
    server = { url, out: () => started.output().out };
    close = async () => {
      await started.stop();
      await Promise.all([test.drop(), folder.remove()]);
    };
  }, 60_000);
  afterAll(() => close());

  const token = (page: string) =>
    new RegExp(`^${page}: \\S+/\\?token=(\\S+)$`, 'm').exec(server.out())?.[1] ?? '';
  return {
    get url() {
      return server.url;
    },
    out: () => server.out(),
    token,
    withToken: (page) => ({ headers: { cookie: `sandbox_token=${token(page)}` } }),
    path: (name) => join(dataDir, 'sandbox', name),
    async send(...lines) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
      let text = '';
      for await (const chunk of socket.setEncoding('utf8')) text += chunk;
      const body = text.slice(text.indexOf('\r\n\r\n') + 4);
      const refusal = body.startsWith('{') ? Refusal.safeParse(JSON.parse(body)).data : undefined;
      return { status: Number(text.slice(9, 12)), body, type: refusal?.type };
    },
  };
}
