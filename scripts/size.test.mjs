import { expect, it } from 'vitest';
import { measureBundles } from './setup/bundle-size.mjs';
import { buildWeb } from './setup/web.mjs';

it('loads at most 140.5 kB of JavaScript at first, and at most 41 kB more for each further route', async () => {
  await buildWeb();
  const sizes = measureBundles();
  expect(sizes[0]).toMatchObject({ route: '/sign-in', limit: 140_500, after: [] });
  const before = Object.fromEntries(sizes.map(({ route, after }) => [route, after]));
  expect(before).toMatchObject({
    '/': ['/sign-in'],
    '/sign-up': ['/sign-in'],
    '/reset-password': ['/sign-in'],
    '/create-post': ['/sign-in', '/'],
    '/verify-users': ['/sign-in', '/'],
  });
  expect(sizes.filter(({ bytes, limit }) => bytes > limit)).toEqual([]);
}, 120_000);
