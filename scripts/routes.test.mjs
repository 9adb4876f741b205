import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { brokenScreens, exceptions } from './setup/routes.mjs';

const screens = {
  'features/a/AScreen.tsx': 'export const AScreen = () => useLoaded(aQuery);',
  'features/b/List.tsx': 'export const List = () => useLoadedPages(bPages);',
  'features/b/BScreen.tsx': "import { List } from './List.tsx';\nexport const BScreen = List;",
  'features/c/CScreen.tsx': 'export const CScreen = () => useQuery(cQuery).isPending;',
  'features/d/DScreen.tsx': 'export const DScreen = () => null;',
  'routes/a.tsx':
    "import { AScreen } from '../features/a/AScreen.tsx';\nexport const Route = { loader: () => 1, component: AScreen };",
  'routes/a2.tsx':
    "import { AScreen } from '../features/a/AScreen.tsx';\nexport const Route = { component: AScreen };",
  'routes/b.tsx':
    "import {\n  BScreen,\n} from '../features/b/BScreen.tsx';\nexport const Route = { component: BScreen };",
  'routes/d.tsx':
    "import { DScreen } from '../features/d/DScreen.tsx';\nexport const Route = { component: DScreen };",
};

it('reports screens that query without a loader and routes without a loader', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-routes-'));
  try {
    for (const [path, text] of Object.entries(screens)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    expect(brokenScreens(folder).map((line) => line.replace(/:.*/, ''))).toEqual([
      'features/c/CScreen.tsx',
      'routes/a2.tsx',
      'routes/b.tsx',
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('has a reason for each exception', () => {
  for (const reason of exceptions.values()) expect(reason.length).toBeGreaterThan(10);
});
