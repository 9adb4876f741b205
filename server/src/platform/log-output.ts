import type { Writable } from 'node:stream';
import { nowDate } from '@tara/contract/clock';
import type { DestinationStream } from 'pino';

/** `warn`, as pino writes it. */
const warnLevel = 40;
/** Characters of lines that wait for whoever reads them. */
const mostWaiting = 4 * 2 ** 20;

/**
 * Writes lines to a stream, and waits for nobody: while its reader stalls so much of them waits, and what comes then is left out until all
 * of that is read. A line says how many those were. A reader that is gone gets none.
 */
export function boundedOutput(
  stream: Pick<Writable, 'write' | 'on' | 'writableLength'>,
  most = mostWaiting,
): DestinationStream {
  let leftOut = 0;
  stream.on('error', () => {});
  stream.on('drain', () => {
    if (leftOut === 0) return;
    const line = { level: warnLevel, time: nowDate().toISOString(), lines: leftOut };
    leftOut = 0;
    stream.write(
      `${JSON.stringify({ ...line, msg: 'lines of the log were left out: nobody read those before' })}\n`,
    );
  });
  return {
    write(line) {
      if (leftOut > 0 || stream.writableLength > most) leftOut++;
      else stream.write(line);
    },
  };
}
