import { describe, expect, it } from 'vitest';
import { mailboxPaths, sandboxPaths, startStandIns, unknownRoute } from './testing/stand-ins.ts';

describe('development on this machine', () => {
  const server = startStandIns({});
  const paths = ['/mailbox/messages', '/sandbox/', '/sandbox/events', '/sandbox/faults'];

  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.255.0.3:80', '[::1]', '[::1]:3000'])(
    'opens to the name %s',
    async (host) => {
      for (const path of paths)
        expect((await server.send(`GET ${path} HTTP/1.1`, `Host: ${host}`)).status).toBe(200);
    },
  );

  it.each([
    'tara.example',
    'tara.example:3000',
    'localhost.tara.example',
    '127.0.0.1.tara.example',
    'localhost.',
    '127.0.0.1.',
    'tara.localhost',
    'localhost@tara.example',
    'tara.example@localhost',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '127.0.0.256',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '::1',
    '::1:3000',
    '192.168.0.2',
    'localhost:80:80',
    'localhost, tara.example',
    'localhost/',
    '',
  ])(
    'a foreign page whose name %j was pointed here (DNS rebinding) reads nothing (threat-stand-ins)',
    async (host) => {
      for (const path of paths) {
        expect(await server.send(`GET ${path} HTTP/1.1`, `Host: ${host}`)).toMatchObject(unknownRoute);
      }
    },
  );

  it.each([
    ['without Host', 'GET /mailbox/messages HTTP/1.0'],
    ['with two', 'GET /mailbox/messages HTTP/1.1', 'Host: localhost', 'Host: tara.example'],
    [
      'with two, the foreign one first',
      'GET /mailbox/messages HTTP/1.1',
      'Host: tara.example',
      'Host: localhost',
    ],
    ['to a foreign target', 'GET http://tara.example/mailbox/messages HTTP/1.1', 'Host: localhost'],
  ])('a request %s reads nothing', async (_name, ...lines) => {
    const { status, body } = await server.send(...lines);
    expect([400, 404]).toContain(status);
    expect(body).not.toContain('messages');
  });

  it.each([
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-Host: localhost',
    'X-Forwarded-Proto: https',
    'Forwarded: for=127.0.0.1;host=localhost',
    'Via: 1.1 proxy',
    'X-Real-IP: 127.0.0.1',
  ])('a request that came through a proxy reads nothing: %s (threat-stand-ins)', async (header) => {
    for (const path of paths) {
      const answer = await server.send(`GET ${path} HTTP/1.1`, 'Host: localhost', header);
      expect(answer).toMatchObject(unknownRoute);
    }
  });

  it('takes the token under another name', async () => {
    const cookie = `Cookie: sandbox_token=${server.token('Mailbox')}`;
    expect((await server.send('GET /mailbox/messages HTTP/1.1', 'Host: tara.example', cookie)).status).toBe(
      200,
    );
  });
});

describe.each([
  ['HOST', '0.0.0.0'],
  ['PUBLIC_URL', 'http://tara.example:0'],
  ['TRUST_PROXY', '1'],
])('development that others can reach by %s=%s', (name, value) => {
  const server = startStandIns({ [name]: value });

  it('a stranger reads no mail, event or fault by the name of this machine', async () => {
    for (const path of [...mailboxPaths, ...sandboxPaths]) {
      expect(await server.send(`GET ${path} HTTP/1.1`, 'Host: localhost')).toMatchObject(unknownRoute);
    }
    expect((await fetch(`${server.url}/mailbox/`, server.withToken('Mailbox'))).status).toBe(200);
  });
});
