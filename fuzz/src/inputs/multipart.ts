import type { Random } from '../values/random.ts';
import type { HttpInput } from './input.ts';

const boundary = 'fuzzing-parts';

/** A valid PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The header of a PNG that claims so many pixels a side. */
function claims(side: number): Buffer {
  const bytes = Buffer.from(pixel);
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  return bytes;
}

interface Part {
  name: string;
  filename?: string;
  type?: string;
  content: Buffer | string;
}

function write(parts: readonly Part[], end = `--${boundary}--\r\n`): Buffer {
  const pieces = parts.flatMap(({ name, filename, type, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const kind = type === undefined ? '' : `\r\nContent-Type: ${type}`;
    return [
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${kind}\r\n\r\n`,
      content,
      '\r\n',
    ];
  });
  return Buffer.concat([...pieces, end].map((piece) => Buffer.from(piece)));
}

const file = (content: Buffer | string, filename = 'a.png', type = 'image/png'): Part => ({
  name: 'file',
  filename,
  type,
  content,
});
const id = (content: string): Part => ({ name: 'fileId', content });

/** Invalid upload forms, by their fault. */
const hostile: [string, () => Buffer][] = [
  ['no file', () => write([id('unique()')])],
  ['an empty file', () => write([id('unique()'), file('')])],
  ['no parts', () => write([])],
  ['no end', () => write([id('unique()'), file(pixel)], '')],
  ['text as a picture', () => write([id('unique()'), file('hello')])],
  [
    'an SVG',
    () =>
      write([
        id('unique()'),
        file('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'a.svg', 'image/svg+xml'),
      ]),
  ],
  ['a cut picture', () => write([id('unique()'), file(pixel.subarray(0, 40))])],
  ['65,535 pixels a side', () => write([id('unique()'), file(claims(65_535))])],
  ['2^31 pixels a side', () => write([id('unique()'), file(claims(2_147_483_648))])],
  ['no pixels', () => write([id('unique()'), file(claims(0))])],
  ['a name with a path', () => write([id('unique()'), file(pixel, '../../../etc/passwd')])],
  ['a name with NUL', () => write([id('unique()'), file(pixel, 'a\u0000.png')])],
  ['a name of 100,000', () => write([id('unique()'), file(pixel, 'a'.repeat(100_000))])],
  ['a name of __proto__', () => write([{ ...file(pixel), name: '__proto__' }])],
  ['an id of 37', () => write([id('a'.repeat(37)), file(pixel)])],
  ['an id with a path', () => write([id('../a'), file(pixel)])],
  ['an id with NUL', () => write([id('a\u0000'), file(pixel)])],
  ['an id of 2,000', () => write([id('a'.repeat(2_000)), file(pixel)])],
  ['two ids', () => write([id('a'), id('b'), file(pixel)])],
  ['an id as a file', () => write([{ ...file('a'), name: 'fileId' }, file(pixel)])],
  ['two files', () => write([id('unique()'), file(pixel), file(pixel)])],
  ['a field __proto__', () => write([{ name: '__proto__', content: 'x' }, file(pixel)])],
  [
    '200 fields',
    () => write([...Array.from({ length: 200 }, (_, at) => ({ name: `f${at}`, content: 'x' })), file(pixel)]),
  ],
  ['a file of 21 MB', () => write([id('unique()'), file(Buffer.alloc(21_000_000, 1))])],
];

/** The input with a form as its body: a small picture, or an invalid file. */
export function multipartBody(input: HttpInput, random: Random, kind: 'valid' | 'hostile'): HttpInput {
  const valid = () => write([id(random.chance(0.8) ? 'unique()' : random.word(12)), file(pixel)]);
  const [what, make] = kind === 'valid' ? ([input.what, valid] as const) : random.pick(hostile);
  const bytes = make();
  const type = `multipart/form-data; boundary=${random.chance(0.95) ? boundary : 'another'}`;
  return {
    ...input,
    what: kind === 'valid' ? what : `form: ${what}`,
    headers: { ...input.headers, 'content-type': type },
    body: { kind: 'bytes', bytes, note: `form of ${bytes.length} bytes: ${what}` },
  };
}
