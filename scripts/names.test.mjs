import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nameExceptions, refusalOf, refusedNames } from './setup/names.mjs';

it('refuses participles as nouns and names of the form xOfY in every kind of declaration', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-names-'));
  try {
    await mkdir(join(folder, 'server'));
    await writeFile(join(folder, 'server/tsconfig.json'), '{ "include": ["*.ts"] }');
    await writeFile(
      join(folder, 'server/a.ts'),
      [
        'export const told = 1;',
        'export function cookieOfSession(kept: string): string { return kept; }',
        'export interface Page { made: string; ofCalls(): void }',
        'class Hub { #asked = 0; read(): number { return this.#asked; } }',
        'export const { said: words } = { said: new Hub().read() };',
        'export interface BareFeed { bareness: number }',
        "export const headers = { 'told': 1, offer: words, oft: 2 };",
      ].join('\n'),
    );
    expect(refusedNames(['server'], folder).map((line) => line.replace(/: .*/, ''))).toEqual([
      'server/a.ts:1 told',
      'server/a.ts:2 cookieOfSession',
      'server/a.ts:2 kept',
      'server/a.ts:3 made',
      'server/a.ts:3 ofCalls',
      'server/a.ts:4 #asked',
      'server/a.ts:5 said',
      'server/a.ts:6 BareFeed',
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('allows at most ten names of the form xOfY, each with a reason', () => {
  expect(nameExceptions.size).toBeLessThanOrEqual(10);
  for (const [name, reason] of nameExceptions) {
    expect(name).toMatch(/Of[A-Z]/);
    expect(reason.length).toBeGreaterThan(10);
  }
  expect(refusalOf('stageOf')).toBeNull();
});
