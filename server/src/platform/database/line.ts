import type { Sql } from './connect.ts';

/** More statements wait for a pool than may. */
export class PoolBusy extends Error {
  override readonly name = 'PoolBusy';
  readonly code = 'POOL_BUSY';
}

/** Places for so many at once; who finds none free waits in line, first come first served. */
export interface Line {
  /** Takes a place if one is free. */
  tryEnter(): boolean;
  /**
   * Takes a place, or waits for one.
   * @throws PoolBusy when as many wait as may
   */
  enter(): Promise<void>;
  /** Gives a place back, to the first in line. */
  leave(): void;
}

/** Opens a line for so many places. */
export function openLine({ places, mostWaiting }: { places: number; mostWaiting: number }): Line {
  let free = places;
  const waiting: (() => void)[] = [];
  const tryEnter = () => {
    if (free === 0) return false;
    free--;
    return true;
  };
  return {
    tryEnter,
    enter: async () => {
      if (tryEnter()) return;
      if (waiting.length >= mostWaiting) throw new PoolBusy('Too many statements wait for the database.');
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave: () => {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}

/** A statement as the driver gives it. */
export type SentStatement = ReturnType<Sql['unsafe']>;
type Rows = Awaited<SentStatement>;

/**
 * A statement that is sent once it is awaited, in the shape of the driver's that drizzle-orm reads rows by.
 * @param run decides when `send` is called, and waits for what it gives
 */
export function deferQuery(
  send: () => SentStatement,
  run: <Result>(start: () => PromiseLike<Result>) => Promise<Result>,
): Pick<SentStatement, 'then' | 'values'> {
  let sent: Promise<Rows> | undefined;
  const rows = () => (sent ??= run<Rows>(send));
  return {
    // biome-ignore lint/suspicious/noThenProperty: as the driver's, a statement is sent when it is first awaited.
    then: (...handlers: Parameters<Promise<Rows>['then']>) => rows().then(...handlers),
    values: () => run(() => send().values()),
  } as Pick<SentStatement, 'then' | 'values'>;
}
