import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { systemWords } from '../simulation/src/postgres/system-words.ts';
import { inRoot } from './setup/paths.mjs';
import { allowedSql, refusedSql } from './setup/sql-time.examples.mjs';

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

/** Places of TypeScript in which the time and chance of the system are refused. */
const clockedPlaces = [
  'server/src/a.test.ts',
  'sandbox/src/b.ts',
  'paymongo/src/c.ts',
  'contract/src/d.ts',
  'simulation/src/e.ts',
];
const freePlaces = ['contract/src/clock.ts', 'contract/src/random.ts', 'web/src/f.ts'];

/** Of lines in each of those places, the numbers of those that are refused there. */
async function refusedLines(lines) {
  const paths = [...clockedPlaces, ...freePlaces];
  const places = await findings('plugin', Object.fromEntries(paths.map((path) => [path, lines])));
  expect(places.filter((place) => freePlaces.some((path) => place.startsWith(`${path}:`)))).toEqual([]);
  const numbers = clockedPlaces.map((path) =>
    places
      .filter((place) => place.startsWith(`${path}:`))
      .map((place) => Number(place.slice(path.length + 1)))
      .sort((one, other) => one - other),
  );
  for (const list of numbers) expect(list).toEqual(numbers[0]);
  return [...new Set(numbers[0])].map((number) => lines[number - 1]);
}

it('the time and chance of the system are refused in the server, the sandbox, the payment client and the simulation, tests included', async () => {
  const refused = [
    "import { randomUUID as uuid } from 'node:crypto';",
    'export const read = [Date.now(), 0];',
    'export const pass = [1].map(Date.now);',
    'export const far = globalThis.Date.now();',
    'export const date = { at: new Date() };',
    'export const short = new Date;',
    'export const text = Date();',
    "export const named = Date['now']();",
    'export const { now } = Date;',
    'export const { now: read2, UTC } = globalThis.Date;',
    'export const globalDate = new globalThis.Date();',
    "export const quotedDate = new globalThis['Date']();",
    'export const { Date: OtherDate } = globalThis;',
    'export const optional = Date?.now();',
    'export const inBrackets = (Date).now();',
    'export const asOther = (Date as X).now();',
    'export const sure = Date!.now();',
    'export const madeInBrackets = new (Date)();',
    'export const spread = new Date(...[]);',
    'export const commented = new Date(/* now */);',
    'export const inside = new Date(Date.now());',
    '({ now: x } = Date);',
    '({ Date: x } = globalThis);',
    'export const D = Date;',
    'export class Later extends Date {}',
    'export const shorthand = { Date };',
    'export const handed = call(Date);',
    'export const reflected = Reflect.get(globalThis, "Date");',
    'export const left = Date instanceof Object;',
    'export const precise = process.hrtime.bigint();',
    "export const quotedPrecise = process['hrtime']();",
    "import { hrtime as precise2 } from 'node:process';",
    'export const temporal = Temporal.Now.instant();',
    'export const globalTemporal = globalThis.Temporal;',
    'export const origin = performance.timeOrigin;',
    'export const { timeOrigin: origin2 } = performance;',
    'export const format = new Intl.DateTimeFormat("en").format();',
    'export const parts = format.formatToParts(undefined);',
    'export const fraction = Math.random();',
    "export const drawn = Math['random']();",
    'export const { random } = Math;',
    'export const optionalFraction = Math?.random();',
    'export const globalFraction = globalThis.Math.random();',
    'export const M = Math;',
    'export const drawLater = [1].map(Math.random);',
    'export const id = randomUUID();',
    'export const webId = globalThis.crypto.randomUUID();',
    "export const quotedId = crypto['randomUUID']();",
    'export const { randomUUID: u } = crypto;',
    'export const { getRandomValues } = crypto;',
    'export const optionalBytes = crypto?.getRandomValues(new Uint8Array(1));',
    'export const number = crypto.randomInt(5);',
    'export const bytes = crypto.getRandomValues(new Uint8Array(1));',
  ];
  const allowed = [
    "export const times = [new Date(0), new Date('2026'), new Date(2026, 1), Date.parse('2026'), Date.UTC(2026)];",
    'export const nested = new Date(new Date(nowMs()));',
    'export const parsed = texts.map(Date.parse);',
    'export const isDate = (value: unknown): value is Date => value instanceof Date;',
    'export const typed: typeof Date | Date[] = sql<Date>`min(at)` as unknown as Date;',
    'export const expected = expect.any(Date);',
    "vi.spyOn(Date, 'parse');",
    "vi.useFakeTimers({ toFake: ['Date'], now: 0 });",
    'export const duration = performance.now();',
    'export const written = new Intl.DateTimeFormat("en").format(nowDate());',
    'export const key = randomBytes(32);',
    'export const high = Math.max(Math.PI, ...numbers.map(Math.floor));',
    'export const named2 = { random, now: random.next(), dates: [] };',
  ];
  expect(await refusedLines([...refused, ...allowed])).toEqual(refused);
});

it('the time and chance of the system are refused in SQL within TypeScript, by the words of migrations', async () => {
  const quote = (statement) => `export const text = ${JSON.stringify(statement)};`;
  const inTemplate = (statement) => `export const rows = sql\`${statement}\`;`;
  const lines = (statements) => statements.flatMap((statement) => [inTemplate(statement), quote(statement)]);
  const refused = lines(refusedSql);
  const allowed = [...lines(allowedSql), "export const words = ['now', 'today', 'age', 'random'];"];
  expect(await refusedLines([...refused, ...allowed])).toEqual(refused);
  const rule = readFileSync(inRoot('scripts/rules/time-and-chance.grit'), 'utf8');
  expect(rule.split(systemWords.source)).toHaveLength(3);
});

it('a cache that has a lifetime follows the clock: the server makes none by the library', async () => {
  const text = ["import { LRUCache } from 'lru-cache';", 'export const cache = new LRUCache({ max: 1 });'];
  const files = { 'server/src/features/posts/a.ts': text, 'server/src/platform/memory-cache.ts': text };
  expect(await findings('lint/style/noRestrictedImports', files)).toEqual([
    'server/src/features/posts/a.ts:1',
  ]);
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
