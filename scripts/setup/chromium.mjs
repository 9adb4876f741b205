import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installOnDebian } from './debian.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const paths = [
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Chromium without windows, by Debian's package: the same engine, which takes a quarter less of the processor. */
const headlessShell = 'chromium-headless-shell';

/** Path of a program by its possible names; CHROMIUM_PATH names one for all. */
function find(names) {
  if (process.env.CHROMIUM_PATH) {
    if (existsSync(process.env.CHROMIUM_PATH)) return process.env.CHROMIUM_PATH;
    throw new Error('CHROMIUM_PATH is not a file.');
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

const findWindowed = () => find(names) ?? paths.find(existsSync);

/** Path of the browser that people use, or undefined. Installs it on Debian as root when there is none. */
export function findChromium() {
  const installed = findWindowed();
  if (installed) return installed;
  installOnDebian(['chromium'], 'the browser tests');
  return findWindowed();
}

/** Path of the browser for the browser tests, or undefined: without windows where Debian has it, else as people use it. */
export function findTestChromium() {
  const installed = find([headlessShell]);
  if (installed) return installed;
  installOnDebian([headlessShell], 'the browser tests');
  return find([headlessShell]) ?? findChromium();
}
