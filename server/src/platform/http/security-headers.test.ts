import { expect, test } from 'vitest';
import { securityHeaders } from './security-headers.ts';

test('the headers are those of the policy, and none that belong to one answer', async () => {
  const headers = await securityHeaders('http://localhost:3000');
  expect(headers['content-security-policy']).toContain("default-src 'self'");
  expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  for (const name of ['content-length', 'content-type', 'date', 'strict-transport-security']) {
    expect(headers).not.toHaveProperty(name);
  }
});

test('over https the browser is told to stay there', async () => {
  const headers = await securityHeaders('https://tara.example');
  expect(headers).toHaveProperty('strict-transport-security');
  expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
});
