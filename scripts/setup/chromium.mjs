import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const paths = [
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

function find() {
  if (process.env.CHROMIUM_PATH) {
    if (existsSync(process.env.CHROMIUM_PATH)) return process.env.CHROMIUM_PATH;
    throw new Error('CHROMIUM_PATH is not a file.');
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...paths].find(existsSync);
}

/** Path of the browser for the browser tests, or undefined. Installs it on Debian as root when there is none. */
export function findChromium() {
  const installed = find();
  if (installed || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return installed;
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
