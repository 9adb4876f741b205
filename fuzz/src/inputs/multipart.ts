import type { Random } from '@tara/proof/random';
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
    () =>
      write([
        ...Array.from({ length: 200 }, (_, index) => ({ name: `f${index}`, content: 'x' })),
        file(pixel),
      ]),
  ],
  ['a file of 21 MB', () => write([id('unique()'), file(Buffer.alloc(21_000_000, 1))])],
];

const partSize = 5_242_880;

/** Parts of a file of three, by their fault: how many bytes, and as which they are announced. */
const parts: [string, number, string][] = [
  ['the last part', 100, `${2 * partSize}-${2 * partSize + 99}/${2 * partSize + 100}`],
  ['the last part, of another size', 50, `${2 * partSize}-${2 * partSize + 49}/${2 * partSize + 50}`],
  ['an overlapping part', 100, `${2 * partSize - 50}-${2 * partSize + 49}/${2 * partSize + 100}`],
  ['a part of fewer bytes than announced', 99, `${2 * partSize}-${2 * partSize + 99}/${2 * partSize + 100}`],
  ['a part of more bytes than announced', 101, `${2 * partSize}-${2 * partSize + 99}/${2 * partSize + 100}`],
  ['a part behind the end', 100, `${3 * partSize}-${3 * partSize + 99}/${2 * partSize + 100}`],
  ['a part whose end is before its start', 100, `${partSize}-10/${2 * partSize + 100}`],
  ['a part of a file of 9 TB', 100, '0-99/9999999999999'],
  ['a part of nothing', 100, '0-0/0'],
  ['a first part', partSize, `0-${partSize - 1}/${2 * partSize + 100}`],
];

/** One part of an upload of few ids, so that parts of one upload meet: out of order, twice, of other sizes. */
function partBody(input: HttpInput, random: Random): HttpInput {
  const [what, sizeBytes, range] = random.pick(parts);
  const content = Buffer.alloc(sizeBytes, 1);
  pixel.copy(content, 0, 0, 8);
  const uploadId = `fuzz-part-${random.int(0, 3)}`;
  const bytes = write([id(random.chance(0.5) ? uploadId : 'unique()'), file(content)]);
  return {
    ...input,
    what: `form: ${what}`,
    headers: {
      ...input.headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-range': `bytes ${range}`,
      ...(random.chance(0.7) ? { 'x-appwrite-id': uploadId } : {}),
    },
    body: { kind: 'bytes', bytes, note: `form of ${bytes.length} bytes: ${what}` },
  };
}

/** The input with a form as its body: a small picture, one part of a file, or an invalid file. */
export function multipartBody(input: HttpInput, random: Random, kind: 'valid' | 'hostile'): HttpInput {
  if (kind === 'hostile' && random.chance(0.4)) return partBody(input, random);
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
