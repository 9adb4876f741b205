import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  destinationSearch,
  parseSearch,
  rememberDestination,
  rememberedDestination,
  safeDestination,
  stringifySearch,
  takeDestination,
  textParams,
} from './url.ts';

beforeEach(() => localStorage.clear());
afterEach(() => vi.useRealTimers());

test.for(['/post/1', '/profile/1?show=reviews', '/explore#top', '/all-users?search=a%20b', '/./post/1'])(
  'a path of this site is a destination: %s',
  (path) => {
    expect(safeDestination(path)).toBe(path.replace('/./', '/'));
    expect(destinationSearch(path)).toEqual({ redirect: safeDestination(path) });
  },
);

test.for([
  undefined,
  '',
  'post/1',
  'https://other.example/',
  'javascript:alert(1)',
  '//other.example',
  '///other.example',
  '/\\other.example',
  '\\\\other.example',
  '/\t/other.example',
  '/\n/other.example',
  '/.//other.example',
  '/post/../..//other.example',
  '/post\\1',
  ' /post/1',
])('no other site and no other scheme is one: %j (threat-shared-posts)', (value) => {
  expect(safeDestination(value)).toBeUndefined();
  expect(destinationSearch(value)).toEqual({});
});

test.for([
  '/',
  '/?x',
  '/sign-in',
  '/sign-in?redirect=/sign-in',
  '/sign-up',
  '/confirming?secret=1',
  '/welcome?step=look',
  '/recovery',
])('a screen that leads on itself is none: %s', (path) => expect(safeDestination(path)).toBeUndefined());

test('a destination is remembered for a day, and once taken for the other tab alone', () => {
  vi.useFakeTimers();
  expect(takeDestination()).toBe('/');
  rememberDestination('/post/1');
  expect(takeDestination()).toBe('/post/1');
  expect(takeDestination()).toBe('/post/1');
  vi.advanceTimersByTime(60_000);
  expect(takeDestination()).toBe('/');
  rememberDestination('/post/1');
  vi.advanceTimersByTime(24 * 3_600_000);
  expect(takeDestination()).toBe('/');
  rememberDestination('//other.example');
  expect(takeDestination()).toBe('/');
});

test('a remembered destination can be looked at without being taken', () => {
  vi.useFakeTimers();
  expect(rememberedDestination()).toBe('/');
  rememberDestination('/post/1');
  vi.advanceTimersByTime(60_000);
  expect(rememberedDestination()).toBe('/post/1');
  vi.advanceTimersByTime(60_000);
  expect(rememberedDestination()).toBe('/post/1');
});

test.for([
  'nonsense',
  '"/post/1"',
  '{"path":"//other.example","until":9e15}',
  '{"path":"/post/1","until":"x"}',
])('what something else stored leads home: %s', (stored) => {
  localStorage.setItem('destination', stored);
  expect(takeDestination()).toBe('/');
});

test('a secret of digits stays a text', () => {
  expect(parseSearch('?secret=0012&userId=1e5')).toEqual({ secret: '0012', userId: '1e5' });
});

test('what is written is read again', () => {
  const values = { textInputed: 'tara & friends? 100%', query: 'a+b' };
  expect(parseSearch(stringifySearch(values))).toEqual(values);
});

test('absent params are not written', () => {
  expect(stringifySearch({ tab: undefined, open: '' })).toBe('');
});

test('a route knows only its own params', () => {
  expect(textParams('query', 'mixId')({ query: 'c1', other: 'x' })).toEqual({ query: 'c1' });
});
