import { storage } from '@tara/contract/wire/storage';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { openTransformations } from '../../platform/images/preview.ts';
import { openImages } from '../../platform/images/queue.ts';
import { ImageRejected } from '../../platform/images/rejected.ts';
import { Problem } from '../../platform/problem.ts';
import { test as base, documentsKey } from '../../testing/backend/storage.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { testServer } from '../../testing/server.ts';
import { readPreviewRequest } from './preview-request.ts';
import { storageRoutes } from './storage.ts';

/** Red, green, blue and white quarters of 400 × 300 px, as a PNG. */
async function quarters(): Promise<Buffer> {
  const part = (background: string) =>
    sharp({ create: { width: 200, height: 150, channels: 3, background } })
      .png()
      .toBuffer();
  const [red, green, blue] = await Promise.all(['#f00', '#0f0', '#00f'].map(part));
  return sharp({ create: { width: 400, height: 300, channels: 3, background: '#fff' } })
    .composite([
      { input: red, left: 0, top: 0 },
      { input: green, left: 200, top: 0 },
      { input: blue, left: 0, top: 150 },
    ])
    .png()
    .toBuffer();
}

const test = base
  .extend('member', { scope: 'file' }, ({ database }) => insertMember(database))
  .extend('fileId', { scope: 'file' }, async ({ member, send }) => {
    const { body } = await send(member, { bytes: await quarters(), name: 'quarters.png' });
    return String(body.$id);
  })
  .extend('preview', { scope: 'file' }, ({ view }) => async (who: Member, id: string, query: string) => {
    const response = await view(who, id, { query });
    const { data, info } = await sharp(response.rawPayload)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    /** Red, green, blue, alpha of a pixel; counted from the other side when negative. */
    const pixel = (x: number, y: number) => {
      const at = ((y < 0 ? info.height + y : y) * info.width + (x < 0 ? info.width + x : x)) * 4;
      // What encoders round is the same colour.
      return [...data.subarray(at, at + 4)].map((value) => (value < 8 ? 0 : value > 247 ? 255 : value));
    };
    return { response, size: [info.width, info.height], pixel };
  });

const [red, green, blue, white] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
];

