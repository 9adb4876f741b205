import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { inRoot } from './setup/paths.mjs';

/** Runs Biome with the real configuration on files of a project; returns `file:line` of each finding of a rule. */
async function findings(rule, files) {
  const folder = await mkdtemp(join(tmpdir(), 'tara-lint-'));
  try {
    for (const path of ['biome.json', '.gitignore', 'scripts/rules'])
      await cp(inRoot(path), join(folder, path), { recursive: true });
    for (const [path, lines] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), `${lines.join('\n')}\n`);
    }
    const program = inRoot('node_modules/@biomejs/biome/bin/biome');
    const args = [program, 'lint', '--reporter=github', '--max-diagnostics=none', '.'];
    const output = await new Promise((done) => {
      execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => done(stdout));
    });
    return [...output.matchAll(/title=([^,]+),file=([^,]+),line=(\d+)/g)]
      .filter(([, title]) => title === rule)
      .map(([, , path, line]) => `${path.slice(path.indexOf(folder) + folder.length + 1)}:${line}`)
      .sort();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it('participles as nouns and names of the form xOfY are refused in every kind of declaration', async () => {
  const refused = [
    'export const told = 1;',
    'export function cookieOfSession(): void {}',
    'export const read = (kept: string): string => kept;',
    'export interface Page { made: string }',
    'export interface Calls { ofCalls(): void }',
    'export class Hub { #asked = 0; read(): number { return this.#asked; } }',
    'export class Reader { get found(): number { return 1; } }',
    'export const { a: said } = { a: 1 };',
    'export interface BareFeed { size: number }',
    'export type Sizes<OfTable> = OfTable;',
    'export const headers = { given: 1 };',
    'export const start = function made(): void {};',
  ];
  const allowed = [
    "export const data = { 'told': 1, offer: 2, oft: 3, bareness: 4 };",
    'export const stageOf = data.told;',
  ];
  expect(await findings('plugin', { 'server/src/a.ts': [...refused, ...allowed] })).toEqual(
    refused.map((_, index) => `server/src/a.ts:${index + 1}`).sort(),
  );
});

it('the time and chance of the system are refused in the server, the sandbox and the payment client, tests included', async () => {
  const refused = [
    "import { randomUUID as uuid } from 'node:crypto';",
    'export const read = [Date.now(), 0];',
    'export const pass = [1].map(Date.now);',
    'export const far = globalThis.Date.now();',
    'export const date = { at: new Date() };',
    'export const short = new Date;',
    'export const text = Date();',
    'export const fraction = Math.random();',
    'export const id = randomUUID();',
    'export const webId = globalThis.crypto.randomUUID();',
    'export const number = crypto.randomInt(5);',
    'export const bytes = crypto.getRandomValues(new Uint8Array(1));',
    'export const rows = sql`select current_timestamp`;',
    'export const wall = sql`select CLOCK_TIMESTAMP() from rows`;',
    "export const statement = 'select statement_timestamp()';",
    "export const named = Date['now']();",
    'export const { now } = Date;',
    'export const { now: read2, UTC } = globalThis.Date;',
    "export const drawn = Math['random']();",
    'export const { random } = Math;',
    'export const some = sql`select id from rows order by random() limit 1`;',
  ];
  const allowed = [
    "export const times = [new Date(0), Date.parse('2026'), Date.UTC(2026), performance.now()];",
    'export const key = randomBytes(32);',
    "export const { floor } = Math, [first] = ['now'], pick = Math['floor'](1);",
    'export const uuid = sql`select gen_random_uuid()`;',
    'export const current = sql`select now(), current_timestamps`;',
  ];
  const lines = [...refused, ...allowed];
  const places = ['server/src/a.test.ts', 'sandbox/src/b.ts', 'paymongo/src/c.ts', 'contract/src/d.ts'];
  const free = ['contract/src/clock.ts', 'contract/src/random.ts', 'web/src/e.ts'];
  expect(
    await findings('plugin', Object.fromEntries([...places, ...free].map((path) => [path, lines]))),
  ).toEqual(places.flatMap((path) => refused.map((_, index) => `${path}:${index + 1}`)).sort());
});

it('a feature or the shell of the web reads nothing by a query of TanStack', async () => {
  const text = ["import { useQuery } from '@tanstack/react-query';", 'export const read = useQuery;'];
  const rule = 'lint/style/noRestrictedImports';
  const files = { 'web/src/features/posts/a.ts': text, 'web/src/shell/b.ts': text, 'web/src/lib/c.ts': text };
  expect(await findings(rule, files)).toEqual(['web/src/features/posts/a.ts:1', 'web/src/shell/b.ts:1']);
});

it('a promise that nobody awaits, catches or leaves by `void` is refused, also of a function of another file', async () => {
  const files = {
    'server/src/a.ts': ['export async function save(): Promise<void> {}'],
    'server/src/b.ts': [
      "import { save } from './a.ts';",
      'export async function run(): Promise<void> {',
      '  save();',
      '  save().then(() => {});',
      '  Promise.all([save()]);',
      '  void save();',
      '  save().catch(() => {});',
      '  await save();',
      '}',
    ],
  };
  const refused = ['server/src/b.ts:3', 'server/src/b.ts:4', 'server/src/b.ts:5'];
  expect(await findings('lint/nursery/noFloatingPromises', files)).toEqual(refused);
});
