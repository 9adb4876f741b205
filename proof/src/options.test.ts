import { expect, it } from 'vitest';
import { count, countFromOne, flag, minutes, parseOptions, pattern, seed, text } from './options.ts';

const options = {
  kills: count(50),
  seeds: countFromOne(1),
  minutes: minutes(5),
  calls: pattern(),
  fault: text('PATH'),
  write: flag(),
};

it('reads each kind of option', () => {
  const args = ['--kills', '3', '--minutes', '0.5', '--calls', '^post', '--fault=/v1/links', '--write'];
  expect(parseOptions(options, args)).toEqual({
    ...{ kills: 3, seeds: 1, minutes: 0.5, calls: /^post/, fault: '/v1/links', write: true },
  });
});

it('takes what each option is where it is not given', () => {
  expect(parseOptions(options, [])).toEqual({
    kills: 50,
    seeds: 1,
    minutes: 5,
    calls: null,
    fault: null,
    write: false,
  });
  expect(parseOptions({ seed: seed() }, []).seed).toBeLessThan(2 ** 31);
});

it.each([
  [['--kills', 'many'], /--kills takes a whole number, and not 'many'/],
  [['--kills', '1.5'], /--kills takes a whole number/],
  [['--kills', ''], /--kills takes a whole number/],
  [['--seeds', '0'], /--seeds takes a whole number above 0, and not '0'/],
  [['--minutes', '0'], /--minutes takes a number above 0/],
  [['--calls', '('], /--calls .*regular expression/i],
  [['--kill', '3'], /--kill/],
  [['feed'], /feed/],
])('refuses %j and names it', (args, message) => {
  expect(() => parseOptions(options, args)).toThrow(message);
});