describe('a preview', () => {
  test.for([
    ['width=100', [100, 75]],
    ['height=60', [80, 60]],
    ['width=100&height=100', [100, 100]],
    ['width=800&height=800', [800, 800]],
    ['width=4000', [400, 300]],
    ['height=4000', [400, 300]],
    ['width=0&height=0', [400, 300]],
    ['width=100&borderWidth=10', [120, 95]],
    ['rotation=90', [300, 400]],
    ['rotation=-90', [300, 400]],
    ['rotation=360', [400, 300]],
  ] as const)('%s has %j pixels', async ([query, size], { member, fileId, preview }) => {
    expect((await preview(member, fileId, query)).size).toEqual(size);
  });

  test('is cropped to the side that `gravity` names', async ({ member, fileId, preview }) => {
    for (const [gravity, corners] of [
      ['top-left', [red, red]],
      ['top-right', [green, green]],
      ['bottom-left', [blue, blue]],
      ['bottom-right', [white, white]],
      ['left', [red, blue]],
      ['right', [green, white]],
      ['center', [red, white]],
    ] as const) {
      // A wide picture is cut at its sides, a high one above and below.
      const isSide = ['left', 'right', 'center'].includes(gravity);
      const query = isSide ? 'width=60&height=90' : 'width=50&height=300';
      const { pixel } = await preview(member, fileId, `${query}&gravity=${gravity}&output=png`);
      const expected = gravity.startsWith('bottom') ? pixel(2, -3) : pixel(2, 2);
      expect([gravity, expected]).toEqual([gravity, corners[0]]);
      if (isSide) expect([gravity, pixel(-3, -3)]).toEqual([gravity, corners[1]]);
    }
  });

  test('has its border, round corners, opacity, rotation and background', async ({
    member,
    fileId,
    preview,
  }) => {
    const png = async (query: string) => (await preview(member, fileId, `${query}&output=png`)).pixel;
    const bordered = await png('borderWidth=5&borderColor=fa0');
    expect([bordered(0, 0), bordered(6, 6)]).toEqual([[255, 170, 0, 255], red]);
    const round = await png('borderRadius=50');
    expect([round(0, 0)[3], round(50, 50), round(-1, -1)[3]]).toEqual([0, red, 0]);
    expect((await png('opacity=0.5'))(10, 10)).toEqual([255, 0, 0, 128]);
    expect((await png('rotation=90'))(-3, 3)).toEqual(red);
    const rotated = await png('rotation=45');
    expect(rotated(0, 0)[3]).toBe(0);
    expect((await png('rotation=45&background=00ff00'))(0, 0)).toEqual(green);
    const faded = await png('opacity=0&background=0000FF');
    expect([faded(10, 10), faded(-10, -10)]).toEqual([blue, blue]);
    // JPEG knows no transparency.
    const { pixel } = await preview(member, fileId, 'opacity=0&output=jpg');
    expect(pixel(10, 10)).toEqual(white);
  });

  test('comes in the requested format, or else in that of the file', async ({ member, fileId, preview }) => {
    for (const [output, type] of [
      ['jpg', 'jpeg'],
      ['jpeg', 'jpeg'],
      ['png', 'png'],
      ['gif', 'gif'],
      ['webp', 'webp'],
      ['avif', 'avif'],
    ]) {
      const { response, size } = await preview(member, fileId, `width=90&output=${output}`);
      expect([response.headers['content-type'], size]).toEqual([`image/${type}`, [90, 68]]);
      expect(response.headers['content-security-policy']).toBe('sandbox');
    }
    const own = await preview(member, fileId, 'borderRadius=5');
    expect(own.response.headers['content-type']).toBe('image/png');
  });

  test('is encoded in its quality, found again by its ETag, and the same for parts without effect', async ({
    server,
    member,
    fileId,
    view,
  }) => {
    const get = (query: string) => view(member, fileId, { query });
    const [low, high] = await Promise.all([get('output=jpg&quality=5'), get('output=jpg&quality=95')]);
    expect(low.rawPayload.length).toBeLessThan(high.rawPayload.length);
    const alike = await get(
      'output=jpeg&quality=5&gravity=top&rotation=-360&opacity=1.0&borderColor=fff&background=&impersonateuserid=&project=tara',
    );
    expect([alike.headers.etag, alike.rawPayload]).toEqual([low.headers.etag, low.rawPayload]);
    expect(low.headers.etag).not.toBe(high.headers.etag);
    const square = 'width=90&height=90';
    const [cut, centred] = await Promise.all([get(square), get(`${square}&gravity=center`)]);
    expect(cut.headers.etag).toBe(centred.headers.etag);
    expect(low.headers['cache-control']).toBe('private, max-age=31536000, immutable');
    const known = await server.request(member, {
      url: `/v1/storage/buckets/images/files/${fileId}/preview?output=jpg&quality=5`,
      headers: { 'if-none-match': String(low.headers.etag) },
    });
    expect([known.statusCode, known.body]).toEqual([304, '']);
  });

  test.for([
    ['width', ['-1', '4001', '1.5', 'wide']],
    ['height', ['4001']],
    ['gravity', ['middle', '']],
    ['quality', ['-1', '101']],
    ['borderWidth', ['-1', '101']],
    ['borderColor', ['red', '#fff', '12345']],
    ['borderRadius', ['-1', '4001']],
    ['opacity', ['-0.1', '1.1', 'half', '1e-1']],
    ['rotation', ['-361', '361', '0.5']],
    ['background', ['transparent', 'ffffffff']],
    ['output', ['bmp', 'heic', 'svg', '']],
  ] as const)(
    'with a wrong `%s` is refused by its name',
    async ([name, values], { server, member, fileId }) => {
      const params = { bucketId: 'images' as const, fileId };
      for (const value of values) {
        const { problem } = await server.call(member, storage.preview, {
          params,
          query: { [name]: value } as never,
        });
        expect(problem).toMatchObject({
          code: 400,
          type: 'general_argument_invalid',
          fields: { [name]: expect.anything() },
        });
      }
    },
  );
});

test('a preview that cannot be made says so, and one that is refused for a while says that', async ({
  platform,
  member,
  fileId,
}) => {
  const errors = [new ImageRejected('too_slow'), new Problem('general_rate_limit_exceeded')];
  const images = {
    ...openImages({ rateLimits: false }),
    transform: () => Promise.reject(errors.shift()),
  };
  const server = await testServer(platform, (app) => storageRoutes(app, platform, documentsKey, { images }));
  const url = `/v1/storage/buckets/images/files/${fileId}/preview?width=50&rotation=90`;
  const types = [];
  for (let count = 0; count < 2; count++) types.push((await server.request(member, { url })).json().type);
  await server.close();
  expect(types).toEqual(['storage_invalid_file', 'general_rate_limit_exceeded']);
});

