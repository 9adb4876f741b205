import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { missingPackages } from './packages.mjs';

const machine = { os: 'linux', cpu: 'x64', libc: 'glibc' };

it('does not take an installation for complete that lacks a package of the lock file in its version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tara-packages-'));
  const install = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    mkdirSync(join(folder, path));
    writeFileSync(join(folder, path, 'package.json'), text);
  };
  install('node_modules/there', '{"version":"1.0.0"}');
  install('node_modules/old', '{"version":"1.0.0"}');
  install('node_modules/cut-off', '{"vers');
  const version = '2.0.0';
  const packages = {
    '': { version },
    server: { version },
    'node_modules/@tara/server': { link: true },
    'node_modules/there': { version: '1.0.0' },
    'node_modules/old': { version },
    'node_modules/cut-off': { version },
    'node_modules/builds': { version, dev: true },
    'server/node_modules/nested': { version },
    'node_modules/for-this-machine': { version, optional: true, os: ['linux'], cpu: 'x64', libc: ['glibc'] },
    'node_modules/for-musl': { version, optional: true, os: ['linux'], libc: ['musl'] },
    'node_modules/for-windows': { version, optional: true, os: ['win32'] },
    'node_modules/for-anybody': { version, optional: true },
  };
  expect(missingPackages(folder, { packages }, machine)).toEqual([
    'node_modules/old',
    'node_modules/cut-off',
    'node_modules/builds',
    'server/node_modules/nested',
    'node_modules/for-this-machine',
  ]);
  rmSync(folder, { recursive: true });
});
