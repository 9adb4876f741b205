import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs packages on Debian as root; elsewhere it does nothing. Returns whether they are there. */
export function installOnDebian(names, purpose) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.error(`Installing ${names.join(', ')} for ${purpose} …`);
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...names], options).status === 0;
  if (install()) return true;
  spawnSync('apt-get', ['update'], options);
  return install();
}
