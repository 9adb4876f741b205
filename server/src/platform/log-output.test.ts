import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { boundedOutput } from './log-output.ts';

/** A stream whose reader takes a line when the test says so. */
function stalledStream() {
  const lines: string[] = [];
  let take: (() => void) | null = null;
  const stream = new Writable({
    decodeStrings: false,
    highWaterMark: 1,
    write(line: string, _encoding, done) {
      take = () => {
        lines.push(line);
        done();
      };
    },
  });
  const readAll = async () => {
    while (take !== null) {
      const next = take;
      take = null;
      next();
      await new Promise(setImmediate);
    }
    return lines.splice(0);
  };
  return { stream, readAll };
}

test('lines of a reader that stalls wait up to a limit, and those left out are counted once all are read', async () => {
  const { stream, readAll } = stalledStream();
  const output = boundedOutput(stream, 40);
  for (let index = 0; index < 10; index++) output.write(`line number ${index}\n`);
  const [first, second, third, counted, ...more] = await readAll();
  expect([first, second, third]).toEqual([0, 1, 2].map((index) => `line number ${index}\n`));
  expect(JSON.parse(counted ?? '')).toMatchObject({ level: 40, time: expect.any(String), lines: 7 });
  expect(more).toEqual([]);
  output.write('one more\n');
  expect(await readAll()).toEqual(['one more\n']);
});

test('a reader that is gone ends nothing', async () => {
  const { stream } = stalledStream();
  const output = boundedOutput(stream);
  output.write('one\n');
  stream.destroy(new Error('EPIPE'));
  await new Promise(setImmediate);
  expect(() => output.write('other\n')).not.toThrow();
});
