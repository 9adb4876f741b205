import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type StartedProcess, startServing } from '@tara/proof/process';
import { freePort } from '@tara/server/platform/free-port';

const root = resolve(import.meta.dirname, '../..');

/** A server in a separate process, with an empty database in a temporary folder. */
export interface Tara {
  url: string;
  dataDir: string;
  /** Address of its database; null for the embedded one. */
  databaseUrl: string | null;
  /** ms since the epoch: when it was ready after its latest start. */
  readyAt: number;
  /** The id of its process; null when it has ended. */
  pid(): number | null;
  /** Kills it as a power cut would (SIGKILL). */
  kill(): Promise<void>;
  /** Starts it again on the same folder and port, from then on with these variables beside the others. */
  start(more?: NodeJS.ProcessEnv): Promise<void>;
  /** Ends it as an operator would, and keeps its folder. */
  stop(): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
  /** Runs `npm run admin` beside it. */
  admin(...words: string[]): Promise<string>;
}

async function run(words: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

interface TaraOptions {
  /** Flags of the server; `--empty` unless given. */
  flags?: string[];
  /** On top of this process's environment. */
  env?: NodeJS.ProcessEnv;
  /** Where its data is; a temporary folder unless given. */
  dataDir?: string;
  /** A data folder to begin from; it is copied. */
  copyFrom?: string;
}

/** Starts a server on a data folder of its own. */
export async function openTara(options: TaraOptions = {}): Promise<Tara> {
  const { flags = ['--empty'], env = {}, copyFrom } = options;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'tara-e2e-')));
  // The owner goes along: the database's files belong to the user it runs as.
  if (copyFrom) await once(spawn('cp', ['-a', `${copyFrom}/.`, dataDir], { stdio: 'inherit' }), 'exit');
  const port = await freePort();
  const environment: NodeJS.ProcessEnv = {
    // A server compiles for a second otherwise, at each of the many starts of a run.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    ...process.env,
    NODE_ENV: 'development',
    PORT: String(port),
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...env,
  };
  let server: StartedProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    await server?.stop(signal);
    server = undefined;
  };
  const tara: Tara = {
    url: `http://localhost:${port}`,
    dataDir,
    databaseUrl: environment.DATABASE_URL ?? null,
    readyAt: 0,
    pid: () => (server?.isRunning() ? server.pid : null),
    kill: () => end('SIGKILL'),
    start: async (more = {}) => {
      Object.assign(environment, more);
      const command = [process.execPath, 'server/src/main.ts', ...flags];
      server = await startServing(command, { cwd: root, env: environment });
      tara.readyAt = Date.now();
      server.child.stderr?.pipe(process.stderr);
      const log = process.env.SERVER_LOG;
      if (log) server.child.stdout?.pipe(createWriteStream(log, { flags: 'a' }));
    },
    stop: () => end('SIGTERM'),
    remove: async () => {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
    admin: (...words) => run(['server/src/admin.ts', ...words], environment),
  };
  await tara.start();
  return tara;
}
