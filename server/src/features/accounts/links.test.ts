import { expect, it } from 'vitest';
import { checkLink, linkWith } from './mails.ts';

const config = {
  publicUrl: 'https://tara.example',
  allowedOrigins: ['https://app.example'],
  production: false,
};

it.each([
  ['the public address', 'https://tara.example/confirming?username=a'],
  ['an allowed origin', 'https://app.example/confirming'],
  ['this machine at the server’s own port', 'http://localhost:3000/confirming'],
  ['this machine by address', 'http://[::1]:3000/confirming'],
])('leads to %s', (_where, url) => {
  expect(checkLink(url, config, 3000)).toBe(url);
});

it.each([
  'https://evil.example/',
  'https://tara.example@evil.example/',
  'https://eviltara.example/',
  'https://tara.example.evil.example/',
  'https://tara.example:444/',
  'http://tara.example/',
  'http://app.example/',
  'http://10.evil.example/reset',
  'http://127.evil.example:3000/reset',
  'http://192.168.evil.example:3000/reset',
  'http://172.16.evil.example:3000/reset',
  'http://[2001:4860:4860::8888]:3000/reset',
  'http://192.168.1.20:3000/reset',
  'http://evil:3000/reset',
  'http://localhost:3001/reset',
  'https://localhost:3000/reset',
  'https://a:b@tara.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'blob:https://tara.example/0a1b',
  'ftp://tara.example/',
])('an attacker cannot have a mailed secret lead to %s (threat-mailed-links)', (url) => {
  expect(() => checkLink(url, config, 3000)).toThrow('url: Must lead to a page of this site');
});

it('an attacker cannot have a mail of production lead to a machine’s own names', () => {
  expect(() => checkLink('http://localhost:3000/', { ...config, production: true }, 3000)).toThrow('url');
});

it('keeps the address’s own query and fragment', () => {
  expect(
    linkWith('https://tara.example/c?username=a%20b#top', { userId: 'u', secret: 's', expire: 'e' }),
  ).toBe('https://tara.example/c?username=a+b&userId=u&secret=s&expire=e#top');
});
