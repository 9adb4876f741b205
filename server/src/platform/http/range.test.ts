import { expect, test } from 'vitest';
import { readRange } from './range.ts';

test.each([
  ['bytes=0-9', [0, 9]],
  ['bytes=0-0', [0, 0]],
  ['bytes=90-', [90, 99]],
  ['bytes=-10', [90, 99]],
  ['bytes=-1000', [0, 99]],
  [' bytes=5-99 ', [5, 99]],
  ['bytes=0-100', null],
  ['bytes=100-', null],
  ['bytes=9-1', null],
  ['bytes=-', null],
  ['bytes=-0', null],
  ['bytes=', null],
  ['bytes=0-1,3-4', null],
  ['bytes=a-b', null],
  ['bytes=0x1-2', null],
  ['bytes=-1-2', null],
  ['bytes=99999999999999999999-', null],
  ['items=0-9', null],
  ['', null],
])('of 100 bytes %j is %j', (header, expected) => {
  expect(readRange(header, 100)).toEqual(expected && { start: expected[0], end: expected[1] });
});
