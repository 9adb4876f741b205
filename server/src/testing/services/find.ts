import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const program = resolve(import.meta.dirname, '../../../../scripts/setup/services.mjs');

/** The file of a service that tests run beside Tara; null where it is not installed, which `npm test` says. */
export function findService(name: 'redis' | 'swift' | 'postgres' | 'caddy'): string | null {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, name], { encoding: 'utf8' });
  if (status !== 0 && stderr !== '') throw new Error(stderr);
  return status === 0 ? stdout.trim() : null;
}
