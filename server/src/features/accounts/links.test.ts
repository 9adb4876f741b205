import { expect, it } from 'vitest';
import { checkLink, linkWith } from './links.ts';

const ours = {
  publicUrl: 'https://tara.example',
  allowedOrigins: ['https://app.example'],
  production: false,
};

it.each([
  ['the public address', 'https://tara.example/confirming?username=a', undefined],
  ['an allowed origin', 'https://app.example/confirming', undefined],
  ['the host one came by, on this machine', 'http://localhost:3000/confirming', 'localhost:3000'],
  ['the host one came by, at home', 'http://192.168.1.20:3000/confirming', '192.168.1.20:3000'],
])('leads to %s', (_where, url, host) => {
  expect(checkLink(url, ours, host)).toBe(url);
});

it.each([
  ['a foreign site', 'https://evil.example/', 'tara.example'],
  ['a foreign site that the Host header names too', 'https://evil.example/', 'evil.example'],
  ['a name before ours', 'https://tara.example@evil.example/', undefined],
  ['a name that ends like ours', 'https://eviltara.example/', undefined],
  ['another port', 'https://tara.example:444/', undefined],
  ['a script', 'javascript:alert(1)', undefined],
  ['credentials in it', 'https://a:b@tara.example/', undefined],
])('does not lead to %s', (_where, url, host) => {
  expect(() => checkLink(url, ours, host)).toThrow('url: Must lead to a page of this site');
});

it('leads to none but the configured hosts in production', () => {
  const host = 'localhost:3000';
  expect(() => checkLink(`http://${host}/`, { ...ours, production: true }, host)).toThrow('url');
});

it('keeps the address’s own query and fragment', () => {
  expect(
    linkWith('https://tara.example/c?username=a%20b#top', { userId: 'u', secret: 's', expire: 'e' }),
  ).toBe('https://tara.example/c?username=a+b&userId=u&secret=s&expire=e#top');
});
