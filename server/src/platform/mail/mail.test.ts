import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openSealer } from '../seal.ts';
import {
  type DeliveredMail,
  type Mailer,
  MailRefused,
  mailFailure,
  openLocalMailer,
  openSmtpMailer,
} from './mailer.ts';
import { openMail } from './queue.ts';

const received: { from: string; to: string[]; user: string | undefined; source: string }[] = [];
const sockets = new Set<Socket>();
function cutConnections(): void {
  for (const socket of sockets) socket.resetAndDestroy();
  sockets.clear();
}
let server: SMTPServer;
let mailer: Mailer;

beforeAll(async () => {
  server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'right word' ? done(null, { user: username }) : done(new Error('wrong')),
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('gone@')
        ? done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }))
        : address.startsWith('later@')
          ? done(Object.assign(new Error('try later'), { responseCode: 451 }))
          : address.startsWith('cut@')
            ? cutConnections()
            : done(),
    onData: (stream, { envelope, user }, done) => {
      text(stream).then((source) => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          user: typeof user === 'string' ? user : undefined,
          source,
        });
        done();
      }, done);
    },
  });
  server.server.on('connection', (socket) => void sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  mailer = openSmtpMailer({ url: address('right%20word'), from: 'Tara <no-reply@tara.example>' });
});
beforeEach(() => void received.splice(0));
afterAll(async () => {
  mailer.close();
  await new Promise<void>((done) => server.close(done));
});

function address(password: string): string {
  const bound = server.server.address();
  return `smtp://tara:${password}@127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`;
}

const mail = {
  to: 'ben@example.com',
  subject: 'Tara – ¡halina!',
  text: 'Open the link.',
  html: '<p>Open the link.</p>',
};

it('sends text and HTML by SMTP, signed in', async () => {
  await mailer.send(mail);
  expect(received).toMatchObject([{ from: 'no-reply@tara.example', to: ['ben@example.com'], user: 'tara' }]);
  expect(received[0]?.source).toMatch(/^From: Tara <no-reply@tara\.example>\r?$/m);
  expect(received[0]?.source).toMatch(/^To: ben@example\.com\r?$/m);
  expect(received[0]?.source).toContain('<p>Open the link.</p>');
});

it.each([
  ['a second receiver', { to: 'ben@example.com, eve@example.com' }],
  ['a header after the receiver', { to: 'ben@example.com\r\nBcc: eve@example.com' }],
  ['a name with an address', { to: 'Eve <eve@example.com>' }],
  ['no address', { to: 'ben' }],
  ['a header after the subject', { subject: 'Hi\r\nBcc: eve@example.com' }],
  ['a header after the id', { id: 'a\r\nBcc: eve@example.com' }],
  [
    'a header after the address that unsubscribes',
    { unsubscribeUrl: 'https://a.example/x\r\nBcc: eve@example.com' },
  ],
  ['two addresses that unsubscribe', { unsubscribeUrl: 'https://a.example/x>,<mailto:eve@example.com' }],
  ['a line break of another kind', { subject: 'Hi\nBcc: eve@example.com' }],
])('refuses %s', async (_name, change) => {
  const local: DeliveredMail[] = [];
  const mailbox = openLocalMailer('Tara <no-reply@tara.example>', (delivered) => void local.push(delivered));
  await expect(mailer.send({ ...mail, ...change })).rejects.toThrow(MailRefused);
  await expect(mailbox.send({ ...mail, ...change })).rejects.toThrow(MailRefused);
  expect([...received, ...local]).toEqual([]);
});

it('sends a mail again under the same Message-ID', async () => {
  const twice = { ...mail, id: 'a1b2' };
  await mailer.send(twice);
  await mailer.send(twice);
  const ids = received.map(({ source }) => /^Message-ID: (.*?)\r?$/im.exec(source)?.[1]);
  expect(ids).toEqual(['<a1b2@tara.example>', '<a1b2@tara.example>']);
});

it('names where one click unsubscribes, where there is such an address (RFC 8058)', async () => {
  const unsubscribeUrl = `https://tara.example/api/unsubscribe/${'a'.repeat(150)}`;
  await mailer.send({ ...mail, unsubscribeUrl });
  await mailer.send(mail);
  const headers = received.map(({ source }) => {
    // Long headers are folded.
    const [head = ''] = source.split('\r\n\r\n');
    const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
    return lines.filter((line) => line.startsWith('List-'));
  });
  expect(headers).toEqual([
    [`List-Unsubscribe: <${unsubscribeUrl}>`, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'],
    [],
  ]);
});

it('distinguishes a mail that can never arrive from one to try again', async () => {
  await expect(mailer.send({ ...mail, to: 'gone@example.com' })).rejects.toThrow(MailRefused);
  await expect(mailer.send({ ...mail, to: 'later@example.com' })).rejects.not.toThrow(MailRefused);
  const wrong = openSmtpMailer({ url: address('wrong'), from: 'no-reply@tara.example' });
  await expect(wrong.send(mail)).rejects.not.toThrow(MailRefused);
  wrong.close();
});

it('names what keeps a mail from being sent by its codes alone, not by what a server says (threat-leaked-secrets)', async () => {
  const error: unknown = await mailer.send({ ...mail, to: 'later@example.com' }).catch((cause) => cause);
  expect(String(error)).toContain('try later');
  const failure = mailFailure(error);
  expect([failure.message, failure.cause]).toEqual(['The mail was not sent EENVELOPE 451', undefined]);
  expect(mailFailure('no').message).toBe('The mail was not sent');
});

it('hands mails to the mailbox where there is no mail server', async () => {
  const local: DeliveredMail[] = [];
  await openLocalMailer('Tara <no-reply@localhost>', (delivered) => void local.push(delivered)).send(mail);
  expect(local).toEqual([{ ...mail, from: 'Tara <no-reply@localhost>' }]);
});

it('goes on after the mail server cut its connections, with a mail under way and without', async () => {
  await mailer.send(mail);
  await expect(mailer.send({ ...mail, to: 'cut@example.com' })).rejects.not.toThrow(MailRefused);
  await mailer.send(mail);
  cutConnections();
  // The first may still find the connection that was cut.
  await expect.poll(() => mailer.send(mail).then(() => received.length)).toBe(3);
});

it('a waiting mail that another key encrypted is refused for good', () => {
  const [one, other] = [openSealer(Buffer.alloc(32, 1)), openSealer(Buffer.alloc(32, 2))];
  const sealed = one.seal('mail in the job queue', mail);
  expect(openMail(sealed, one)).toMatchObject({ to: mail.to, text: mail.text });
  expect(() => openMail(sealed, other)).toThrow(MailRefused);
});
