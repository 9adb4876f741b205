import { expect, it } from 'vitest';
import { openBus } from './bus.ts';
import { openLog } from './log.ts';

interface Topics {
  sum: { a: number; b: number };
}

it('delivers to every subscriber of the topic, in order, until they leave', async () => {
  const bus = openBus<Topics>(openLog({ level: 'silent' }));
  const sums: number[] = [];
  const leave = bus.subscribe('sum', ({ a, b }) => void sums.push(a + b));
  bus.publish('sum', { a: 1, b: 2 });
  bus.publish('sum', { a: 3, b: 4 });
  await new Promise(setImmediate);
  leave();
  bus.publish('sum', { a: 5, b: 6 });
  await new Promise(setImmediate);
  expect(sums).toEqual([3, 7]);
});

it('logs what a subscriber throws and still serves the others', async () => {
  const lines: string[] = [];
  const bus = openBus<Topics>(
    openLog({ level: 'error', destination: { write: (line) => void lines.push(line) } }),
  );
  const reached: number[] = [];
  bus.subscribe('sum', () => {
    throw new Error('first subscriber');
  });
  bus.subscribe('sum', async () => {
    throw new Error('second subscriber');
  });
  bus.subscribe('sum', ({ a }) => void reached.push(a));
  bus.publish('sum', { a: 1, b: 1 });
  await new Promise(setImmediate);
  expect(reached).toEqual([1]);
  expect(lines.join()).toContain('first subscriber');
  expect(lines.join()).toContain('second subscriber');
});
