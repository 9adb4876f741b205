import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A child process that replies to each message with one message. */
export interface Child<Request, Reply> {
  ask(request: Request): Promise<Reply>;
  stop(): Promise<void>;
}

/** Time limit of one reply. */
const replyTimeoutMs = 120_000;

const exitError = (file: string) => new Error(`${file} exited before it replied.`);

async function nextReply(child: ChildProcess, file: string): Promise<unknown> {
  const finished = new AbortController();
  const signal = AbortSignal.any([finished.signal, AbortSignal.timeout(replyTimeoutMs)]);
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([reply]) => reply),
      once(child, 'exit', { signal }).then(() => Promise.reject(exitError(file))),
    ]);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`${file} did not reply within ${replyTimeoutMs / 1_000} s.`, { cause: error });
  } finally {
    finished.abort();
  }
}

/**
 * Starts a module in a child process, so that it has its own share of the CPU. It ends with `stop`, or with this process.
 * Linux may share the CPU between sessions: with `ownSession` the child uses nothing of this session's share.
 */
export function startChild<Request extends object, Reply>(
  module: URL,
  { args = [], ownSession = false }: { args?: readonly string[]; ownSession?: boolean } = {},
): Child<Request, Reply> {
  const child = fork(module, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: ownSession });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  return {
    ask: async (request) => {
      if (child.exitCode !== null) throw exitError(module.pathname);
      const reply = nextReply(child, module.pathname);
      child.send(request);
      // Only our own module writes to this channel.
      return (await reply) as Reply;
    },
    stop: async () => {
      process.off('exit', end);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The child's side: replies to the messages of the parent. */
export function serveParent<Request, Reply>(handler: (request: Request) => Promise<Reply>): void {
  process.on('message', async (request) => {
    process.send?.(await handler(request as Request));
  });
  process.on('disconnect', () => process.exit());
}
