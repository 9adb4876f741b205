import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs a package on Debian as root; elsewhere it does nothing. `purpose` is what it is needed for. */
export function installOnDebian(name, purpose) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return;
  console.error(`Installing ${name} for ${purpose} …`);
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], options).status === 0;
  if (install()) return;
  spawnSync('apt-get', ['update'], options);
  install();
}
