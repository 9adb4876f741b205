import { expect, it } from 'vitest';
import { tableLines } from './table.ts';

const head = ['call', 'sent'];
const rows = [
  ['posts.feed', '7'],
  ['all', '12345'],
];

it('aligns figures to the right', () => {
  expect(tableLines(head, rows)).toEqual([
    'call         sent',
    '----------  -----',
    'posts.feed      7',
    'all         12345',
  ]);
});

it('aligns words to the left on request', () => {
  expect(tableLines(head, rows, 'left')).toEqual([
    'call        sent',
    '----------  -----',
    'posts.feed  7',
    'all         12345',
  ]);
});
