import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatHex, wcagContrast } from 'culori';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, '../styles.css'), 'utf8');
const TOKEN = /--color-([\w-]+): light-dark\((oklch\([^)]+\)), (oklch\([^)]+\))\);/g;
const tokens = new Map([...css.matchAll(TOKEN)].map(([, name, light, dark]) => [name, { light, dark }]));

function color(token: string, theme: 'light' | 'dark'): string {
  const value = tokens.get(token)?.[theme];
  if (!value) throw new Error(`no token --color-${token} in styles.css`);
  return value;
}

const GROUNDS = ['paper', 'surface', 'raised'];
const HUES = ['guava', 'lagoon', 'leaf', 'plum', 'ember'];

/** Every pair of text on ground that components use. */
const text: [string, string][] = [
  ...GROUNDS.flatMap((ground) =>
    ['ink', 'ink-soft', 'mango-ink', ...HUES].map((ink): [string, string] => [ink, ground]),
  ),
  ['ink', 'sunken'],
  ['ink', 'thumb'],
  ['ink-soft', 'sunken'],
  ['lagoon', 'sunken'],
  ['ember', 'sunken'],
  ['paper', 'ink'],
  ...[...HUES, 'mango'].map((hue): [string, string] => [`on-${hue}`, hue]),
  ['on-guava', 'guava-deep'],
  ...HUES.map((hue): [string, string] => [hue, `${hue}-soft`]),
  ['mango-ink', 'mango-soft'],
  ...[...HUES, 'mango'].flatMap((hue): [string, string][] => [
    ['ink', `${hue}-soft`],
    ['ink-soft', `${hue}-soft`],
  ]),
];

/** What is not text but must be seen: borders of controls, the focus ring. */
const shapes: [string, string][] = [
  ...GROUNDS.map((ground): [string, string] => ['edge', ground]),
  ...GROUNDS.map((ground): [string, string] => ['lagoon', ground]),
];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  it.each(text)('%s reads on %s (4.5:1)', (ink, ground) => {
    expect(wcagContrast(color(ink, theme), color(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });
  it.each(shapes)('%s is seen on %s (3:1)', (shape, ground) => {
    expect(wcagContrast(color(shape, theme), color(ground, theme))).toBeGreaterThanOrEqual(3);
  });
});

it('texts are measured in the font size that the browser is set to', () => {
  const sizes = [...css.matchAll(/--text-\w+: ([^;]+);/g)].map(([, size]) => size);
  expect(sizes.length).toBeGreaterThan(6);
  expect(sizes.filter((size) => !size?.includes('rem'))).toEqual([]);
  // A size of the page in pixels would take the setting away.
  expect(css).not.toMatch(/font-size: \d+px/);
});

it('what is painted without the styles has their colours', () => {
  const source = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const [light, dark] = (['light', 'dark'] as const).map((theme) => formatHex(color('paper', theme)));
  for (const path of ['index.html', 'public/before-paint.js', 'src/ui/Segmented.tsx'])
    expect([source(path).includes(`${light}`), source(path).includes(`${dark}`)], path).toEqual([true, true]);
  for (const token of ['paper', 'sunken', 'ink'])
    expect(source('index.html'), token).toContain(
      `light-dark(${formatHex(color(token, 'light'))}, ${formatHex(color(token, 'dark'))})`,
    );
});
