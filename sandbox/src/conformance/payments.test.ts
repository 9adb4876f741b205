import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ROWS } from './rows.ts';

const script = fileURLToPath(new URL('./payments.ts', import.meta.url));

const runScript = (...args: string[]) =>
  new Promise<{ code: number | null; output: string }>((done) => {
    const child = execFile(process.execPath, [script, ...args], (_error, stdout, stderr) =>
      done({ code: child.exitCode, output: stdout + stderr }),
    );
  });

it('is passed by every call of a third-party client that it makes correctly (§7-provider-envelope)', async () => {
  const { code, output } = await runScript();
  expect(output).toMatch(/ passed, 0 failed, 7 that the client itself gets wrong/);
  expect(output).toMatch(/paymongo\.js .* paymongo .* paymongo-node .* @theyahia\/paymongo-mcp /);
  for (const { title } of ROWS) expect(output).toContain(`\n${title} `);
  expect(code).toBe(0);
});

it('fails when the provider does', async () => {
  const { code, output } = await runScript('--fault', '/v1/links');
  expect(output).toContain('FAILED: paymongo 1.3.2: POST /links:');
  expect(output).toContain('FAILED: @theyahia/paymongo-mcp 1.1.0: POST /links: PayMongo HTTP 500:');
  expect(code).toBe(1);
});
