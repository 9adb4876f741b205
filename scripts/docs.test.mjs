import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { docProblems } from './setup/docs.mjs';

it('finds paths without a file, decision pages of another form, and titles that the test named before them does not have', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-docs-'));
  try {
    await mkdir(join(folder, 'docs/decisions'), { recursive: true });
    await mkdir(join(folder, 'server/src/features/posts'), { recursive: true });
    await writeFile(join(folder, 'server/src/features/posts/read.ts'), '');
    await writeFile(
      join(folder, 'server/src/features/posts/posts.test.ts'),
      "test('keeps a member’s post', () => {});\nwithPost(\"one's own | stays (§7-posts)\", () => {});\n",
    );
    const form = '## Context\n## Decision\n## Consequences\n';
    await writeFile(
      join(folder, 'docs/decisions/0001-a.md'),
      `${form}See \`posts/read.ts\` and \`posts/write.ts\`.\n`,
    );
    await writeFile(join(folder, 'docs/decisions/0002-b.md'), '## Context\n## Decision\n');
    await writeFile(
      join(folder, 'docs/security.md'),
      [
        '| What | Control | Test |',
        "| a | 'in the control' | `posts/posts.test.ts`: 'keeps a member’s post', 'one's own \\| stays' |",
        "| b | `posts/posts.test.ts` | 'not there either'; `posts.test.ts`: 'loses a post' |",
      ].join('\n'),
    );
    expect(docProblems(folder)).toEqual([
      "docs/security.md:3 server/src/features/posts/posts.test.ts has no test 'not there either'",
      "docs/security.md:3 server/src/features/posts/posts.test.ts has no test 'loses a post'",
      'docs/decisions/0001-a.md:4 no source is called posts/write.ts',
      'docs/decisions/0002-b.md needs the headings ## Context, ## Decision, ## Consequences, and no others',
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
