import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';

/** Which steps are done, each with its result, on disk: a start that was cut off is continued by the next one. */
export interface Journal {
  /** Does a step that is not done yet; answers its result where that is an id. A step that fails is not done. */
  once(step: string, work: () => Promise<unknown>): Promise<string>;
  /** Removes the file, once all steps are done. */
  close(): Promise<void>;
}

const Steps = z.record(z.string(), z.string());

/** Opens the journal in `file`; null when there is none. */
export async function findJournal(file: string): Promise<Journal | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : createJournal(file, Steps.parse(JSON.parse(text)));
}

/** Begins a journal in `file`. */
export async function beginJournal(file: string): Promise<Journal> {
  await writeFile(file, '{}');
  return createJournal(file, {});
}

function createJournal(file: string, steps: z.infer<typeof Steps>): Journal {
  let written = Promise.resolve();
  return {
    async once(step, work) {
      const stored = steps[step];
      if (stored !== undefined) return stored;
      const answer = await work();
      const result = typeof answer === 'string' ? answer : '';
      steps[step] = result;
      written = written.then(async () => {
        await writeFile(`${file}.new`, JSON.stringify(steps));
        await rename(`${file}.new`, file);
      });
      await written;
      return result;
    },
    close: () => rm(file, { force: true }),
  };
}
