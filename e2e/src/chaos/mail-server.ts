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

/** A mail server on this machine, which takes every mail and keeps all of them in `taken`. */
export async function openMailServer() {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onData: (stream, { envelope }, done) => {
      text(stream).then((source) => {
        const [, id = ''] = /^Message-ID: <([^@>]+)@/im.exec(source) ?? [];
        taken.push({ id, to: envelope.rcptTo[0]?.address ?? '', at: Date.now() });
        done();
      }, done);
    },
  });
  // Its clients are killed in the middle of a mail.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const stop = () => new Promise<void>((done) => server.close(done));
  return { url: `smtp://127.0.0.1:${port}`, taken, stop };
}

export type MailServer = Awaited<ReturnType<typeof openMailServer>>;
