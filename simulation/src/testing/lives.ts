import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase } from '@tara/server/testing/database';
import { test } from '@tara/server/testing/test';
import { describe, expect } from 'vitest';
import { liveSeed, type Place, runSeeds } from '../lives/run.ts';
import type { Script } from '../lives/script.ts';
import { openPool } from '../lives/share.ts';
import type { Subject } from '../lives/subject.ts';
import type { SubjectName } from '../lives/subjects.ts';
import { tamper, type World } from '../lives/world.ts';

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

/** Looks at a world in which something is changed past the product, and undoes the change. */
export async function whileTampered<Result>(
  world: Pick<World, 'admin'>,
  statements: string,
  look: () => Promise<Result>,
): Promise<Result> {
  // It has one connection: what is asked until the end is of this transaction.
  await world.admin.unsafe('begin');
  try {
    await tamper(world, statements);
    return await look();
  } finally {
    await world.admin.unsafe('rollback; reset session_replication_role');
  }
}

/**
 * Tests of what is known to be wrong with a subject.
 * @param broken a script that breaks `invariant`, and another one after it
 */
export function testKnown<W extends World, S extends Script>(
  name: SubjectName,
  subject: Subject<W, S>,
  { invariant, broken }: { invariant: string; broken: S },
): void {
  const knownTest = livesTest(name, subject);
  describe('what is known to be wrong', () => {
    knownTest.for([...subject.known])(
      'is shown by its seed: $cause',
      async ({ seed, deeds, ...row }, { place }) => {
        const drawn = subject.drawScript(seed);
        const acts = deeds?.map((deed) => ({ deed, steps: null }));
        const { findings } = await liveSeed(place, seed, { script: acts ? { ...drawn, acts } : drawn });
        expect(findings.map((finding) => finding.invariant)).toContain(row.invariant);
      },
    );

    knownTest.for([
      { goesOn: true, ends: 'goes on, and fails by what is new' },
      { goesOn: false, ends: 'ends, and does not fail' },
    ])('is no failure, and a life with it $ends', async ({ goesOn }, { place: { world } }) => {
      const row = { invariant, cause: 'rows are changed', seed: 1, goesOn };
      const planted = { ...subject, known: [row], drawScript: () => broken };
      const { failures, known } = await runSeeds({ subject: planted, world }, { first: 1, count: 1 });
      expect(known).toEqual(new Map([[invariant, [1]]]));
      expect(failures).toHaveLength(goesOn ? 1 : 0);
      expect(failures.map(({ finding }) => finding.invariant)).not.toContain(invariant);
    });
  });
}
