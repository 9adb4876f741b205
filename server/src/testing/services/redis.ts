import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StartedProcess, startProcess } from '@tara/proof/process';
import { Redis } from 'ioredis';
import { freePort } from '../../platform/free-port.ts';
import { findService } from './find.ts';

/** Path of redis-server; null where it is not installed. */
export const redisProgram = findService('redis');

/** A real Redis of a test's own, without anything on disk. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Runs commands on a connection of its own. */
  run<Result>(commands: (redis: Redis) => Promise<Result>): Promise<Result>;
  /** Answers nothing until `resume`; connections stay. */
  pause(): void;
  resume(): void;
  /** Ends it at once, with all that it holds. */
  kill(): Promise<void>;
  /** Starts it again on the same port, unless it runs. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Starts one with further settings, such as `--requirepass`. */
export async function startRedis(...settings: string[]): Promise<RedisServer> {
  if (redisProgram === null) throw new Error('redis-server is not installed.');
  const folder = await mkdtemp(join(tmpdir(), 'tara-redis-'));
  const port = await freePort();
  const command = [redisProgram, '--port', String(port), '--bind', host, '--save', '', '--dir', folder];
  const start = () =>
    startProcess([...command, ...settings], {
      env: { PATH: process.env.PATH },
      until: /Ready to accept connections/,
    });
  let server: StartedProcess = await start();
  return {
    port,
    url: `redis://${host}:${port}`,
    async run(commands) {
      const redis = new Redis({ host, port, retryStrategy: () => null, maxRetriesPerRequest: 0 });
      redis.on('error', () => {});
      try {
        return await commands(redis);
      } finally {
        redis.disconnect();
      }
    },
    pause: () => void server.child.kill('SIGSTOP'),
    resume: () => void server.child.kill('SIGCONT'),
    kill: async () => void (await server.stop('SIGKILL')),
    async start() {
      if (!server.isRunning()) server = await start();
    },
    async close() {
      await server.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A running sentinel. */
export interface Sentinel {
  port: number;
  /** Replicas of the master that it knows, one of which it can make the next master. */
  countReplicas(): Promise<number>;
  /** Port of the master that it names. */
  masterPort(): Promise<number>;
  close(): Promise<void>;
}

/** Starts a sentinel that watches a master by the name `main`. */
export async function startSentinel(master: Pick<RedisServer, 'port'>): Promise<Sentinel> {
  if (redisProgram === null) throw new Error('redis-server is not installed.');
  const folder = await mkdtemp(join(tmpdir(), 'tara-sentinel-'));
  const port = await freePort();
  const file = join(folder, 'sentinel.conf');
  const settings = [
    `port ${port}`,
    `bind ${host}`,
    `dir ${folder}`,
    `sentinel monitor main ${host} ${master.port} 1`,
    'sentinel down-after-milliseconds main 1000',
    'sentinel failover-timeout main 4000',
  ];
  await writeFile(file, `${settings.join('\n')}\n`);
  const server = await startProcess([redisProgram, file, '--sentinel'], {
    env: { PATH: process.env.PATH },
    until: /\+monitor master main/,
  });
  const client = new Redis({ host, port });
  return {
    port,
    async countReplicas() {
      const replicas = await client.call('SENTINEL', 'REPLICAS', 'main');
      return Array.isArray(replicas) ? replicas.length : 0;
    },
    async masterPort() {
      const answer = await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main');
      return Number(Array.isArray(answer) ? answer[1] : 0);
    },
    async close() {
      client.disconnect();
      await server.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
