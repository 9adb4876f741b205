/// <reference path="./opentype.d.ts" />
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import anyAscii from 'any-ascii';
import { escape as escapeHtml } from 'html-escaper';
import type { Font } from 'opentype.js';

/** What a picture of initials shows. */
export interface Initials {
  text: string;
  /** px. */
  width: number;
  height: number;
  /** `#` and six hexadecimal digits. */
  background: string;
}

/** White text has a contrast of at least 4.5 : 1 on each. */
const backgrounds = [
  '#8a3b12',
  '#7a4a00',
  '#4d5f00',
  '#1f6b33',
  '#00696b',
  '#0b5f94',
  '#3f4fb0',
  '#6c3fa8',
  '#94306f',
  '#a3283b',
];

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const segment = (text: string) => [...characters.segment(text)].map((one) => one.segment);

/** First letters of the first two words; N when there is none (§2, 'Layout shell'). */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = words.slice(0, 2).map((word) => {
    // A word may begin with the mark that makes the sign before it an emoji.
    const letter = segment(word).find((one) => /[\p{L}\p{N}]/u.test(one)) ?? '';
    // A ligature is several letters in upper case, of which one may follow an apostrophe.
    return (
      segment(letter.normalize().toUpperCase()).find((one) => /[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u.test(one)) ??
      letter
    );
  });
  return letters.join('') || 'N';
}

/** The same name has the same colour. */
export const backgroundOf = (name: string): string =>
  backgrounds[(createHash('sha256').update(name).digest()[0] ?? 0) % backgrounds.length] ?? '#000000';

/** Relative luminance of WCAG 2, 0 to 1. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** White where its contrast is 4.5 : 1, else black. */
const textColor = (background: string) => (1.05 / (luminance(background) + 0.05) >= 4.5 ? '#fff' : '#000');

/** Size of the letters, as a share of the shorter side. */
const letterShare = (text: string) => (segment(text).length > 1 ? 0.4 : 0.5);

const svg = ({ width, height, background }: Initials, letters: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${background}"/>${letters}</svg>`,
  );

/** An SVG with the letters as text: the reader's fonts have those of any script. */
export function initialsSvg(initials: Initials): Buffer {
  const { text, width, height, background } = initials;
  const size = Math.round(letterShare(text) * Math.min(width, height));
  return svg(
    initials,
    `<text x="${width / 2}" y="${height / 2}" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${size}" fill="${textColor(background)}">${escapeHtml(text)}</text>`,
  );
}

const readFont = async (subset: 'latin' | 'latin-ext'): Promise<Font> => {
  const file = import.meta.resolve(`@fontsource/figtree/files/figtree-${subset}-600-normal.woff`);
  const [{ default: opentype }, bytes] = await Promise.all([
    import('opentype.js'),
    readFile(fileURLToPath(file)),
  ]);
  return opentype.parse(new Uint8Array(bytes).buffer);
};

/** The fonts of pictures, read with the first one that is drawn. */
let fonts: Promise<Font[]> | undefined;
const readFonts = () => (fonts ??= Promise.all([readFont('latin'), readFont('latin-ext')]));

const hasGlyphs = (font: Font, text: string) =>
  [...text].every((character) => font.charToGlyphIndex(character) > 0);

/** Letters that a font has: those of other scripts are written in Latin, and N stands for what cannot be written so. */
function drawableLetters(available: readonly Font[], text: string): { letter: string; font: Font }[] {
  const letters = segment(text).flatMap((letter) => {
    const latin = segment(anyAscii(letter).toUpperCase()).find((one) => /[A-Z0-9]/.test(one));
    for (const written of [letter, latin ?? '']) {
      const font = written === '' ? undefined : available.find((one) => hasGlyphs(one, written));
      if (font !== undefined) return [{ letter: written, font }];
    }
    return [];
  });
  const [font] = available;
  return letters.length > 0 || font === undefined ? letters : [{ letter: 'N', font }];
}

/** Height of capital letters of the font, as a share of its size. */
const capitalHeight = 0.7;
/** The most that letters take of the width. */
const textWidth = 0.8;

/** An SVG with the letters as shapes, which looks alike on every machine, whatever fonts it has. */
export async function drawInitials(initials: Initials): Promise<Buffer> {
  const { text, width, height, background } = initials;
  const letters = drawableLetters(await readFonts(), text);
  const usual = letterShare(text) * Math.min(width, height);
  const advance = (size: number) =>
    letters.reduce((sum, { letter, font }) => sum + font.getAdvanceWidth(letter, size), 0);
  const size = usual * Math.min(1, (textWidth * width) / advance(usual));
  const baseline = (height + capitalHeight * size) / 2;
  let x = (width - advance(size)) / 2;
  const paths = letters.map(({ letter, font }) => {
    const path = font.getPath(letter, x, baseline, size).toPathData(2);
    x += font.getAdvanceWidth(letter, size);
    return path;
  });
  return svg(initials, `<path d="${paths.join('')}" fill="${textColor(background)}"/>`);
}
