// Loaded into the server's process by the workload, before the server: reports its memory when it gets SIGUSR2.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface ServerMemory {
  /** Bytes of live JavaScript objects, after a collection. */
  javaScript: number;
  /** Bytes of the C heap, which has the sockets and what they wait to send. */
  native: number;
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Resident bytes of this process's C heap. Linux alone. */
function nativeBytes(): number {
  const [, kilobytes] =
    /\[heap\]\n(?:.*\n)*?Rss: +(\d+) kB/.exec(readFileSync('/proc/self/smaps', 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error('The memory map of the server names no heap.');
  return Number(kilobytes) * 1024;
}

process.on('SIGUSR2', () => {
  // Twice: what the first one finalizes is freed by the second.
  collect();
  collect();
  const memory: ServerMemory = { javaScript: process.memoryUsage().heapUsed, native: nativeBytes() };
  if (process.connected) process.send?.(memory);
});
process.channel?.unref();
