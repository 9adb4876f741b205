import { readdir, readFile } from 'node:fs/promises';

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

/** Parent and CPU time in ms of a process; null when it ended meanwhile. */
async function readStat(pid: number): Promise<{ parent: number; cpuMs: number } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // Behind the name, which may contain blanks: state, parent, …; user and system time are the 12th and 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs };
}

/**
 * CPU time of a process and its children so far, ms, in steps of 10 ms. Linux alone.
 * @throws Error when there is no such process
 */
export async function cpuWithChildren(pid: number): Promise<number> {
  const own = await readStat(pid);
  if (own === null) throw new Error(`The CPU time of process ${pid} cannot be read.`);
  const others = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(others.map((other) => readStat(Number(other))));
  return stats.reduce((sum, stat) => sum + (stat?.parent === pid ? stat.cpuMs : 0), own.cpuMs);
}
