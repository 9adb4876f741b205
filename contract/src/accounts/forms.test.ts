import { expect, it } from 'vitest';
import { parseTags } from '../posts/posts.ts';
import { allowedName, Email, KnownUsername, Name, Username } from './forms.ts';

const isAscii = (text: string) => /^[\x21-\x7e]+$/.test(text);

/** Every character beyond ASCII that becomes ASCII in lower case, in capitals or by folding. */
const turningAscii = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code > 0x7f && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((letter) =>
    [
      letter.toLowerCase(),
      letter.toUpperCase(),
      letter.normalize('NFKC'),
      letter.normalize('NFKC').toLowerCase(),
    ].some(isAscii),
  );

it('no character that becomes ASCII later is taken in an email or a username (threat-lookalike-texts)', () => {
  expect(turningAscii.length).toBeGreaterThan(1000);
  expect(turningAscii).toEqual(expect.arrayContaining(['\u212a', '\u017f', '\uff4b']));
  const accepted = turningAscii.filter(
    (letter) =>
      Email.safeParse(`mi${letter}a@demo.tara`).success ||
      Email.safeParse(`mika@${letter}emo.tara`).success ||
      Username.safeParse(`mi${letter}a`).success,
  );
  expect(accepted).toEqual([]);
});

it('both spellings of a tag are one, for each character that folds to ASCII (threat-lookalike-texts)', () => {
  const folding = turningAscii.filter((letter) => /^[a-z\d]+$/i.test(letter.normalize('NFKC')));
  const different = folding.filter(
    (letter) => parseTags(`se${letter}a`)[0] !== `se${letter.normalize('NFKC')}a`,
  );
  expect(different).toEqual([]);
  expect(parseTags('ｂｅａｃｈ，sea, ＃sun')).toEqual(['beach', 'sea', 'sun']);
});

it('ASCII emails are lower-cased, and others are refused by name', () => {
  expect(Email.parse(' Mika@Demo.Tara ')).toBe('mika@demo.tara');
  const issues = Email.safeParse('mi\u212aa@demo.tara').error?.issues;
  expect(issues?.map(({ message }) => message)).toEqual(['Email must not contain characters such as ñ or é']);
  const issue = Username.safeParse('niño').error?.issues[0];
  expect(issue?.message).toBe('Username must contain only the letters a to z and numbers');
  expect(KnownUsername.safeParse('niño').success).toBe(true);
});

it.each([
  '\u3164\u3164',
  '\u115f\u1160',
  '\uffa0\uffa0',
  'Ana\u3164',
  '\u200bAna',
  'A\u00adna',
  '\u2800\u2800',
  '\u2060\u2060',
])('nobody has a name that cannot be seen: %j (threat-lookalike-texts)', (name) => {
  expect(Name.safeParse(name).success).toBe(false);
  expect(Username.safeParse(name).success).toBe(false);
});

it.each(['Ana Cruz', 'Niño Peña', 'Зоя', '王小明', 'محمد', '김민수'])('%s is a name', (name) => {
  expect(Name.safeParse(name).success).toBe(true);
});

it('a name whose accents are characters of their own becomes the name of composed letters', () => {
  expect(Name.parse('Zoe\u0308 Pen\u0303a')).toBe('Zo\u00eb Pe\u00f1a');
  // An accent that makes no letter with what it stands on.
  expect(Name.safeParse('Anaq\u0308').success).toBe(false);
});

it.for([
  ["Zoë O'Neil", 'Zoë ONeil'],
  ['Zoe\u0308 O’Neil', 'Zoë ONeil'],
  ['Jean-Luc', 'Jean Luc'],
  ['J. P. Cruz', 'J P Cruz'],
  ['J.Cruz', 'J Cruz'],
  ['An\u200ba!', 'Ana'],
  ["'-.", ''],
  ["O'Neil of a very long name", ''],
] as const)('of the name %j, %j is offered', ([written, offered]) => {
  expect(allowedName(written)).toBe(offered);
});
