import { expect, test } from 'vitest';
import './call.ts';

test('zod never tries to evaluate code', async () => {
  const z = await import('zod');
  expect(z.config().jitless).toBe(true);
  expect(z.object({ name: z.string() }).safeParse({ name: 'Ana' }).success).toBe(true);
});
