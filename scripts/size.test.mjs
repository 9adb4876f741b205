import { describe, expect, it } from 'vitest';
import {
  committedSizes,
  measureBundles,
  mostFirstLoad,
  sizeProblems,
  sizesToCommit,
} from './setup/bundle-size.mjs';
import { buildWeb } from './setup/web.mjs';

it('loads at most 150 kB of JavaScript at first, and hardly more of a route than at the last change', async () => {
  await buildWeb();
  const sizes = measureBundles();
  const before = Object.fromEntries(sizes.map(({ route, after }) => [route, after]));
  expect(before).toMatchObject({
    '/sign-in': [],
    '/': ['/sign-in'],
    '/sign-up': ['/sign-in'],
    '/reset-password': ['/sign-in'],
    '/create-post': ['/sign-in', '/'],
    '/verify-users': ['/sign-in', '/'],
  });
  expect(sizeProblems(sizes, committedSizes())).toEqual([]);
}, 120_000);

const size = (route, bytes) => ({ route, bytes, after: route === '/sign-in' ? [] : ['/sign-in'] });

describe('a route', () => {
  const committed = { '/sign-in': { bytes: 140_000 }, '/': { bytes: 40_000, reason: 'the feed' } };

  it.each([
    ['may grow by 5 %', [size('/sign-in', 147_000), size('/', 42_000)], []],
    [
      'that grew by more is refused, with the way to say why',
      [size('/sign-in', 140_000), size('/', 44_000)],
      ["/: grew by 10 %; npm run size -- --write --reason '/ why'"],
    ],
    [
      'that is new, or gone, is to be written',
      [size('/sign-in', 140_000), size('/new', 1)],
      ['/new: new; npm run size -- --write', '/: is no route any more; npm run size -- --write'],
    ],
    [
      'of the first load has a limit that no reason moves',
      [size('/sign-in', mostFirstLoad + 1), size('/', 40_000)],
      ['/sign-in: the first load is at most 150000 bytes'],
    ],
  ])('%s', (_name, sizes, problems) => {
    expect(sizeProblems(sizes, committed)).toEqual(problems);
  });

  it('is written with its reason, which goes when it shrinks', () => {
    const grown = [size('/sign-in', 140_000), size('/', 44_000)];
    expect(() => sizesToCommit(grown, committed)).toThrow('grew by 10 %');
    expect(sizesToCommit(grown, committed, { '/': 'stories' })).toEqual({
      '/sign-in': { bytes: 140_000 },
      '/': { bytes: 44_000, reason: 'stories' },
    });
    expect(sizesToCommit([size('/sign-in', 140_000), size('/', 39_000)], committed)).toEqual({
      '/sign-in': { bytes: 140_000 },
      '/': { bytes: 39_000 },
    });
    expect(() => sizesToCommit(grown, committed, { '/other': 'x' })).toThrow('/other is no route');
  });

  it('cannot be written beyond the first load’s limit, whatever the reason', () => {
    const sizes = [size('/sign-in', mostFirstLoad + 1), size('/', 40_000)];
    expect(() => sizesToCommit(sizes, committed, { '/sign-in': 'everything' })).toThrow('at most 150000');
  });
});
