import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { freePort } from '@tara/server/platform/free-port';
import type { Observed, Question } from './monitor.ts';

/** A server in a separate process. */
export interface FuzzedServer {
  readonly port: number;
  /** What its event loop did since the last reset; null when it does not answer. */
  observe(question: Question): Promise<Observed | null>;
  /** Kills it, even when it is blocked, and starts it again. */
  restart(environment?: Record<string, string>): Promise<void>;
  /** The line of its log that names a request. */
  logLine(requestId: string): string | undefined;
  stop(): Promise<void>;
}

const startTimeoutMs = 60_000;
const answerTimeoutMs = 5_000;
const maxLogLines = 2_000;

async function ready(child: ChildProcess, lines: string[]): Promise<void> {
  await new Promise<void>((done, fail) => {
    const timer = setTimeout(() => fail(new Error('The server did not start in time.')), startTimeoutMs);
    const read = (chunk: string) => {
      lines.push(...chunk.split('\n'));
      lines.splice(0, Math.max(0, lines.length - maxLogLines));
      if (chunk.includes('is ready at')) {
        clearTimeout(timer);
        done();
      }
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(new Error(`The server ended with ${code}:\n${lines.slice(-20).join('\n')}`));
    });
  });
}

/** Waits until the server is no longer too busy with its own start to answer. */
async function takesRequests(port: number): Promise<void> {
  const until = Date.now() + startTimeoutMs;
  while (Date.now() < until) {
    const { status } = await fetch(`http://127.0.0.1:${port}/api/account/session`);
    if (status !== 503) return;
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Starts `module` with these variables and a port of its own; nothing else of this process's environment reaches it. */
export async function startProcess(module: URL, environment: Record<string, string>): Promise<FuzzedServer> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const port = await freePort();
  const lines: string[] = [];
  let variables = environment;
  let child: ChildProcess;
  const end = () => void child.kill('SIGKILL');
  const start = async () => {
    child = fork(module, ['--empty'], {
      env: { PATH, NODE_COMPILE_CACHE, PORT: String(port), ...variables },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    await ready(child, lines);
    await takesRequests(port);
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  process.once('exit', end);
  await start();
  return {
    port,
    observe: async (question) => {
      if (!child.connected) return null;
      const signal = AbortSignal.timeout(answerTimeoutMs);
      const messages = on(child, 'message', { signal });
      child.send(question);
      try {
        // Our own module sent it; the server itself only says that it serves.
        for await (const [message] of messages) if (message !== 'serving') return message as Observed;
      } catch {
        // It did not answer in time.
      }
      return null;
    },
    restart: async (more) => {
      variables = { ...variables, ...more };
      await stop('SIGKILL');
      await start();
    },
    logLine: (requestId) => lines.find((line) => line.includes(requestId) && line.includes('"err"')),
    stop: async () => {
      process.off('exit', end);
      await stop('SIGTERM');
    },
  };
}
