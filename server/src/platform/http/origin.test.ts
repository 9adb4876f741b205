import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { checkOrigin, classifyOrigin } from './origin.ts';

const config = {
  publicUrl: 'https://tara.example/',
  allowedOrigins: ['https://app.example', 'http://app.example:8080', 'appwrite-android://com.example.app'],
  production: true,
};
const development = { ...config, production: false };
const port = 3000;

const foreign = [
  'http://tara.example',
  'https://tara.example:444',
  'https://tara.example.',
  'https://tara.example.evil.example',
  'https://eviltara.example',
  'https://www.tara.example',
  'http://app.example',
  'https://app.example:8080',
  'http://10.evil.example:3000',
  'http://127.evil.example:3000',
  'http://192.168.evil.example:3000',
  'http://192.168.1.20:3000',
  'http://10.0.0.1:3000',
  'http://intranet:3000',
  'http://localhost.evil.example:3000',
  'http://[2001:4860:4860::8888]:3000',
  'http://[fe80::1]:3000',
  'http://0.0.0.0:3000',
  'http://127.0.0.2:3000',
  'http://localhost:3001',
  'http://localhost',
  'https://localhost:3000',
  'https://[::1]:3000',
  'ws://localhost:3000',
  'appwrite-ios://com.example.app',
  'appwrite-android://com.example.app.evil',
  'null',
  '',
];
const loopback = ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'];

describe('an attacker cannot pass for one of our pages (threat-stolen-sessions)', () => {
  it.each(foreign)('from %s', (origin) => {
    expect(classifyOrigin(origin, config, port)).toBeNull();
    expect(classifyOrigin(origin, development, port)).toBeNull();
  });

  it.each(loopback)('in production from %s', (origin) => {
    expect(classifyOrigin(origin, config, port)).toBeNull();
  });
});

it.each([
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, true],
  ['a page of another host of the site', { 'sec-fetch-site': 'same-site' }, true],
  ['our own page', { 'sec-fetch-site': 'same-origin' }, false],
  ['a person, by the address bar', { 'sec-fetch-site': 'none' }, false],
  ['what is no browser', {}, false],
  ['a page whose origin is not known', { 'sec-fetch-site': 'none', origin: 'https://evil.example' }, true],
] as const)('a write of %s with %j is refused: %s (threat-stolen-sessions)', (_who, headers, isRefused) => {
  const request = { headers, socket: { localPort: port } } as unknown as FastifyRequest;
  const check = () => checkOrigin(request, config);
  if (isRefused) expect(check).toThrow(expect.objectContaining({ type: 'general_unknown_origin' }));
  else expect(check).not.toThrow();
});

it('knows PUBLIC_URL, ALLOWED_ORIGINS and, in development, this machine at the server’s own port', () => {
  expect(classifyOrigin('https://tara.example', config, port)).toBe('own');
  expect(config.allowedOrigins.map((origin) => classifyOrigin(origin, config, port))).toEqual([
    'allowed',
    'allowed',
    'allowed',
  ]);
  expect(loopback.map((origin) => classifyOrigin(origin, development, port))).toEqual(['own', 'own', 'own']);
  expect(classifyOrigin('http://localhost', development, 80)).toBe('own');
});
