import sharp from 'sharp';
import { expect } from 'vitest';
import type { Images } from '../../platform/images/queue.ts';
import { openImages } from '../../platform/images/queue.ts';
import type { Member } from '../../testing/features/members.ts';
import { insertMember } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { avatarRoutes } from './avatars.ts';
import { drawInitials, initialsOf } from './initials.ts';

/** Requesters whose pictures were encoded. */
const encoded: string[] = [];
const test = serverTest((app) => {
  const images = openImages({ rateLimits: false });
  const transform: Images['transform'] = (picture, transformation, requester) => {
    encoded.push(requester.accountId);
    return images.transform(picture, transformation, requester);
  };
  app.addHook('onClose', async () => images.close());
  avatarRoutes(app, { ...images, transform });
}).extend('show', ({ server }) => async (query: string, accept = '*/*', who: Member | null = null) => {
  encoded.length = 0;
  const response = await server.request(who, {
    url: `/v1/avatars/initials?project=tara&${query}`,
    headers: { accept },
  });
  expect(response.statusCode).toBe(200);
  return response;
});

test.each([
  ['Ana', 'A'],
  ['ana maria lopez', 'AM'],
  ['  Ñoño-Perez', 'ÑP'],
  ['Élise', 'É'],
  ['', 'N'],
  ['<script>alert(1)</script>', 'SA'],
  ['"&<', 'N'],
  ['李 小龙', '李小'],
  ['❤️Ana', 'A'],
  ['\u0301Ben', 'B'],
  ['ﬃ ß', 'FS'],
  ['ŉora', 'N'],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('initials are a PNG of the size and colour that SDKs ask for', async ({ show }) => {
  const usual = await show('name=Ana%20Cruz');
  expect(usual.headers).toMatchObject({ 'content-type': 'image/png', vary: 'Accept' });
  expect(await sharp(usual.rawPayload).metadata()).toMatchObject({ format: 'png', width: 500, height: 500 });
  const wide = await show('name=Ana&width=90&height=60&background=fde');
  expect(await sharp(wide.rawPayload).metadata()).toMatchObject({ width: 90, height: 60 });
  const { data, info } = await sharp(wide.rawPayload).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) =>
    [...data.subarray((y * info.width + x) * info.channels)].slice(0, 3);
  expect(pixel(0, 0)).toEqual([0xff, 0xdd, 0xee]);
  // Black letters on a light colour, white ones on a dark one.
  expect((await sharp(wide.rawPayload).stats()).channels[0]?.min).toBe(0);
  const dark = await show('name=Ana&background=000000&width=0');
  expect((await sharp(dark.rawPayload).stats()).channels[0]?.max).toBe(255);
});

test('initials have letters of any script, without fonts of the machine', async () => {
  const draw = async (text: string) =>
    String(await drawInitials({ text, width: 100, height: 100, background: '#000000' }));
  for (const [name, latin] of [
    ['李 小龙', 'LX'],
    ['Лев Xенов', 'LX'],
    ['Λ Ξ', 'LX'],
    ['ل ص', 'LS'],
    ['𐤀', 'N'],
    ['Ł Ż', null],
  ] as const) {
    const drawn = await draw(initialsOf(name));
    expect(drawn, name).toMatch(/<path d="M[^"]{20,}"/);
    expect(drawn).not.toContain('<text');
    if (latin !== null) expect(drawn, name).toBe(await draw(latin));
  }
  expect(await draw('Ł')).not.toBe(await draw('L'));
  // Wide letters stay within the picture.
  const svg = Buffer.from(await draw('ŒW'));
  const { data, info } = await sharp(svg).raw().toBuffer({ resolveWithObject: true });
  for (const x of [5, 94])
    for (let y = 0; y < 100; y++) expect(data[(y * info.width + x) * info.channels]).toBe(0);
});

test('initials are made once for all who have the same, in the turn of the one who asks', async ({
  show,
  database,
}) => {
  const ana = await insertMember(database, { name: 'Zoe Quinn' });
  const query = 'background=123456&width=33';
  const first = await show(`${query}&name=Zoe%20Q`, '*/*', ana);
  expect(encoded).toEqual([ana.accountId]);
  expect((await show(`${query}&name=zoe%20quinn`)).rawPayload).toEqual(first.rawPayload);
  expect(encoded).toEqual([]);
  await show(`${query}&name=Other`);
  expect(encoded).toEqual(['guests of 127.0.0.1/32']);
  // Without a name they are the caller's own, and kept by no cache.
  const own = await show(query, '*/*', ana);
  expect(own.rawPayload).toEqual(first.rawPayload);
  expect(own.headers['cache-control']).toBe('private, no-cache');
  expect(first.headers['cache-control']).toMatch('public, max-age=');
});

test('§3 initials are an SVG for pages, which is kept and runs nothing (threat-stored-xss)', async ({
  show,
}) => {
  const accept = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
  const shown = await show('name=Ana%20%3Cscript%3E&width=80&background=ff0', accept);
  expect(shown.headers).toMatchObject({ vary: 'Accept', 'content-type': 'image/svg+xml; charset=utf-8' });
  expect(shown.headers['content-security-policy']).toContain('sandbox');
  expect(shown.headers['cache-control']).toContain('max-age');
  expect(shown.body).not.toContain('<script');
  expect(shown.body).toMatch(/ width="80" height="500"><rect [^>]*fill="#ffff00"/);
  expect(encoded).toEqual([]);
  expect((await show('name=Ana', accept)).body).toBe((await show('name=Ana', accept)).body);
});

test('a picture without a name is kept by nobody: it is another one once somebody signs in', async ({
  show,
}) => {
  expect((await show('')).headers['cache-control']).toBe('private, no-cache');
});

test('a side has at most 2000 px', async ({ show }) => {
  const { body } = await show('name=Ana&width=2000&height=2000', 'image/svg+xml');
  expect(body).toContain(' width="2000" height="2000"><rect ');
});

test('a name and a side beyond the limit, and what is no size or colour, are refused', async ({ server }) => {
  const queries = [`name=${'a'.repeat(129)}`, 'width=2001', 'height=2001', 'height=-1', 'background=red'];
  for (const query of queries) {
    const response = await server.request(null, { url: `/v1/avatars/initials?${query}` });
    expect([query, response.statusCode, response.json().type]).toEqual([
      ...[query, 400, 'general_argument_invalid'],
    ]);
  }
});
