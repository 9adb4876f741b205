import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { docProblems } from './setup/docs.mjs';

it('paths without a file and decision pages of another form are found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-docs-'));
  try {
    await mkdir(join(folder, 'docs/decisions'), { recursive: true });
    await mkdir(join(folder, 'server/src/features/posts'), { recursive: true });
    await writeFile(join(folder, 'server/src/features/posts/read.ts'), '');
    await writeFile(join(folder, 'server/src/features/posts/distribute.ts'), '');
    const form = '## Context\n## Decision\n## Consequences\n';
    await writeFile(
      join(folder, 'docs/decisions/0001-a.md'),
      `${form}See \`posts/read.ts\`, \`posts/distribute.ts\`, \`posts/write.ts\`, \`posts/NNNN.ts\` and \`lost.test.ts\`.\n`,
    );
    await writeFile(join(folder, 'docs/decisions/0002-b.md'), '## Context\n## Decision\n');
    expect(docProblems(folder)).toEqual([
      'docs/decisions/0001-a.md:4 no source is called posts/write.ts',
      'docs/decisions/0001-a.md:4 no source is called lost.test.ts',
      'docs/decisions/0002-b.md needs the headings ## Context, ## Decision, ## Consequences, and no others',
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
