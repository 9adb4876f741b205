import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail as the mail server took it. */
export interface TakenMail {
  /** The part of its Message-ID before the '@'. */
  id: string;
  to: string;
  /** When it was taken, ms since the epoch. */
  at: number;
}

interface MailServerOptions {
  port?: number;
  /** Keeps the source of a mail before it is acknowledged. */
  keep?: (source: string, to: string) => Promise<void>;
}

/** A mail server on this machine, which takes every mail and names all of them in `taken`. */
export async function openMailServer({ port: listenPort = 0, keep }: MailServerOptions = {}) {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData: (stream, { envelope }, done) => {
      const take = async () => {
        const source = await text(stream);
        const [, id = ''] = /^Message-ID: <([^@>]+)@/im.exec(source) ?? [];
        const to = envelope.rcptTo[0]?.address ?? '';
        await keep?.(source, to);
        taken.push({ id, to, at: Date.now() });
      };
      take().then(() => done(), done);
    },
  });
  // Its clients are killed in the middle of a mail.
  server.on('error', () => undefined);
  server.listen(listenPort, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const stop = () => new Promise<void>((done) => server.close(done));
  return { url: `smtp://127.0.0.1:${port}`, taken, stop };
}

export type MailServer = Awaited<ReturnType<typeof openMailServer>>;
