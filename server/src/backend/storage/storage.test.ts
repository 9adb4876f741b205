import { nowDate } from '@tara/contract/clock';
import { files } from '@tara/contract/files';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { mostUnused } from '../../features/files/upload.ts';
import { test } from '../../testing/backend/storage.ts';
import { insertMember } from '../../testing/features/members.ts';
import { insertPicture, pictureBytes } from '../../testing/features/pictures.ts';

describe('uploading', () => {
  test('a picture is kept upright, without what else was in the file, in several widths (§7-files-view)', async ({
    ana,
    send,
    view,
  }) => {
    const bytes = await sharp(await pictureBytes({ width: 800, height: 600 }))
      .withExif({ IFD0: { ImageDescription: 'taken at home' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { status, body } = await send(ana, { bytes, name: '../../../etc/päss\u0007.jpg' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      bucketId: 'images',
      name: 'päss.jpg',
      mimeType: 'image/jpeg',
      chunksTotal: 1,
      chunksUploaded: 1,
    });
    const shown = await view(ana, body.$id);
    const { width, height, exif } = await sharp(shown.rawPayload).metadata();
    expect([width, height, exif]).toEqual([600, 800, undefined]);
    const small = await view(ana, body.$id, { query: 'width=200' });
    expect(small.headers['content-type']).toBe('image/webp');
    expect((await sharp(small.rawPayload).metadata()).width).toBe(200);
    const whole = await view(ana, body.$id, { query: 'width=2000' });
    expect((await sharp(whole.rawPayload).metadata()).width).toBe(600);
  });

  test.for([
    [
      'a text file (§5-image-type-notice)',
      async () => Buffer.from('hello'),
      'storage_file_type_unsupported',
      'Unsupported File Type - Only JPG, JPEG, and PNG files are allowed.',
    ],
    [
      'an SVG that calls itself a JPG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'storage_file_type_unsupported',
      expect.any(String),
    ],
    [
      'a WebP (§5-image-types, §9-upload-types)',
      async () =>
        sharp(await pictureBytes())
          .webp()
          .toBuffer(),
      'storage_file_type_unsupported',
      expect.any(String),
    ],
    [
      'half a picture',
      async () => (await pictureBytes()).subarray(0, 400),
      'storage_invalid_file',
      expect.any(String),
    ],
    ['an empty file', async () => Buffer.alloc(0), 'storage_file_empty', 'Please choose a file.'],
  ] as const)(
    '%s is refused and stores nothing',
    async ([_what, bytes, type, message], { platform, ana, send, countFiles }) => {
      const storedCount = platform.files.keys().length;
      const { status, body } = await send(ana, { bytes: await bytes() });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(body).toMatchObject({ type, message });
      expect(await countFiles(ana)).toBe(0);
      expect(platform.files.keys()).toHaveLength(storedCount);
    },
  );

  test.for([
    ['images', 20_971_520, 20, '§3-buckets, §9-upload-posts, §5-images, §5-image-size-notice'],
    ['messageFiles', 5_242_880, 5, '§3-buckets, §9-upload-chat, §5-chat-images'],
    ['verificationFiles', 20_971_520, 20, '§3-buckets, §5-images, §9-upload-general'],
  ] as const)(
    '%s takes files of at most %i bytes, %i MB (%s)',
    async ([bucket, limit, megabytes], { ana, send, countFiles }) => {
      const picture = await pictureBytes();
      const sendBytes = (size: number) =>
        send(ana, { bytes: Buffer.concat([picture, Buffer.alloc(size - picture.length)]), bucket });
      expect((await sendBytes(limit)).status).toBe(201);
      const { status, body } = await sendBytes(limit + 1);
      const message = `Invalid File Size - File size exceeds the maximum allowed size (${megabytes} MB).`;
      expect([status, body.type, body.message]).toEqual([400, 'storage_invalid_file_size', message]);
      expect(await countFiles(ana)).toBe(1);
    },
  );

  test('no file, no form, a broken form, a wrong id, an unknown bucket: each says so', async ({
    server,
    ana,
    send,
    countFiles,
  }) => {
    const url = '/v1/storage/buckets/images/files';
    const broken = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await send(ana, { fileId: 'unique()' })).body.type).toBe('storage_file_empty');
    expect((await server.request(ana, { method: 'POST', url, payload: {} })).json().type).toBe(
      'storage_file_empty',
    );
    const cut = await server.request(ana, {
      method: 'POST',
      url,
      headers: broken,
      payload: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    });
    expect(cut.json()).toMatchObject({ code: 400, type: 'general_argument_invalid' });
    const bytes = await pictureBytes();
    expect((await send(ana, { bytes, fileId: '../../x' })).body.fields).toHaveProperty('fileId');
    expect((await send(ana, { bytes, bucket: 'secrets' })).body.type).toBe('storage_bucket_not_found');
    expect(await countFiles(ana)).toBe(0);
  });

  test('an id of one’s own is taken once, and finds the file for its owner wherever it is used', async ({
    ana,
    ben,
    send,
    view,
    use,
  }) => {
    const bytes = await pictureBytes();
    const fileId = `mine-${ana.accountId.slice(0, 8)}`;
    expect((await send(ana, { bytes, fileId })).body.$id).toBe(fileId);
    const taken = { status: 409, body: { type: 'storage_file_already_exists' } };
    expect(await send(ana, { bytes, fileId })).toMatchObject(taken);
    expect((await view(ana, fileId)).statusCode).toBe(200);
    expect((await view(ben, fileId)).statusCode).toBe(404);
    const attached = await use(fileId, ana);
    // The id that records carry is for everyone; it is the owner’s too, so that no second file takes it.
    expect((await view(ben, attached.id)).statusCode).toBe(200);
    expect(await send(ana, { bytes, fileId: attached.id })).toMatchObject(taken);
  });

  test('F15l: nobody learns by an upload whether another’s file exists', async ({
    server,
    ana,
    ben,
    send,
    countFiles,
  }) => {
    const identity = { bytes: await pictureBytes(), bucket: 'verificationFiles' };
    const fileId = `id-${ana.accountId.slice(0, 8)}`;
    const { body: theirs } = await send(ana, { ...identity, fileId });
    const { body: random } = await send(ana, { ...identity });
    for (const id of [fileId, random.$id, `free-${ben.accountId.slice(0, 8)}`]) {
      const { status, body } = await send(ben, { ...identity, fileId: id });
      expect([status, body.$id, body.$permissions]).toEqual([
        201,
        id,
        [`update("user:${ben.accountId}")`, `delete("user:${ben.accountId}")`],
      ]);
      const params = { bucketId: 'verificationFiles' as const, fileId: id };
      expect((await server.call(ben, files.delete, { params })).status).toBe(204);
      expect((await server.call(ben, files.delete, { params })).problem.type).toBe('storage_file_not_found');
    }
    expect(await countFiles(ana)).toBe(2);
    expect(theirs.$id).toBe(fileId);
  });

  test('an id that another’s public picture has means one’s own file, and changes nothing of theirs', async ({
    ana,
    ben,
    send,
    view,
    use,
  }) => {
    const { body } = await send(ana, { bytes: await pictureBytes() });
    await use(body.$id, ana);
    const bytes = await pictureBytes({ width: 50, height: 50 });
    await send(ben, { bytes, fileId: body.$id });
    const attached = await use(body.$id, ben);
    expect(attached.id).not.toBe(body.$id);
    expect((await sharp((await view(ben, body.$id)).rawPayload).metadata()).width).toBe(50);
    expect((await sharp((await view(ana, body.$id)).rawPayload).metadata()).width).toBe(400);
  });

  test('someone who uses none of many uploads must wait (threat-starvation)', async ({
    database,
    ana,
    ben,
    send,
    countFiles,
  }) => {
    for (let index = 0; index < mostUnused; index++) {
      await insertPicture(database, { ownerAccountId: ana.accountId });
      await insertPicture(database, { ownerAccountId: ben.accountId, usedAt: nowDate() });
    }
    const bytes = await pictureBytes();
    expect((await send(ana, { bytes })).body.type).toBe('storage_unused_limit');
    expect(await countFiles(ana)).toBe(mostUnused);
    expect((await send(ben, { bytes })).status).toBe(201);
  });

  test('signed out or unconfirmed: refused before the file is read', async ({ database, send }) => {
    const unconfirmed = await insertMember(database, { confirmed: false });
    const bytes = await pictureBytes();
    expect((await send(null, { bytes })).body.type).toBe('general_unauthorized_scope');
    expect((await send(unconfirmed, { bytes })).body.type).toBe('user_email_unverified');
  });
});
