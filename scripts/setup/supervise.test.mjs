import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { test as databaseTest } from '../../server/src/testing/test.ts';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tara-supervise-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `npm start` without its build, in a process of its own: `args` are the server's; pauses are 1/100 of the real ones. */
function startSupervised(args, env = {}, cleanUp = undefined) {
  const code = `
    import { supervise } from ${JSON.stringify(new URL('./supervise.mjs', import.meta.url).href)};
    process.exitCode = await supervise(${JSON.stringify(args)}, { firstPauseMs: 10, longestPauseMs: 300, killAfterMs: 6000, cleanUp: ${JSON.stringify(cleanUp)} });`;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Also when the test failed.
  onTestFinished(() => child.kill('SIGTERM'));
  let text = '';
  const ended = once(child, 'close').then(([exitCode]) => exitCode);
  const arrived = (pattern) =>
    new Promise((done, fail) => {
      const look = () => pattern.test(text) && done(text);
      child.stdout.on('data', look);
      void ended.then(() => fail(new Error(`it ended before ${pattern}:\n${text}`)));
      look();
    });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').prependListener('data', (part) => (text += part));
  return { child, ended, arrived, output: () => text };
}

/** The lines of the log about ends of the server: why, and the pause. */
const ends = (text) =>
  text
    .split('\n')
    .filter((line) => line.includes('the server ended unexpectedly'))
    .map((line) => JSON.parse(line))
    .map(({ code, signal, pauseMs }) => ({ code, signal, pauseMs }));

/** A program that counts its starts in a file and does the line of its number, the last one at each further start. */
const program = (...lines) => [
  '--input-type=module',
  '-e',
  `import { appendFileSync, readFileSync } from 'node:fs';
   const file = ${JSON.stringify(join(folder, 'starts'))};
   appendFileSync(file, '.');
   const lines = ${JSON.stringify(lines)};
   const start = readFileSync(file, 'utf8').length;
   console.log('start ' + start);
   setInterval(() => {}, 1000);
   await eval('(async () => {' + lines[Math.min(start, lines.length) - 1] + '})()');`,
];

describe('a supervised server', () => {
  it('leaves nothing behind when it was killed and is stopped before it is started again', async () => {
    const { child, ended, arrived, output } = startSupervised(
      program(...Array(7).fill("process.kill(process.pid, 'SIGKILL')")),
      {},
      ['-e', "console.log('cleaned up')"],
    );
    await arrived(/"pauseMs":300/);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(output()).toContain('cleaned up');
  });

  it('is started again with growing pauses, up to the longest, and each end is logged with its reason', async () => {
    const { ended, output } = startSupervised(
      program(...Array(7).fill('process.exit(3)'), 'process.exit(0)'),
    );
    expect(await ended).toBe(0);
    expect(ends(output())).toEqual(
      [10, 20, 40, 80, 160, 300, 300].map((pauseMs) => ({ code: 3, signal: null, pauseMs })),
    );
  });

  it('is not started again when it refused its settings at the first start', async () => {
    const { ended, output } = startSupervised(program('process.exit(78)'));
    expect(await ended).toBe(78);
    expect(output()).toBe('start 1\n');
  });

  it('is not started again when it refused its settings after starts that broke off', async () => {
    const { ended, output } = startSupervised(
      program('process.exit(1)', "process.kill(process.pid, 'SIGKILL')", 'process.exit(78)'),
    );
    expect(await ended).toBe(78);
    expect(ends(output()).map(({ code, signal }) => code ?? signal)).toEqual([1, 'SIGKILL']);
  });

  it('is started again when it refused a start after one that served: that may not have let go yet', async () => {
    const { ended, output } = startSupervised(
      program("process.send('serving', () => process.exit(1))", 'process.exit(78)', 'process.exit(0)'),
    );
    expect(await ended).toBe(0);
    expect(ends(output()).map(({ code }) => code)).toEqual([1, 78]);
  });

  it('is not started again when somebody ended it by a signal of its own', async () => {
    const { ended, output } = startSupervised(program('process.kill(process.pid, "SIGTERM")'));
    expect(await ended).toBe(143);
    expect(output()).toBe('start 1\n');
  });

  it('is ended in order, and for good, by a signal to npm start', async () => {
    const drain =
      'process.on("SIGTERM", () => { console.log("drained"); process.exit(0); }); console.log("up")';
    const { child, ended, arrived, output } = startSupervised(program(drain));
    await arrived(/up/);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(output()).toBe('start 1\nup\ndrained\n');
  });

  it('is not started any more by a signal that comes in a pause', async () => {
    const { child, ended, arrived, output } = startSupervised(program('process.exit(1)'));
    await arrived(/"pauseMs":300/);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const starts = output().match(/^start \d/gm).length;
    expect(output().match(/ended unexpectedly/g)).toHaveLength(starts);
  });
});

/** Loaded into the server: SIGUSR2 throws in a timer, as a library could; SIGHUP takes memory until there is none. */
const faults = `data:text/javascript,${encodeURIComponent(`
  process.on('SIGUSR2', () => setTimeout(() => { throw new Error('of a library'); }, 1));
  process.on('SIGHUP', () => { const taken = []; for (;;) taken.push(new Array(100_000).fill(Math.random())); });
  console.log('pid ' + process.pid + '.');
`)}`;

databaseTest(
  'the server does not stay away after kill -9, an error in a timer of a library, or the end of its memory',
  async ({ connection }) => {
    const server = startSupervised(
      ['--max-old-space-size=128', '--import', faults, 'server/src/main.ts', '--empty'],
      { DATABASE_URL: connection.url, DATA_DIR: folder, PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' },
    );
    const ready = async (start) => {
      const text = await server.arrived(new RegExp(`(Tara is ready at [^]*){${start}}\n`));
      const pid = Number([...text.matchAll(/^pid (\d+)\.$/gm)].at(-1)[1]);
      const url = text
        .match(/Tara is ready at (\S+)/g)
        .at(-1)
        .split(' ')
        .at(-1);
      return { pid, url };
    };
    for (const [index, signal] of ['SIGKILL', 'SIGUSR2', 'SIGHUP'].entries()) {
      const { pid } = await ready(index + 1);
      process.kill(pid, signal);
    }
    const { url } = await ready(4);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    const [killed, thrown, exhausted] = ends(server.output());
    expect(killed).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(thrown).toMatchObject({ code: 1, signal: null });
    expect(exhausted).toMatchObject({ signal: expect.stringMatching(/^SIG(ABRT|TRAP|ILL)$/) });
    const line = server
      .output()
      .split('\n')
      .find((text) => text.includes('of a library'));
    expect(JSON.parse(line)).toMatchObject({
      level: 60,
      err: { message: 'of a library' },
      msg: 'the server ends by an error that nothing caught',
    });
  },
);
