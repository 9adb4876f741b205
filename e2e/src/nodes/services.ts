import { createECDH, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPaymongo, WEBHOOK_EVENTS } from '@tara/paymongo';
import { startServing } from '@tara/proof/process';
import { freePort } from '@tara/server/platform/free-port';
import { type Line, openLine } from '@tara/server/testing/faults/line';
import { type OlderPostgres, startOlderPostgres } from '@tara/server/testing/services/postgres';
import { type RedisServer, startRedis, startSentinel } from '@tara/server/testing/services/redis';
import { openSwift } from '@tara/server/testing/services/s3';

/** What the process of the stand-ins works by. */
export interface StandInSettings {
  folder: string;
  /** Where members reach the nodes; `/sandbox` and `/mailbox` of it lead to the stand-ins. */
  publicUrl: string;
  port: number;
  mailPort: number;
  /** The key that the payment sandbox takes from the nodes. */
  secretKey: string;
  /** The only address that the payment sandbox delivers to. */
  webhookUrl: string;
}

/** A Redis and its replica, of which a Sentinel makes the master. */
export interface RedisPair {
  readonly both: readonly [RedisServer, RedisServer];
  /** The one that is the master by the Sentinel. */
  master(): Promise<RedisServer>;
}

/** What nodes share, each part in processes of its own. */
export interface SharedServices {
  /** The variables of every node. */
  readonly env: Record<string, string>;
  readonly postgres: OlderPostgres;
  readonly redis: RedisPair;
  /** The way of all nodes to the S3 store. */
  readonly store: Line;
  /** Host and port of the stand-ins for mail and payment. */
  readonly standIns: string;
  close(): Promise<void>;
}

const database = 'tara';

async function openPostgres(): Promise<OlderPostgres> {
  const postgres = await startOlderPostgres();
  await postgres.run('postgres', `create database ${database}`);
  // As docs/operations.md advises.
  for (const setting of ['random_page_cost = 1.1', 'jit = off'])
    await postgres.run('postgres', `alter database ${database} set ${setting}`);
  return postgres;
}

async function openRedis() {
  const both = [await startRedis(), await startRedis()] as const;
  const [first, second] = both;
  await second.run((client) => client.replicaof('127.0.0.1', first.port));
  const sentinel = await startSentinel(first);
  const pair: RedisPair = {
    both,
    master: async () => {
      const port = await sentinel.masterPort();
      return port === second.port ? second : first;
    },
  };
  const close = async () => {
    await sentinel.close();
    for (const server of both) await server.close();
  };
  return { pair, url: `redis+sentinel://127.0.0.1:${sentinel.port}/main`, close };
}

async function openStandIns(publicUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tara-stand-ins-'));
  const settings: StandInSettings = {
    folder: join(folder, 'sandbox'),
    publicUrl,
    port: await freePort(),
    mailPort: await freePort(),
    secretKey: `sk_test_${randomBytes(16).toString('hex')}`,
    webhookUrl: `${publicUrl}/api/payment/webhook`,
  };
  await mkdir(settings.folder, { mode: 0o700 });
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const program = join(import.meta.dirname, 'stand-ins.ts');
  const { stop } = await startServing([process.execPath, program, JSON.stringify(settings)], {
    env: { PATH, NODE_COMPILE_CACHE },
  });
  const baseUrl = `http://127.0.0.1:${settings.port}/sandbox`;
  const { webhooks } = createPaymongo({ secretKey: settings.secretKey, baseUrl });
  const { attributes } = await webhooks.create({ url: settings.webhookUrl, events: [...WEBHOOK_EVENTS] });
  return {
    address: `127.0.0.1:${settings.port}`,
    env: {
      SMTP_URL: `smtp://127.0.0.1:${settings.mailPort}`,
      PAYMONGO_BASE_URL: baseUrl,
      PAYMONGO_SECRET_KEY: settings.secretKey,
      PAYMONGO_WEBHOOK_SECRET: attributes.secret_key ?? '',
    },
    close: async () => {
      await stop('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const newKey = () => randomBytes(32).toString('base64');

function newVapidKey(): string {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // Leading zeros are left out of it.
  return Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
}

/** Starts what nodes share that are reached at `publicUrl`: Postgres, Redis with Sentinel, an S3 store, and stand-ins for mail and payment. */
export async function openServices(publicUrl: string): Promise<SharedServices> {
  const [postgres, redis, swift, standIns] = await Promise.all([
    openPostgres(),
    openRedis(),
    openSwift(),
    openStandIns(publicUrl),
  ]);
  const { settings } = swift;
  const store = await openLine(() => connect(Number(new URL(settings.endpoint).port), '127.0.0.1'));
  return {
    env: {
      PUBLIC_URL: publicUrl,
      TRUST_PROXY: '1',
      DATABASE_URL: postgres.url(database),
      REDIS_URL: redis.url,
      S3_ENDPOINT: `http://127.0.0.1:${store.port}`,
      S3_BUCKET: settings.bucket,
      S3_REGION: settings.region,
      S3_ACCESS_KEY_ID: settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
      ...standIns.env,
      SERVER_KEY: newKey(),
      DOCUMENTS_KEY: newKey(),
      VAPID_PRIVATE_KEY: newVapidKey(),
    },
    postgres,
    redis: redis.pair,
    store,
    standIns: standIns.address,
    close: async () => {
      store.cut();
      await Promise.all([standIns.close(), swift.stop(), redis.close(), postgres.stop()]);
    },
  };
}
