import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const places = [
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

function find() {
  if (process.env.CHROMIUM_PATH) {
    if (existsSync(process.env.CHROMIUM_PATH)) return process.env.CHROMIUM_PATH;
    throw new Error('CHROMIUM_PATH names no file.');
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places].find(
    existsSync,
  );
}

/** The browser for the browser tests: the machine's own, or on Debian as root the one just installed; or undefined. */
export function findChromium() {
  const found = find();
  if (found || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return found;
  console.error('Installing Chromium for the browser tests …');
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options).status === 0;
  if (!install()) {
    spawnSync('apt-get', ['update'], options);
    install();
  }
  return find();
}
