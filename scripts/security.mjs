// `npm run check:security`: the browser bundle holds no secret and no server-only text, and npm audit names no package.
// Exit code 1: something was found. 2: nothing was found, but npm audit could not be asked, so nobody knows.
import { spawnSync } from 'node:child_process';
import { install } from './install.mjs';
import { readAudit, scanFolder } from './setup/bundle-scan.mjs';
import { main } from './setup/main.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { buildWeb } from './setup/web.mjs';

await main(async () => {
  await install();
  await buildWeb();
  const { files, findings } = scanFolder(inRoot('web', 'dist'));
  if (files === 0) throw new Error('There is no browser bundle in web/dist to scan.');
  console.log(`— browser bundle: ${files} files, ${findings.length} findings`);
  for (const finding of findings) console.error(`  ${finding}`);

  console.log('— npm audit');
  const { stdout } = spawnSync('npm', ['audit', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  });
  const audit = readAudit(stdout ?? '');
  console[audit.state === 'clear' ? 'log' : 'error'](`  ${audit.text}`);

  if (findings.length > 0 || audit.state === 'vulnerable') return 1;
  if (audit.state === 'clear') return 0;
  console.error(
    'The bundle is clean; whether a package is vulnerable is NOT known. Run this where the registry answers audits.',
  );
  return 2;
});
