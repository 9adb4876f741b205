import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The C library of this machine, as packages name it; null where there is no choice. */
function machineLibc() {
  if (process.platform !== 'linux') return null;
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/** The machine, in the fields by which a package names the ones that it is for. */
const thisMachine = () => ({ os: process.platform, cpu: process.arch, libc: machineLibc() });

function installedVersion(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  } catch {
    return null; // Not there, or cut off.
  }
}

/**
 * The packages of a lock file that `base` does not have in their version: those for every machine, and the optional ones
 * for this one. Other optional packages may be missing.
 */
export function missingPackages(base, lockFile, machine = thisMachine()) {
  const isNeeded = (entry) => {
    const limits = ['os', 'cpu', 'libc'].filter((field) => entry[field]);
    if (entry.optional && limits.length === 0) return false;
    return limits.every((field) => [entry[field]].flat().includes(machine[field]));
  };
  return Object.entries(lockFile.packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && isNeeded(entry))
    .filter(([path, entry]) => installedVersion(join(base, path)) !== entry.version)
    .map(([path]) => path);
}
