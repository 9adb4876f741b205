import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import { insertMember, type Member } from '../testing/members.ts';
import { pictureBytes } from '../testing/pictures.ts';
import { testPlatform } from '../testing/platform.ts';
import { type TestServer, testServer } from '../testing/server.ts';
import type { UploadPace } from './multipart.ts';
import { storageRoutes } from './storage.ts';

let test: TestDatabase;
let server: TestServer;
let port: number;
const sockets = new Set<Socket>();

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await server.close();
});

/** A server that listens behind a pretended proxy, so that addresses can be chosen. */
async function listen(pace?: UploadPace): Promise<void> {
  const platform = testPlatform(test.database, { TRUST_PROXY: '1' });
  server = await testServer(platform, (app) => storageRoutes(app, platform, randomBytes(32), { pace }));
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  const address = server.app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
}

const patient = { timeout: 10_000, interval: 100 };
const path = '/v1/storage/buckets/images/files';

interface Begun {
  socket: Socket;
  /** The first that is answered. */
  first: Promise<string>;
  /** All that is answered until the connection is closed. */
  answer: Promise<string>;
}

/** Begins an upload that announces 5 MB, and leaves the rest to the test. */
function begin(member: Member, ip: string): Begun {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
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
async function settled(): Promise<void> {
  await fetch(`http://127.0.0.1:${port}/nowhere`);
}

async function upload(member: Member, ip: string): Promise<{ status: number; type?: string }> {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(await pictureBytes())], { type: 'image/jpeg' }), 'a.jpg');
  const headers = { 'x-appwrite-session': member.secret, 'x-forwarded-for': ip };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: form, headers });
  const { type }: { type?: string } = JSON.parse(await response.text());
  return { status: response.status, type };
}

const members = (count: number) =>
  Promise.all(Array.from({ length: count }, () => insertMember(test.database)));

describe('F8: uploads that trickle', () => {
  it('by three members, from the same address too, cannot have another’s upload refused', async () => {
    await listen();
    const ana = await insertMember(test.database);
    for (const member of await members(3)) for (let sent = 0; sent < 4; sent++) begin(member, '203.0.113.9');
    await settled();
    expect(await upload(ana, '203.0.113.9')).toMatchObject({ status: 201 });
  });

  it('by many members from many networks keep another’s waiting no longer than they may last', async () => {
    await listen({ seconds: 60, bytesPerSecond: 1000, intervalSeconds: 0.5 });
    const ana = await insertMember(test.database);
    const answers = (await members(12)).map((member, index) => begin(member, `198.51.${index}.1`).answer);
    await settled();
    expect(await upload(ana, '203.0.113.9')).toMatchObject({ status: 201 });
    for (const answer of await Promise.all(answers)) expect(answer).toContain('storage_upload_too_slow');
  });

  it('end with a clear error, and their connection with it', async () => {
    await listen({ seconds: 60, bytesPerSecond: 1000, intervalSeconds: 0.2 });
    const { socket, answer } = begin(await insertMember(test.database), '203.0.113.9');
    const trickle = setInterval(() => socket.write('x'), 50);
    const [head = '', body = ''] = (await answer).split('\r\n\r\n');
    clearInterval(trickle);
    expect(head).toMatch(/^HTTP\/1.1 408 /);
    expect(JSON.parse(body)).toMatchObject({
      type: 'storage_upload_too_slow',
      message: 'Your upload took too long - please try again with a better connection',
    });
  });

  it('just fast enough still end when the time for a whole upload is over', async () => {
    await listen({ seconds: 1, bytesPerSecond: 1, intervalSeconds: 0.2 });
    const { socket, answer } = begin(await insertMember(test.database), '203.0.113.9');
    const trickle = setInterval(() => socket.write('x'.repeat(100)), 20);
    const received = await answer;
    clearInterval(trickle);
    expect(received).toMatch(/^HTTP\/1.1 408 /);
  });
});

describe('uploads of one member', () => {
  /** Begins more than may wait, and waits until the last are refused. */
  async function fill(member: Member): Promise<Begun[]> {
    const begun = Array.from({ length: 15 }, () => begin(member, '203.0.113.9'));
    const refusals: string[] = [];
    for (const { first } of begun) void first.then((answer) => refusals.push(answer));
    await expect.poll(() => refusals.length, patient).toBe(3);
    for (const refusal of refusals) expect(refusal).toContain('general_rate_limit_exceeded');
    return begun;
  }

  it('wait for each other up to a number, beyond which they are refused, and no one else’s is', async () => {
    await listen();
    const ben = await insertMember(test.database);
    await fill(await insertMember(test.database));
    expect(await upload(ben, '203.0.113.9')).toMatchObject({ status: 201 });
  });

  it('are forgotten while they wait when their sender is gone', async () => {
    await listen();
    const ana = await insertMember(test.database);
    for (const { socket } of await fill(ana)) socket.destroy();
    await expect.poll(async () => (await upload(ana, '203.0.113.9')).status, patient).toBe(201);
  });
});
