import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

function* filesOf(path) {
  if (!statSync(path, { throwIfNoEntry: false })) return;
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === 'node_modules' || entry.name.includes('.gen.') || entry.name.includes('.test.'))
      continue;
    yield* filesOf(join(path, entry.name));
  }
}

/** A hash of the content and the names of files and folders; tests and generated files do not count. */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of filesOf(path)) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** Whether the stamp file says that the work for this hash was done. */
export function isStamped(stamp, hash) {
  try {
    return readFileSync(stamp, 'utf8') === hash;
  } catch {
    return false; // Never done.
  }
}

/** Notes that the work for this hash was done. */
export const writeStamp = (stamp, hash) => writeFileSync(stamp, hash);
