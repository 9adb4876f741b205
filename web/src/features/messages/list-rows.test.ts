import type { ReadMark } from '@tara/contract/messages/messages';
import { describe, expect, it } from 'vitest';
import { sampleMessage } from '../../testing/samples.ts';
import { dayLabel, listRows } from './use-chat.ts';

const at = (minute: number, second = 0) => new Date(2026, 0, 2, 10, minute, second).toISOString();
const message = (sequence: number, userId: string, createdAt: string, part = {}) =>
  sampleMessage({ sequence, userId, name: userId, clientKey: `key-${sequence}`, createdAt, ...part });
const none = { other: null, newAfter: null };

/**
 * Each row in short: `day`, `new`, or the author, `(` at the start and `)` at the end of a group, `!` with the name.
 */
function sketch(
  messages: ReturnType<typeof message>[],
  options: Partial<Parameters<typeof listRows>[2]> = {},
) {
  return listRows(messages, [], { viewerId: 'Ana', ...none, ...options }).map((row) => {
    if (row.kind !== 'message') return row.kind;
    const author = row.message.stored?.name ?? '';
    return `${row.isFirst ? '(' : ''}${author}${row.showsName ? '!' : ''}${row.isLast ? ')' : ''}`;
  });
}
const states = (messages: ReturnType<typeof message>[], other: ReadMark | null) =>
  listRows(messages, [], { viewerId: 'Ana', newAfter: null, other }).flatMap((row) =>
    row.kind === 'message' ? [row.state] : [],
  );

describe('the rows of a chat', () => {
  it('are grouped by author and minute, with the name where the author changes', () => {
    const messages = [
      message(1, 'Ben', at(1)),
      message(2, 'Ben', at(1, 30)),
      message(3, 'Ben', at(2)),
      message(4, 'Ana', at(2)),
      message(5, 'Ben', at(2)),
    ];
    expect(sketch(messages)).toEqual(['day', '(Ben!', 'Ben)', '(Ben)', '(Ana)', '(Ben!)']);
  });

  it('have a line before each day', () => {
    const tomorrow = new Date(2026, 0, 3, 10).toISOString();
    expect(sketch([message(1, 'Ben', at(1)), message(2, 'Ben', tomorrow)])).toEqual([
      'day',
      '(Ben!)',
      'day',
      '(Ben!)',
    ]);
  });

  it('keep a line of Tara apart from a member without an id', () => {
    const hidden = message(1, '', at(1), { name: 'Ben' });
    const admin = message(2, '', at(1), { name: 'Tara', admin: true });
    expect(sketch([hidden, admin])).toEqual(['day', '(Ben!)', '(Tara!)']);
  });

  it('have one line above the first new message of others', () => {
    const messages = [
      message(1, 'Ben', at(1)),
      message(2, 'Ana', at(1)),
      message(3, 'Ben', at(1)),
      message(4, 'Ben', at(1)),
    ];
    expect(sketch(messages, { newAfter: 1 })).toEqual(['day', '(Ben!)', '(Ana)', 'new', '(Ben!', 'Ben)']);
    expect(sketch(messages, { newAfter: 4 })).not.toContain('new');
  });

  it('show the state of own messages once for each state, at the end of a group', () => {
    const messages = [1, 2, 3, 4, 5].map((sequence) => message(sequence, 'Ana', at(sequence)));
    const other = { delivered: 4, read: 2 };
    expect(states(messages, other)).toEqual([null, 'Read', null, 'Delivered', 'Sent']);
    expect(states([...messages, message(6, 'Ben', at(6))], other).at(-1)).toBeNull();
  });

  it('show no state while marks are hidden', () => {
    expect(states([message(1, 'Ana', at(1))], null)).toEqual([null]);
  });

  it('end with the outbox', () => {
    const outgoing = {
      chatId: 'AnaBen',
      kind: 'receipt' as const,
      userId: 'Ana',
      clientKey: 'later',
      body: 'On my way',
      replyTo: null,
      hasPicture: false,
      picture: null,
      upload: { step: 'idle' as const },
      state: 'waiting' as const,
      failure: null,
      createdAt: at(3),
    };
    const rows = listRows([message(1, 'Ben', at(1))], [outgoing], { viewerId: 'Ana', ...none });
    expect(rows.at(-1)).toMatchObject({ key: 'later', message: { own: true, outgoing }, isFirst: true });
  });
});

it.each([
  ['the first minute of today', new Date(2026, 2, 1), 'Today'],
  ['the last minute of yesterday', new Date(2026, 1, 28, 23, 59), 'Yesterday'],
  ['the day before', new Date(2026, 1, 27, 23, 59), '27/02/26'],
])('%s has its label', (_, day, label) => {
  expect(dayLabel(day.toISOString(), new Date(2026, 2, 1, 10))).toBe(label);
});
