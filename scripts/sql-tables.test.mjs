import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './setup/paths.mjs';
import { foreignTables } from './setup/sql-tables.mjs';

it('finds tables of other features in SQL, however deep the template, and only those', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-sql-'));
  const write = async (feature, file, ...lines) => {
    await mkdir(join(folder, 'server/src/features', feature), { recursive: true });
    await writeFile(
      join(folder, 'server/src/features', feature, file),
      lines.join('\n').replaceAll('@{', '$' + '{'),
    );
  };
  try {
    await write('plans', 'tables.ts', "export const plans = pgTable('plans', {});");
    await write('posts', 'tables.ts', 'export const posts = pgTable(', "  'posts',", '  {},', ');');
    await write('posts', 'read.test.ts', 'sql`select from plans`;');
    await write(
      'posts',
      'read.ts',
      'const own = sql`select posts.id from posts join @{plans} on @{plans.id} = posts.id`;',
      "// select from plans, isn't one",
      "const note = 'from plans';",
      'const inner = sql`select @{first ? sql`from plans` : { a: 1 }} update`;',
      'const names = sql`update x set a = plans.title -- plans.id',
      '  where true`;',
    );
    expect(foreignTables(folder)).toEqual([
      'server/src/features/posts/read.ts:4 plans of plans',
      'server/src/features/posts/read.ts:5 plans of plans',
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('finds none in the features', () => {
  expect(foreignTables(root)).toEqual([]);
});
