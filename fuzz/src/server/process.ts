import { on } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type StartedProcess, startServing } from '@tara/proof/process';
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
export async function startFuzzed(module: URL, environment: Record<string, string>): Promise<FuzzedServer> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const port = await freePort();
  let variables = environment;
  let server: StartedProcess;
  const start = async () => {
    server = await startServing([process.execPath, fileURLToPath(module), '--empty'], {
      env: { PATH, NODE_COMPILE_CACHE, PORT: String(port), ...variables },
      ipc: true,
    });
    await takesRequests(port);
  };
  await start();
  return {
    port,
    observe: async (question) => {
      const { child } = server;
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
      await server.stop('SIGKILL');
      await start();
    },
    logLine: (requestId) => {
      const { out, err } = server.output();
      return `${out}\n${err}`.split('\n').find((line) => line.includes(requestId) && line.includes('"err"'));
    },
    stop: async () => void (await server.stop('SIGTERM')),
  };
}
