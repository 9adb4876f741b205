import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Coverage } from './coverage.ts';
import { mergeRun, newRun, type Run, type Seeds } from './run.ts';

/** Seeds that a process is given at once. */
const blockSize = 10;

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

/**
 * Lives of so many seeds, shared out among as many processes as there are databases; what they show is the same whatever their
 * number.
 * @param urls addresses of migrated databases without rows
 * @param isEnough called after some were lived: whether no more are begun. Those before the last are lived all the same.
 */
export async function shareSeeds(
  urls: readonly string[],
  { first, count }: Seeds,
  isEnough: (run: Run & { lived: number }) => boolean = () => false,
): Promise<Run> {
  const run = newRun();
  let begun = 0;
  let lived = 0;
  let isOver = false;
  const work = async (url: string) => {
    const worker = fork(workerFile, [url], {
      serialization: 'advanced',
      execArgv: [...process.execArgv, `--max-semi-space-size=${youngMegabytes}`],
    });
    try {
      await hear(worker);
      while (begun < count && !isOver) {
        const block = { first: first + begun, count: Math.min(blockSize, count - begun) };
        begun += block.count;
        worker.send(block);
        const { counts, ...rest } = (await hear(worker)) as Sent;
        mergeRun(run, { ...rest, coverage: new Coverage(counts) });
        lived += block.count;
        isOver ||= isEnough({ ...run, lived });
      }
    } finally {
      if (worker.connected) worker.disconnect();
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
    }
  };
  await Promise.all(urls.map(work));
  run.failures.sort((one, other) => one.seed - other.seed);
  for (const seeds of run.known.values()) seeds.sort((one, other) => one - other);
  return run;
}
