import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Agent, createServer } from 'node:https';
import { type AddressInfo, connect as connectSocket, type LookupFunction } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ConnectionOptions, connect } from 'node:tls';
import { importJWK, type JWTPayload, jwtVerify } from 'jose';
import { generate } from 'selfsigned';
import type { PushTarget } from '../platform/push.ts';

/** A request as the push service got it. */
export interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A browser with its keys, which alone can read what is sent to it. */
export function testBrowser(endpoint: string) {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const auth = randomBytes(16);
  const target: PushTarget = {
    endpoint,
    p256dh: ecdh.getPublicKey('base64url'),
    auth: auth.toString('base64url'),
  };
  /** Decrypts a body of RFC 8188 with one record, by the keys of RFC 8291. @throws Error for any other */
  const decrypt = (body: Buffer): string => {
    const salt = body.subarray(0, 16);
    const recordSize = body.readUInt32BE(16);
    const keyLength = body.readUInt8(20);
    const senderKey = body.subarray(21, 21 + keyLength);
    const record = body.subarray(21 + keyLength);
    if (record.length > recordSize) throw new Error('It has more than one record.');
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), senderKey]);
    const ikm = hkdfSync('sha256', ecdh.computeSecret(senderKey), auth, info, 32);
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(ikm), salt, `Content-Encoding: ${name}\0`, length));
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.findLastIndex((byte) => byte !== 0);
    if (padded[end] !== 2) throw new Error('It is not the last record.');
    return padded.subarray(0, end).toString();
  };
  return { target, decrypt };
}

/** Checks the token of RFC 8292 as a push service does, and returns what it says. @throws Error when it is not valid */
export async function checkVapid(
  { headers }: ReceivedPush,
  { publicKey, audience }: { publicKey: string; audience: string },
): Promise<JWTPayload> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
  if (key !== publicKey) throw new Error('It is signed by another key.');
  const point = Buffer.from(key, 'base64url');
  const coordinates = {
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const { payload } = await jwtVerify(
    token,
    await importJWK({ kty: 'EC', crv: 'P-256', ...coordinates }, 'ES256'),
    { algorithms: ['ES256'], audience, maxTokenAge: undefined },
  );
  return payload;
}

/** Where a push service of this machine is, and its certificate in PEM. */
export interface PushServiceAddress {
  host: string;
  port: number;
  certificate: string;
}

/**
 * How an agent connects to `host`: its name is looked up as for every connection, and told to `note` with the port that was
 * asked for; then the connection goes to the push service of this machine, whose certificate it trusts.
 */
export const connectHere =
  (
    { port, certificate }: Omit<PushServiceAddress, 'host'>,
    lookup: LookupFunction,
    note: (connection: string) => void = () => undefined,
  ): Agent['createConnection'] =>
  (options, done) => {
    const { host: name = '', port: askedPort } = options as { host?: string; port?: number };
    lookup(name, { all: true }, (error, addresses) => {
      if (error) return void done?.(error, undefined as never);
      note(`${JSON.stringify(addresses)} ${askedPort}`);
      const socket = connectSocket(port, '127.0.0.1');
      const secure: ConnectionOptions = { socket, servername: name, ca: certificate };
      done?.(null, connect(secure));
    });
    return undefined;
  };

type Answer = (response: ServerResponse, push: ReceivedPush) => void;

/**
 * A push service on this machine with the certificate of `host`. Connections of its agents to that host come here, whatever
 * address its name has; the name is looked up as for every connection.
 */
export async function openPushService(host: string) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: host }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
  });
  const received: ReceivedPush[] = [];
  const state: { answer: Answer; connections: string[] } = {
    answer: (response) => void response.writeHead(201).end(),
    connections: [],
  };
  const server = createServer({ key, cert }, async (request, response) => {
    const push = { path: request.url ?? '', headers: request.headers, body: await buffer(request) };
    received.push(push);
    state.answer(response, push);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** An agent that trusts the certificate, and connects to this server in place of the address that was looked up. */
  const agent = (lookup: LookupFunction) => {
    const tlsAgent = new Agent({ keepAlive: true });
    tlsAgent.createConnection = connectHere(
      { port, certificate: cert },
      lookup,
      (connection) => void state.connections.push(connection),
    );
    return tlsAgent;
  };
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const address: PushServiceAddress = { host, port, certificate: cert };
  return { received, state, agent, address, stop };
}
