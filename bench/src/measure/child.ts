import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the workload: it answers each message that it is sent with one. */
export interface Child<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** ms that a child may take for one answer. */
const replyTimeoutMs = 60_000;

const gone = (file: string) => new Error(`${file} ended before it answered.`);

async function nextAnswer(child: ChildProcess, file: string): Promise<unknown> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(replyTimeoutMs)]);
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([answer]) => answer),
      once(child, 'exit', { signal }).then(() => Promise.reject(gone(file))),
    ]);
  } finally {
    over.abort();
  }
}

/**
 * Starts a module of ours as a process of its own, so that it has its own share of the machine.
 * It is ended with `stop`, or with this process.
 */
export function startChild<Question extends object, Answer>(
  module: URL,
  { args = [] }: { args?: readonly string[] } = {},
): Child<Question, Answer> {
  const child = fork(module, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  return {
    ask: async (question) => {
      if (child.exitCode !== null) throw gone(module.pathname);
      const answer = nextAnswer(child, module.pathname);
      child.send(question);
      // What comes over the pipe is what our own module sent.
      return (await answer) as Answer;
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

/** The other side: answers what the workload asks. */
export function answerParent<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('message', async (question) => {
    process.send?.(await answer(question as Question));
  });
  process.on('disconnect', () => process.exit());
}
