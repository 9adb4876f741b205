import { type ChildProcess, spawn } from 'node:child_process';

/** The line that a server prints when it serves; its port is the first group. */
export const readyLine = /is ready at \S*?(\d+)\r?\n/;

/** A process of a program, with what it wrote. */
export interface StartedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The port that it printed; null when it ended before, and for an `until` without one. */
  readonly port: number | null;
  /** The newest of what it wrote to stdout, and to stderr: at most a million characters each. */
  output(): { out: string; err: string };
  /** Its exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  isRunning(): boolean;
  /** Sends a signal, and returns the exit code. Safe to call again. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

interface ProcessOptions {
  /** Its whole environment: nothing of this process's reaches it by itself. */
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** What finds in its output that it is ready, with its port as the first group. */
  until?: RegExp;
  /** Time limit until it is ready: then it is killed. */
  timeoutMs?: number;
  /** With a channel for messages. */
  ipc?: boolean;
}

/** Those that run: they end with this process. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const mostCharacters = 1_000_000;
/** Against hanging only: a busy machine takes a minute to start a server. */
const startTimeoutMs = 300_000;

/**
 * Starts a program and waits until it is ready, or has ended. It is killed with this process.
 * @throws Error when the program is not found
 */
export async function startProcess(
  [file = '', ...args]: readonly string[],
  { env, cwd, until = readyLine, timeoutMs = startTimeoutMs, ipc = false }: ProcessOptions,
): Promise<StartedProcess> {
  const child = spawn(file, args, {
    env,
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  });
  const end = () => void child.kill('SIGKILL');
  running.add(child);
  const output = { out: '', err: '' };
  const collect = (stream: 'out' | 'err') => (text: string) => {
    output[stream] = (output[stream] + text).slice(-mostCharacters);
  };
  child.stdout?.setEncoding('utf8').on('data', collect('out'));
  child.stderr?.setEncoding('utf8').on('data', collect('err'));
  // When both streams are read to their end.
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  void ended.then(() => running.delete(child));
  const timer = setTimeout(end, timeoutMs);
  const port = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    const read = () => {
      const match = until.exec(output.out);
      if (match === null) return;
      child.stdout?.off('data', read);
      done(match[1] === undefined ? null : Number(match[1]));
    };
    child.stdout?.on('data', read);
    void ended.then(() => done(null));
  }).finally(() => clearTimeout(timer));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    child,
    pid: child.pid ?? 0,
    port,
    output: () => ({ ...output }),
    ended,
    isRunning,
    stop: async (signal) => {
      if (isRunning()) child.kill(signal);
      return ended;
    },
  };
}

/** Starts a server and waits until it serves. @throws Error with what it wrote when it ended instead */
export async function startServing(
  command: readonly string[],
  options: ProcessOptions,
): Promise<StartedProcess & { port: number }> {
  const started = await startProcess(command, options);
  const { port } = started;
  if (port !== null) return { ...started, port };
  const { out, err } = started.output();
  throw new Error(`The server ended with ${await started.ended}:\n${`${out}${err}`.slice(-10_000)}`);
}
