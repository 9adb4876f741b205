// `npm run test:start`: what an operator does with a fresh clone, in a copy of the files of this one. The scripts run on
// the lowest Node that `engines` names. An installation is cut off; then the server starts in production; an upgrade in
// place repairs a changed lock file and a lost package; and after `npm run build` it starts from a read-only checkout at
// another path, without a registry.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inRoot, root } from './setup/paths.mjs';
import { main } from './setup/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tara-first-start-'));
const checkout = join(folder, 'clone');
const { engines, optionalDependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/** Copies what a clone would have: every file that git knows or would add. */
function copyFiles() {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
  for (const file of files.filter((name) => name && existsSync(inRoot(name))))
    cpSync(inRoot(file), join(checkout, file));
}

/** Installs the lowest Node that may start the scripts; returns the folder of its program. */
function installLowestNode() {
  const [, version] = /(\d+\.\d+\.\d+)/.exec(engines.node);
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = Object.keys(optionalDependencies).find((key) => key.endsWith(`${platform}-${process.arch}`));
  if (name === undefined) throw new Error(`There is no Node package for ${platform} on ${process.arch}.`);
  execFileSync('npm', ['install', '--no-save', '--silent', '--prefix', folder, `${name}@${version}`]);
  const bin = join(folder, 'node_modules', name, 'bin');
  const actual = execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim();
  if (actual !== `v${version}`) throw new Error(`${name}@${version} is Node ${actual}.`);
  console.log(`The scripts run on Node ${version}.`);
  return bin;
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** What npm and the tests set for their children; settings of the machine, such as of its registry, stay. */
const ownVariables =
  /^(npm_(?!config_)|npm_config_local_prefix$|NODE_(ENV|OPTIONS|COMPILE_CACHE)$|INIT_CWD$|CI$)/i;

/** The environment as a shell has it: without what npm gave this script, and with the lowest Node first. */
function shellEnvironment(nodeFolder) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownVariables.test(name)));
  const path = (env.PATH ?? '').split(delimiter).filter((part) => !part.includes('node_modules'));
  return { ...env, PATH: [nodeFolder, ...path].join(delimiter) };
}

/** Runs a command in a process group of its own; `output` is what it wrote so far. */
function begin(file, args, { cwd = checkout, env }) {
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => (text += part));
  // The server has the same pipes, and ends after npm.
  const ended = once(child, 'close').then(([code]) => code);
  return { child, ended, output: () => text };
}

async function until(what, check, run) {
  let isOver = false;
  void run.ended.then(() => (isOver = true));
  while (!(await check())) {
    if (isOver) throw new Error(`It ended before ${what}:\n${run.output()}`);
    await delay(20);
  }
}

async function expectStatus(status, address, init) {
  const reply = await fetch(address, init);
  const text = await reply.text();
  if (reply.status !== status) throw new Error(`${address} answered ${reply.status}: ${text.slice(0, 500)}`);
  return text;
}

/** The first page with its script, a sign-up, and readiness. */
async function visit(url) {
  const page = await expectStatus(200, `${url}/`);
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
  if (script === undefined) throw new Error(`The first page has no script:\n${page}`);
  await expectStatus(200, new URL(script, url));
  const body = { email: 'first@tara.example', password: 'a-long-enough-phrase-7', name: 'First Member' };
  await expectStatus(200, `${url}/api/account/signUp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, username: 'first', isAdult: true, acceptsTerms: true }),
  });
  await expectStatus(200, `${url}/readyz`);
}

/** Starts production, visits it, and ends it by a signal to npm. */
async function startAndVisit(env, { command = ['npm', 'start'], dataDir = join(folder, 'data') } = {}) {
  const port = await freePort();
  const production = { NODE_ENV: 'production', ALLOW_STAND_INS: '1', PORT: String(port), DATA_DIR: dataDir };
  const [file, ...args] = command;
  const run = begin(file, args, { env: { ...env, ...production } });
  try {
    await until('it was ready', () => run.output().includes('Tara is ready at'), run);
    await visit(`http://127.0.0.1:${port}`);
  } finally {
    run.child.kill('SIGTERM');
    await run.ended;
  }
}

/** Cuts an installation off while npm writes packages, as a power cut would. */
async function cutOffInstallation(env) {
  const run = begin('npm', ['run', 'build'], { env: { ...env, NODE_ENV: 'production' } });
  await until('packages were there', () => existsSync(join(checkout, 'node_modules/typescript')), run);
  process.kill(-run.child.pid, 'SIGKILL');
  await run.ended;
}

async function build(env) {
  const run = begin('npm', ['run', 'build'], { env: { ...env, NODE_ENV: 'production' } });
  if ((await run.ended) !== 0) throw new Error(`npm run build failed:\n${run.output()}`);
}

/** The command line that runs `npm start` in a view of the checkout that cannot be written. */
function readOnlyStart() {
  const view = join(folder, 'view');
  mkdirSync(view);
  const script = 'mount --bind "$1" "$2" && mount -o remount,bind,ro "$2" && cd "$2" && exec npm start';
  const mounted = ['unshare', '--mount', 'sh', '-c', script, 'sh', checkout, view];
  try {
    execFileSync('unshare', ['--mount', 'true']);
    return mounted;
  } catch {
    console.log('This user may not mount: the rights to write are taken from the files instead.');
    execFileSync('chmod', ['-R', 'a-w', checkout]);
    return ['npm', 'start'];
  }
}

/** Every file of the checkout with its times and size. */
const listing = () =>
  execFileSync('find', ['.', '-printf', '%p %T@ %C@ %s\\n'], {
    cwd: checkout,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });

async function timed(name, run) {
  const start = Date.now();
  await run();
  console.log(`passed  ${name} (${Math.round((Date.now() - start) / 1000)} s)`);
}

await main(async () => {
  try {
    mkdirSync(checkout);
    copyFiles();
    const env = shellEnvironment(installLowestNode());
    await timed('an installation that is cut off', () => cutOffInstallation(env));
    await timed('npm start in production on a fresh clone', () => startAndVisit(env));
    await timed('an upgrade in place, with a changed lock file and a lost package', async () => {
      appendFileSync(join(checkout, 'package-lock.json'), '\n');
      rmSync(join(checkout, 'node_modules/vite'), { recursive: true });
      await build({ ...env, npm_config_omit: 'dev' });
    });
    await timed('npm start from a read-only checkout without a registry', async () => {
      const before = listing();
      const closed = { ...env, npm_config_registry: 'http://127.0.0.1:9/' };
      await startAndVisit(closed, { command: readOnlyStart(), dataDir: join(folder, 'other-data') });
      if (listing() !== before) throw new Error('The start wrote to the checkout.');
    });
  } finally {
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});
