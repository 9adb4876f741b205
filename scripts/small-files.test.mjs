import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { countFiles, smallFiles } from './setup/small-files.mjs';

it('counts files, and lists small ones with one importer, but not lazy ones, tested ones, shared ones and those of a fixed name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-small-'));
  const files = {
    'src/main.ts':
      "import { one } from './one.ts';\nimport { shared } from './shared.ts';\nimport './tested.ts';\nimport './policy.ts';\nimport './long.ts';\nexport const main = [one, shared, import('./lazy.ts')];",
    'src/other.ts': "import { shared } from './shared.ts';\nexport const other = shared;",
    'src/one.ts': 'export const one = 1;',
    'src/shared.ts': 'export const shared = 1;',
    'src/lazy.ts': 'export const lazy = 1;',
    'src/policy.ts': 'export const policy = 1;',
    'src/tested.ts': 'export const tested = 1;',
    'src/tested.test.ts': "import './tested.ts';",
    'src/long.ts': 'export const long = 1;\n'.repeat(60),
  };
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    expect(smallFiles(['src'], folder)).toEqual(['src/one.ts (1) ← src/main.ts']);
    // All but the test.
    expect(countFiles('src', folder)).toBe(Object.keys(files).length - 1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
