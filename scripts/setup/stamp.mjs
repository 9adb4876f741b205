import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './paths.mjs';

function* listFiles(path) {
  if (!statSync(path, { throwIfNoEntry: false })) return;
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === 'node_modules' || entry.name.includes('.gen.') || entry.name.includes('.test.'))
      continue;
    yield* listFiles(join(path, entry.name));
  }
}

/**
 * A hash of the contents and names of files and folders, without tests and generated files. Names count from the root of
 * the repository, which may be moved or mounted elsewhere once it is built.
 */
export function hashFiles(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of listFiles(path))
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
  }
  return hash.digest('hex');
}

/** Whether the stamp file records this hash. */
export function isStamped(stamp, hash) {
  try {
    return readFileSync(stamp, 'utf8') === hash;
  } catch {
    return false; // No stamp yet.
  }
}

/** Records in the stamp file that the work for this hash is done. The file is replaced: a copy by hard links keeps its own. */
export function writeStamp(stamp, hash) {
  const next = `${stamp}.${process.pid}`;
  writeFileSync(next, hash);
  renameSync(next, stamp);
}
