import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { uncalledRules, unreadConstants } from './setup/constants.mjs';
import { root } from './setup/paths.mjs';

it('finds constants and keys that nothing reads, and only those', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-constants-'));
  const write = async (path, ...lines) => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), lines.join('\n'));
  };
  try {
    for (const name of ['server', 'sandbox']) await write(`${name}/src/empty.ts`);
    await write(
      'contract/src/limits.ts',
      'export const size = { read: 1, destructured: 2, planted: 3 };',
      'export const scale = { one: 1, two: 2 };',
      'export const alone = 1;',
      'export const tested = 1;',
    );
    await write('contract/src/notices.ts', "export const notices = { done: 'Done', planted: 'Dead' };");
    await write(
      'contract/src/problems.ts',
      'export const problems = { not_found: 404, is_closed: 409, planted_problem: 500 };',
    );
    await write(
      'contract/src/posts.ts',
      "import { size } from './limits.ts';",
      'const { destructured } = size;',
    );
    await write(
      'contract/src/calls.ts',
      "export const errors = ['planted_problem', 'is_closed'];",
      "export const verdict = () => 'is_closed';",
    );
    await write(
      'web/src/a.ts',
      "import { scale, size as limits } from '@tara/contract/limits';",
      "import { notices } from '@tara/contract/notices';",
      "export const all = [limits.read, scale[name], notices.done, 'not_found'];",
      'export const other = { planted: things.planted };',
    );
    await write('web/src/a.test.ts', "import { tested } from '@tara/contract/limits';");
    expect(await unreadConstants(folder)).toEqual([
      'limits.alone',
      'limits.size.planted',
      'limits.tested',
      'notices.notices.planted',
      'problems.problems.planted_problem',
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('finds none in the contract', async () => {
  expect(await unreadConstants(root)).toEqual([]);
});

it('finds rules of permission that nothing enforces, and only those', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-rules-'));
  const write = async (path, ...lines) => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), lines.join('\n'));
  };
  try {
    await write(
      'contract/src/posts.ts',
      'export const postCan = {',
      '  change: (id: string, post: { creatorId: string }): boolean => post.creatorId === id,',
      '  pin: (id: string): boolean => id !== "",',
      '  see: (): boolean => true,',
      '} as const;',
    );
    await write(
      'server/src/features/posts/policy.ts',
      "import { postCan as contractCan } from '@tara/contract/posts';",
      'export const postCan = { ...contractCan, seeLikers: () => true } as const;',
    );
    await write('server/src/features/posts/write.ts', 'if (!postCan.change(id, post)) refuse();');
    await write('server/src/features/posts/policy.test.ts', 'expect(postCan.pin(id)).toBe(true);');
    await write('web/src/PostCard.tsx', 'export const a = () => postCan.see() && postCan.seeLikers();');
    expect(uncalledRules(folder)).toEqual(['postCan.pin']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('finds no rule of the product that nothing enforces', () => {
  expect(uncalledRules(root)).toEqual([]);
});
