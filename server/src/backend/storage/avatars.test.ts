import { expect } from 'vitest';
import { serverTest } from '../../testing/test.ts';
import { avatarRoutes, initialsOf, initialsSvg } from './avatars.ts';

const test = serverTest(avatarRoutes);

test.each([
  ['Ana', 'A'],
  ['ana maria lopez', 'AM'],
  ['  Ñoño-Perez', 'ÑP'],
  ['', 'N'],
  ['<script>alert(1)</script>', 'SA'],
  ['"&<', 'N'],
  ['李 小龙', '李小'],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('§3 the first picture of a profile is an SVG that is kept and runs nothing (threat-stored-xss)', async ({
  server,
}) => {
  const response = await server.request(null, {
    url: '/v1/avatars/initials?name=Ana%20%3Cscript%3E&project=tara&width=80',
  });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toContain('image/svg+xml');
  expect(response.headers['content-security-policy']).toContain('sandbox');
  expect(response.headers['cache-control']).toContain('max-age');
  expect(response.body).not.toContain('<script');
  expect(initialsSvg('Ana')).toBe(initialsSvg('Ana'));
});

test('a name beyond the limit is refused', async ({ server }) => {
  const response = await server.request(null, { url: `/v1/avatars/initials?name=${'a'.repeat(129)}` });
  expect([response.statusCode, response.json().type]).toEqual([400, 'general_argument_invalid']);
});