describe('the cost of previews', () => {
  const plain = { width: 10, height: 0, gravity: 'center', quality: 80, borderWidth: 0 } as const;
  const more = { borderColor: '', borderRadius: 0, opacity: 1, rotation: 0, background: null } as const;
  const transformation = { ...plain, ...more, output: 'webp' } as const;
  const stored = { key: 'a', width: 400, height: 300 };

  test('is counted on the account of uploads, and ends with 429 (threat-starvation)', async () => {
    const images = openImages({ accountCpuMs: 1 });
    const bytes = await quarters();
    const requester = { accountId: 'ana', ip: '203.0.113.7' };
    const transform = openTransformations(async () => bytes, images);
    expect((await sharp(await transform(stored, transformation, requester)).metadata()).width).toBe(10);
    const limited = expect.objectContaining({ type: 'general_rate_limit_exceeded' });
    await expect(transform(stored, { ...transformation, width: 11 }, requester)).rejects.toEqual(limited);
    await expect(images.process([bytes], { maxBytes: 1e6 }, requester)).rejects.toBeInstanceOf(Problem);
    // What was made is sent again to anybody.
    expect((await transform(stored, transformation, requester)).length).toBeGreaterThan(0);
    images.close();
  });

  test('is that of one preview for all who ask at the same time (threat-starvation)', async () => {
    let count = 0;
    const images = {
      transform: async () => {
        count++;
        return Buffer.alloc(1024 * 1024);
      },
    };
    const transform = openTransformations(async () => Buffer.alloc(1), images);
    const requester = { accountId: 'ana', ip: '203.0.113.7' };
    await Promise.all(Array.from({ length: 5 }, () => transform(stored, transformation, requester)));
    expect(count).toBe(1);
    // Any number of parameters fills no more memory than the cache has: the oldest are made again.
    for (let width = 100; width < 200; width++)
      await transform(stored, { ...transformation, width }, requester);
    await transform(stored, { ...transformation, width: 199 }, requester);
    expect(count).toBe(101);
    await transform(stored, transformation, requester);
    expect(count).toBe(102);
  });

  test('is refused only to whose account took too much, and not to those who wait for the same preview (threat-starvation)', async () => {
    const tried: string[] = [];
    const images = {
      transform: async (
        _picture: unknown,
        _transformation: unknown,
        { accountId }: { accountId: string },
      ) => {
        tried.push(accountId);
        await Promise.resolve();
        if (accountId !== 'cora') throw new Problem('general_rate_limit_exceeded');
        return Buffer.alloc(1);
      },
    };
    const transform = openTransformations(async () => Buffer.alloc(1), images);
    const requesters = ['ana', 'ana', 'ben', 'cora', 'dora'];
    const outcomes = await Promise.allSettled(
      requesters.map((accountId) => transform(stored, transformation, { accountId, ip: '203.0.113.7' })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...['rejected', 'rejected', 'rejected', 'fulfilled', 'fulfilled'],
    ]);
    expect(tried).toEqual(['ana', 'ben', 'cora']);
    // An address has limits of its own: who is at another one is not refused for it.
    tried.length = 0;
    const next = { ...transformation, width: 12 };
    const ask = (ip: string) => transform(stored, next, { accountId: 'ana', ip });
    await Promise.allSettled([ask('203.0.113.7'), ask('203.0.113.7'), ask('198.51.100.9')]);
    expect(tried).toEqual(['ana', 'ana']);
  });

  test('is bounded by their pixels, and most where the encoder takes much (threat-starvation)', () => {
    const file = {
      id: 'a',
      path: null,
      checksums: [],
      width: 4096,
      height: 4096,
      variants: [1080],
      mimeType: 'image/jpeg',
      signature: 's',
    };
    const request = (query: object) => () => readPreviewRequest(file as never, query);
    const tooLarge = expect.objectContaining({ type: 'storage_image_resolution_exceeded' });
    for (const query of [
      { output: 'png' },
      { width: 4000, height: 4000, borderWidth: 10 },
      { width: 3000, output: 'avif' },
      { width: 2900, height: 2900, rotation: 45 },
    ] as const)
      expect(request(query)).not.toThrow();
    for (const query of [
      { output: 'gif' },
      { width: 3500, output: 'avif' },
      { height: 3500, output: 'avif' },
      { width: 4000, height: 4000, output: 'avif' },
      { width: 4000, height: 4000, borderWidth: 100 },
      { rotation: 45 },
    ] as const)
      expect(request(query)).toThrow(tooLarge);
  });

  test('is none of the process for pictures where a stored width is asked for', () => {
    const file = { id: 'a', width: 400, height: 300, variants: [96, 320, 400], mimeType: 'image/png' };
    const request = (query: object) =>
      readPreviewRequest({ ...file, path: null, signature: 's', checksums: [] } as never, query);
    for (const query of [{}, { width: 96 }, { width: 320, quality: 30 }, { width: 640 }, { rotation: 360 }])
      expect(request(query)).not.toHaveProperty('transformation');
    expect(request({ width: 100, quality: 30 })).toMatchObject({
      picture: { key: 'a/320', mimeType: 'image/webp' },
      transformation: { width: 100, quality: 30, output: 'webp' },
    });
    expect(request({ width: 90, height: 200 }).picture.key).toBe('a/320');
    expect(request({ width: 90, quality: 90 }).picture.key).toBe('a/original');
    expect(request({ height: 60 }).picture.key).toBe('a/96');
    for (const query of [
      ...[{ borderWidth: 5 }, { borderRadius: 5 }, { opacity: 0.5 }, { rotation: 90 }, { width: 97 }],
      ...[{ background: 'fff' }, { output: 'jpg' }, { height: 60 }, { width: 96, height: 60 }],
    ])
      expect(request(query)).toHaveProperty('transformation');
    // Its own width is that of the picture itself.
    const whole = { ...file, variants: [96, 320], path: null, signature: 's', checksums: [] };
    expect(readPreviewRequest(whole as never, { width: 400 })).toMatchObject({
      picture: { key: 'a/original' },
      quality: 100,
    });
    // Nothing is cut where one side alone is asked for.
    for (const side of [{ width: 90 }, { height: 60 }])
      expect(request({ ...side, gravity: 'top' }).picture.etag).toBe(request(side).picture.etag);
  });
});
