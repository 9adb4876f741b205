import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase } from '@tara/server/testing/database';
import { test } from '@tara/server/testing/test';
import type { Place } from '../lives/run.ts';
import type { Script } from '../lives/script.ts';
import { openPool } from '../lives/share.ts';
import type { Subject } from '../lives/subject.ts';
import type { SubjectName } from '../lives/subjects.ts';
import type { World } from '../lives/world.ts';

/** Processes that live the seeds of a test: two, also where there is one core. */
const processes = 2;

/** Tests of a subject: a world of their own to live in, and processes that live many seeds. */
export const livesTest = <W extends World, S extends Script>(name: SubjectName, subject: Subject<W, S>) =>
  test
    .extend('place', { scope: 'file' }, async ({ connection }, { onCleanup }): Promise<Place<W, S>> => {
      const world = await subject.openWorld(connection.url);
      onCleanup(() => world.close());
      return { subject, world };
    })
    .extend('pool', { scope: 'file' }, async ({ migrated: _ }, { onCleanup }) => {
      const databases = await Promise.all(Array.from({ length: processes }, () => createTestDatabase()));
      const urls = databases.map(({ url }) => url);
      const pool = await openPool(name, urls);
      onCleanup(async () => {
        await pool.close();
        for (const { drop } of databases) await drop();
      });
      return pool;
    });

/** The life of a seed as the program prints it: in a process and a database of its own. */
export async function printedLife(name: SubjectName, seed: number): Promise<string> {
  const program = fileURLToPath(new URL(`../${name}.ts`, import.meta.url));
  const { url, drop } = await createTestDatabase();
  try {
    const args = [program, '--seed', String(seed), '--databases', url];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
    // The first line is the command.
    return stdout.slice(stdout.indexOf('\n') + 1).trimEnd();
  } finally {
    await drop();
  }
}
