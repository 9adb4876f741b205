import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { withLock } from './lock.mjs';
import { inRoot } from './paths.mjs';
import { runNode, tool } from './run.mjs';
import { hashFiles, isStamped, writeStamp } from './stamp.mjs';

const stamp = inRoot('web/dist/.stamp');
const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'contract/src',
  'contract/package.json',
  'scripts/setup/web.mjs',
  'package-lock.json',
];

/** Builds the web if its sources changed since the last build. */
export async function buildWeb() {
  const hash = hashFiles(sources.map((path) => inRoot(path)));
  if (isStamped(stamp, hash)) return;
  await withLock(inRoot('node_modules', '.tara-build-lock'), async () => {
    if (isStamped(stamp, hash)) return;
    if (!existsSync(inRoot('web/index.html'))) throw new Error('There is no web/index.html to build.');
    console.error('Building the web …');
    const code = await runNode(
      [
        tool('vite/bin/vite.js'),
        'build',
        'web',
        '--config',
        'web/vite.config.ts',
        '--manifest',
        '--logLevel',
        'warn',
      ],
      // The build must not depend on variables that a test run sets.
      { env: { NODE_ENV: 'production', VITEST: undefined } },
    );
    if (code !== 0) throw new Error('The web could not be built.');
    await compressTexts(inRoot('web/dist'));
    writeStamp(stamp, hash);
  });
}

const texts = /\.(js|css|svg|html)$/;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes a `.br` and a `.gz` beside every text file of at least 1 kB; the server sends the one that the browser accepts. */
async function compressTexts(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => texts.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const bytes = readFileSync(path);
      if (bytes.length < 1024) return;
      const [br, gz] = await Promise.all([
        brotli(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          },
        }),
        zip(bytes, { level: 9 }),
      ]);
      writeFileSync(`${path}.br`, br);
      writeFileSync(`${path}.gz`, gz);
    }),
  );
}
