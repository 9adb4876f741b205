// `npm run check:security`: the browser bundle contains no secret or server-only text, and npm audit reports nothing.
// Exit code 1: there are findings. 2: the bundle has none, but npm audit gave no result.
import { spawnSync } from 'node:child_process';
import { install } from './install.mjs';
import { readAudit, scanFolder } from './setup/bundle-scan.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { main } from './setup/run.mjs';
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
    'The bundle has no findings, but npm audit gave no result. Run this with a registry that supports audits.',
  );
  return 2;
});
