import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { brokenScreens, exceptions, firstLoadProblems, laterCalls } from './setup/routes.mjs';

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

it('compares what loaders call, also by functions of other files, with the headers of pages', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-first-load-'));
  const files = {
    'server/src/platform/http/first-load.ts': `import { posts } from '@tara/contract/posts';
const firstCalls = {
  '/': [posts.feed],
  '/post/:id': [posts.get, posts.likers],
  '/gone': [posts.saved],
};
const firstReads = {
  '/chats/:id': (_, search) => {
    return [callUrl(posts.feed, search.get('id'))];
  },
};
`,
    'web/src/features/posts/Feed.tsx': `import { pagesOf } from '../../lib/queries.ts';
const other = pagesOf(posts.popular);
const pages = pagesOf(posts.feed);
export const feedPages = { ...pages };
const postQuery = (id) => queryOf(posts.get, id);
/** Not of loadPost: queryOf(posts.popular). */
export async function loadPost(id) {
  await ensure(postQuery(id));
  await call(posts.byCreator);
}
`,
    'web/src/features/posts/index.ts': "export { feedPages } from './Feed.tsx';\n",
    'web/src/routes/_main/index.tsx': `import { feedPages } from '../../features/posts/index.ts';
export const Route = createFileRoute('/_main/')({
  loader: () => ensure(feedPages),
  component: () => queryOf(posts.popular),
});
`,
    'web/src/routes/_main/post.$id_.tsx': `import { loadPost, feedPages } from '../../features/posts/Feed.tsx';
export const Route = createFileRoute('/_main/post/$id_')({
  loader: async ({ params }) => {
    await Promise.all([
      loadPost(params.id),
      queryOf(posts.popular),
    ]);
  },
  component: () => feedPages,
});
`,
    'web/src/routes/_main/chats.$id.tsx':
      "export const Route = createFileRoute('/_main/chats/$id')({\n  loader: () => queryOf(posts.feed),\n});\n",
  };
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const later = new Map([
      ['/post/:id posts.byCreator', 'later'],
      ['/ posts.saved', 'not any more'],
    ]);
    expect(firstLoadProblems(folder, later).map((line) => line.replace(/.*?: /, ''))).toEqual([
      'no loader calls / posts.saved',
      'the loader of /post/:id does not call posts.likers',
      '/post/:id has no posts.popular, which its loader calls',
      'the loader of /gone does not call posts.saved',
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('has a reason for each exception', () => {
  for (const reason of [...exceptions.values(), ...laterCalls.values()])
    expect(reason.length).toBeGreaterThan(10);
});
