import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { inRoot } from './paths.mjs';
import { portProblem } from './port.mjs';

it('does not build for a port that is taken: npm start says it first, with the way out', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address();
  const start = spawn(process.execPath, [inRoot('scripts/start.mjs')], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [start.stdout, start.stderr]) stream.on('data', (part) => (text += part));
  const [code] = await once(start, 'close');
  expect(code).toBe(1);
  expect(text).toBe(
    `Port ${port} of 127.0.0.1 is in use by another program. Stop that one, or choose another port, such as PORT=${port < 65535 ? port + 1 : port - 1}; PORT=0 takes a free one.\n`,
  );
  other.close();
});

it('names an address that this machine does not have, and leaves wrong values to the server', async () => {
  expect(await portProblem({ HOST: '192.0.2.1', PORT: '0' })).toMatch(/^HOST=192\.0\.2\.1 is no address/);
  for (const PORT of ['0', 'many', '1.5', '70000', '-1'])
    expect([PORT, await portProblem({ PORT })]).toEqual([PORT, null]);
});
