import { describe, expect, it } from 'vitest';
import { messageLength } from '../limits.ts';
import { offPlatformWarning } from '../notices.ts';
import messages from './messages.json' with { type: 'json' };
import { matchingRule, proposesOffPlatform } from './off-platform.ts';
import { fillers, phrases, spellings } from './phrases.ts';

/** The share of messages that fail, and what to print of each. */
const failures = (texts: readonly string[], fails: (text: string) => boolean) => {
  const failed = texts.filter(fails);
  for (const text of failed) console.log(`${matchingRule(text).rule?.name ?? 'not found'}: ${text}`);
  return failed.length / texts.length;
};

describe.each(Object.entries(messages))('of the messages %s', (_name, { proposing, harmless }) => {
  it('finds at least 90 % of those that propose to leave Tara', () => {
    expect(failures(proposing, (text) => !proposesOffPlatform(text))).toBeLessThanOrEqual(0.1);
  });

  it('matches at most 2 % of the harmless ones', () => {
    expect(failures(harmless, proposesOffPlatform)).toBeLessThanOrEqual(0.02);
  });
});

it('the list has at least 60 proposing and 200 harmless messages, none twice', () => {
  expect(messages.listed.proposing.length).toBeGreaterThanOrEqual(60);
  expect(messages.listed.harmless.length).toBeGreaterThanOrEqual(200);
  const all = Object.values(messages).flatMap(({ proposing, harmless }) => [...proposing, ...harmless]);
  expect(new Set(all).size).toBe(all.length);
});

it.each([
  'pay me on g c a s h directly',
  'pay me on G.C.A.S.H directly',
  'pay me on g-cash directly',
  'pay me on gc4$h directly',
  'pay me on gcaaaash directly',
  'pay me on ＧＣＡＳＨ directly',
  'pay me on gc\u200bash directly',
  'páy me ön gcásh directly',
  'bayad sa gcash ko nlng',
  'text me 0917 555 0123',
  'text me +63 (917) 555-0123',
  'text me o9175550123',
  'text me zero nine one seven five five five zero one two three',
  'write me at ana.lim@gmail.com',
])('sees through the spelling of %s', (text) => {
  expect(matchingRule(text).rule?.name).toEqual(expect.any(String));
});

it.each(['pay me on GCash', 'message me on Viber', 'you can pay me outside the app'])(
  'distinguishes a proposal from its refusal and its report: %s',
  (text) => {
    expect(proposesOffPlatform(text)).toBe(true);
    expect(proposesOffPlatform(`never ${text}`)).toBe(false);
    expect(proposesOffPlatform(`I reported somebody who wrote ${text}`)).toBe(false);
  },
);

/** A text of `length` characters that repeats a part. */
const repeated = (part: string, length: number) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

it.each([
  ...['a', ' ', '.', '@', '9', '0 ', 'a ', 'g c ', 'one ', '\n', ', ', 'ﷺ', '😂', '\u0301', '$4', '0917 '],
  ...[
    'wag ',
    'wag sa ',
    'hindi na ',
    'cancel ',
    'iwas ',
    'give you ',
    'my ',
    'sa ',
    'pay * ',
    'labas na ng ',
  ],
  ...[
    'never pay gcash to me ',
    'scam pay gcash to me ',
    'report add me on viber. ',
    'huwag mo na ',
    'na lang ',
  ],
])('takes at most twice the steps for twice the length: %j', (part) => {
  const half = matchingRule(repeated(part, messageLength / 2));
  const whole = matchingRule(repeated(part, messageLength));
  expect(whole.rule).toEqual(half.rule);
  expect(whole.steps).toBeLessThanOrEqual(2.1 * half.steps + 200);
  expect(whole.steps).toBeLessThanOrEqual(300 * messageLength);
});

it('phrases contain no word that normalisation removes or replaces', () => {
  const removed = new Set(fillers.filter((filler) => !filler.includes(' ')));
  const written = [...Object.values(phrases).flat(), ...fillers.filter((filler) => filler.includes(' '))];
  const unreachable = written.filter((phrase) =>
    phrase.split(' ').some((word) => removed.has(word) || word in spellings),
  );
  expect(unreachable).toEqual([]);
});

it('the warning has a title and a text in English and Filipino', () => {
  for (const { title, text } of [offPlatformWarning.en, offPlatformWarning.fil])
    expect(`${title} ${text}`).toContain('Tara');
});
