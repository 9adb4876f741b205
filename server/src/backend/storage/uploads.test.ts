import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import { type Images, openImages } from '../../platform/images/queue.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { pictureBytes } from '../../testing/features/pictures.ts';
import { testServer } from '../../testing/server.ts';
import { test as base } from '../../testing/test.ts';
import type { UploadPace } from './multipart.ts';
import { storageRoutes } from './storage.ts';

/** `listen` starts a server behind a pretended proxy, so that addresses can be chosen, and returns its port. */
const test = base
  .extend('environment', { scope: 'file' }, { TRUST_PROXY: '1' })
  .extend(
    'listen',
    ({ platform, onTestFinished }) =>
      async (pace?: UploadPace, images?: Images): Promise<number> => {
        const server = await testServer(platform, (app) =>
          storageRoutes(app, platform, randomBytes(32), { pace, images }),
        );
        onTestFinished(() => server.close());
        await server.app.listen({ port: 0, host: '127.0.0.1' });
        const address = server.app.server.address();
        return typeof address === 'object' && address !== null ? address.port : 0;
      },
  );

const poll = { timeout: 30_000, interval: 100 };
const path = '/v1/storage/buckets/images/files';

interface Begun {
  socket: Socket;
  /** The first that is answered. */
  first: Promise<string>;
  /** All that is answered until the connection is closed. */
  answer: Promise<string>;
}

/** Begins an upload that announces 5 MB, and leaves the rest to the test. */
function begin(port: number, member: Member, ip: string): Begun {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${ip}\r\nX-Appwrite-Session: ${member.secret}\r\n` +
      'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000000\r\n\r\n' +
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n',
  );
  const first = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  let received = '';
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (data) => (received += String(data)));
    socket.on('error', () => {});
    socket.once('close', () => resolve(received));
  });
  return { socket, first, answer };
}

/** Waits until the server has taken all these requests, which it does in the order of their arrival. */
async function settled(port: number): Promise<void> {
  await fetch(`http://127.0.0.1:${port}/nowhere`);
}

async function upload(port: number, member: Member, ip: string): Promise<{ status: number; type?: string }> {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(await pictureBytes())], { type: 'image/jpeg' }), 'a.jpg');
  const headers = { 'x-appwrite-session': member.secret, 'x-forwarded-for': ip };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: form, headers });
  const { type }: { type?: string } = JSON.parse(await response.text());
  return { status: response.status, type };
}

const insertMembers = (database: Database, count: number) =>
  Promise.all(Array.from({ length: count }, () => insertMember(database)));

describe('F8: uploads that trickle (threat-starvation)', () => {
  test('by three members, from the same address too, cannot have another’s upload refused', async ({
    database,
    listen,
  }) => {
    const port = await listen();
    const ana = await insertMember(database);
    for (const member of await insertMembers(database, 3))
      for (let sent = 0; sent < 4; sent++) begin(port, member, '203.0.113.9');
    await settled(port);
    expect(await upload(port, ana, '203.0.113.9')).toMatchObject({ status: 201 });
  });

  test('by many members from many networks keep another’s waiting no longer than they may last', async ({
    database,
    listen,
  }) => {
    const port = await listen({ seconds: 60, bytesPerSecond: 1000, intervalSeconds: 0.5 });
    const ana = await insertMember(database);
    const answers = (await insertMembers(database, 12)).map(
      (member, index) => begin(port, member, `198.51.${index}.1`).answer,
    );
    await settled(port);
    expect(await upload(port, ana, '203.0.113.9')).toMatchObject({ status: 201 });
    for (const answer of await Promise.all(answers)) expect(answer).toContain('storage_upload_too_slow');
  });

  test('end with a clear error, and their connection with it', async ({ database, listen }) => {
    const port = await listen({ seconds: 60, bytesPerSecond: 1000, intervalSeconds: 0.2 });
    const { socket, answer } = begin(port, await insertMember(database), '203.0.113.9');
    const trickle = setInterval(() => socket.write('x'), 50);
    const [head = '', body = ''] = (await answer).split('\r\n\r\n');
    clearInterval(trickle);
    expect(head).toMatch(/^HTTP\/1.1 408 /);
    expect(JSON.parse(body)).toMatchObject({
      type: 'storage_upload_too_slow',
      message: 'Your upload took too long - please try again with a better connection',
    });
  });

  test('just fast enough still end when the time for a whole upload is over', async ({
    database,
    listen,
  }) => {
    const port = await listen({ seconds: 1, bytesPerSecond: 1, intervalSeconds: 0.2 });
    const { socket, answer } = begin(port, await insertMember(database), '203.0.113.9');
    const trickle = setInterval(() => socket.write('x'.repeat(100)), 20);
    const received = await answer;
    clearInterval(trickle);
    expect(received).toMatch(/^HTTP\/1.1 408 /);
  });
});

describe('uploads of one member (threat-starvation)', () => {
  /** Begins more than may wait, and waits until the last are refused. */
  async function fill(port: number, member: Member): Promise<Begun[]> {
    const begun = Array.from({ length: 15 }, () => begin(port, member, '203.0.113.9'));
    const refusals: string[] = [];
    for (const { first } of begun) void first.then((answer) => refusals.push(answer));
    await expect.poll(() => refusals.length, poll).toBe(3);
    for (const refusal of refusals) expect(refusal).toContain('general_rate_limit_exceeded');
    return begun;
  }

  test('wait for each other up to a number, beyond which they are refused, and no one else’s is', async ({
    database,
    listen,
  }) => {
    const port = await listen();
    const ben = await insertMember(database);
    await fill(port, await insertMember(database));
    expect(await upload(port, ben, '203.0.113.9')).toMatchObject({ status: 201 });
  });

  test('are dropped while they wait when their sender disconnects', async ({ database, listen }) => {
    const port = await listen();
    const ana = await insertMember(database);
    for (const { socket } of await fill(port, ana)) socket.destroy();
    await expect.poll(async () => (await upload(port, ana, '203.0.113.9')).status, poll).toBe(201);
  });

  test('are refused before anything of them is read when their pictures took too much time (threat-slow-neighbours)', async ({
    database,
    listen,
  }) => {
    const pace = { seconds: 5, bytesPerSecond: 1, intervalSeconds: 1 };
    const port = await listen(pace, openImages({ accountCpuMs: 1 }));
    const [ana, ben] = [await insertMember(database), await insertMember(database)];
    expect(await upload(port, ana, '203.0.113.9')).toMatchObject({ status: 201 });
    // Nothing but the head of the request is sent.
    const { first } = begin(port, ana, '203.0.113.9');
    expect(await first).toMatch(/^HTTP\/1.1 429 [\s\S]*general_rate_limit_exceeded/);
    // What is no form would be refused as such by whoever reads it.
    const headers = { 'x-appwrite-session': ana.secret, 'content-type': 'text/plain' };
    const send = { method: 'POST', body: 'no form', headers };
    expect((await fetch(`http://127.0.0.1:${port}${path}`, send)).status).toBe(429);
    expect(await upload(port, ben, '198.51.100.7')).toMatchObject({ status: 201 });
  });
});
