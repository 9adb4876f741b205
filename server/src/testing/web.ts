import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const routes = resolve(import.meta.dirname, '../../../web/src/routes');

const chunk = (file: string, ...imports: string[]) => ({ file: `assets/${file}.js`, imports });

/** What a build of the web says of its files: each route of the web with a script of its own. */
async function testManifest(): Promise<object> {
  const pages = (await readdir(routes, { recursive: true })).filter((name) => name.endsWith('.tsx'));
  return {
    ...Object.fromEntries(
      pages.map((name) => [
        `src/routes/${name.replaceAll('\\', '/')}?tsr-split=component`,
        chunk(name.replace(/\W/g, '-'), '_shared'),
      ]),
    ),
    'src/main.tsx': { ...chunk('main', '_vendor'), isEntry: true },
    _vendor: chunk('vendor'),
    _shared: chunk('shared', '_vendor'),
    'src/routes/_main/index.tsx?tsr-split=errorComponent': chunk('error'),
  };
}

/** A folder as a build of the web leaves it: the page and the manifest, without scripts. */
export async function testWeb(index: string): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tara-web-'));
  await mkdir(join(folder, '.vite'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), index);
  await writeFile(join(folder, '.vite', 'manifest.json'), JSON.stringify(await testManifest()));
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
