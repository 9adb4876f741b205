import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Coverage } from './coverage.ts';
import { mergeRun, newRun, type Run, type Seeds } from './run.ts';
import type { SubjectName } from './subjects.ts';

/** Seeds that a process is given at once, at most. */
const mostInBlock = 10;

/** MB of what is new in memory: a life makes much of it, and leaves nothing. */
const youngMegabytes = 64;

/** What a process sends of a run. */
type Sent = Omit<Run, 'coverage'> & { counts: Coverage['counts'] };

const workerFile = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** The next message of a process. @throws Error when it ends before */
async function hear(worker: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const exit = once(worker, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`A process of the run ended with ${code}.`);
  });
  try {
    const [message] = (await Promise.race([once(worker, 'message'), exit])) as unknown[];
    return message;
  } finally {
    ended.abort();
    exit.catch(() => {});
  }
}

/** Processes that live seeds of a subject, each in a database of its own. */
export interface Pool {
  /**
   * Lives of so many seeds, shared out among them; what they show is the same whatever their number.
   * @param isEnough called after some were lived: whether no more are begun. Those before the last are lived all the same.
   */
  share(seeds: Seeds, isEnough?: (run: Run & { lived: number }) => boolean): Promise<Run>;
  close(): Promise<void>;
}

/** Starts as many processes as there are databases. @param urls addresses of migrated databases without rows */
export async function openPool(name: SubjectName, urls: readonly string[]): Promise<Pool> {
  const workers = urls.map((url) =>
    fork(workerFile, [name, url], {
      serialization: 'advanced',
      execArgv: [...process.execArgv, `--max-semi-space-size=${youngMegabytes}`],
    }),
  );
  const close = async () => {
    await Promise.all(
      workers.map(async (worker) => {
        if (worker.connected) worker.disconnect();
        if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
      }),
    );
  };
  try {
    await Promise.all(workers.map(hear));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    close,
    async share({ first, count }, isEnough = () => false) {
      const run = newRun();
      const blockSize = Math.min(mostInBlock, Math.ceil(count / workers.length));
      let begun = 0;
      let lived = 0;
      let isOver = false;
      const work = async (worker: ChildProcess) => {
        while (begun < count && !isOver) {
          const block = { first: first + begun, count: Math.min(blockSize, count - begun) };
          begun += block.count;
          worker.send(block);
          const { counts, ...rest } = (await hear(worker)) as Sent;
          mergeRun(run, { ...rest, coverage: new Coverage(counts) });
          lived += block.count;
          isOver ||= isEnough({ ...run, lived });
        }
      };
      await Promise.all(workers.map(work));
      run.failures.sort((one, other) => one.seed - other.seed);
      for (const seeds of run.known.values()) seeds.sort((one, other) => one - other);
      return run;
    },
  };
}
