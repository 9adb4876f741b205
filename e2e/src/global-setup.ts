import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder of the run for what its workers share; workers inherit the variable. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'tara-e2e-run-'));
  process.env.TARA_E2E_FOLDER = folder;
  return () => rm(folder, { recursive: true, force: true });
}
