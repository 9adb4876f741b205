import { files } from '@tara/contract/files';
import { upload as limits } from '@tara/contract/limits';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { uploads } from '../../features/files/index.ts';
import { mostUnfinished } from '../../features/files/parts.ts';
import { partBytes as part, size, partsTest as test } from '../../testing/backend/upload-parts.ts';
import { pictureBytes } from '../../testing/features/pictures.ts';

describe('a part is refused', () => {
  test.for([
    ['no range', 'items 0-1/2'],
    ['a range of nothing', `bytes 0-${part - 1}/0`],
    ['a start between parts', `bytes 1-${part}/${size}`],
    ['an end between parts', `bytes 0-${part - 2}/${size}`],
    ['an end behind the part', `bytes 0-${part}/${size}`],
    ['a start behind the end', `bytes ${3 * part}-${3 * part + 9}/${size}`],
    ['an end before the start', `bytes ${part}-1/${size}`],
    ['an end behind the file', `bytes ${2 * part}-${size + 1}/${size}`],
    ['an unknown size', `bytes 0-${part - 1}/*`],
    ['a size of many digits', `bytes 0-${part - 1}/${'9'.repeat(16)}`],
    ['fewer bytes than announced', `bytes 0-${part - 1}/${size}`],
    ['more bytes than announced', `bytes ${2 * part}-${size - 1}/${size}`],
    ['fewer bytes than the whole', `bytes 0-${part}/${part + 1}`],
  ] as const)('with %s', async ([what, range], { database, ana, send, large }) => {
    const bytes = what.startsWith('fewer') ? large.subarray(0, 1000) : large.subarray(0, 2000);
    const { status, body } = await send(ana, { bytes, headers: { 'content-range': range } });
    expect([status, body.type]).toEqual([400, 'storage_invalid_content_range']);
    expect(await database.$count(uploads, eq(uploads.ownerAccountId, ana.accountId))).toBe(0);
  });

  test('of a file that is larger than its bucket takes, by the first one (§5-images, threat-starvation)', async ({
    ana,
    sendPart,
    large,
  }) => {
    for (const [bucket, limit] of [
      ['images', limits.images],
      ['messageFiles', limits.messageFiles],
      ['verificationFiles', limits.verificationFiles],
    ] as const) {
      const range = `bytes 0-${part - 1}/${limit + 1}`;
      const { body } = await sendPart(ana, { index: 0, whole: large, bucket, range });
      expect(body.type).toBe('storage_invalid_file_size');
      const largest = `bytes 0-${part - 1}/${limit}`;
      expect((await sendPart(ana, { index: 0, whole: large, bucket, range: largest })).status).toBe(201);
    }
  });

  test('that begins no picture, names a wrong upload or wrong permissions', async ({
    ana,
    send,
    sendPart,
    large,
  }) => {
    const text = Buffer.from('hello '.repeat(1_000_000));
    expect((await sendPart(ana, { index: 0, whole: text })).body.type).toBe('storage_file_type_unsupported');
    for (const id of ['_', 'a'.repeat(37), '../../a'])
      expect((await sendPart(ana, { index: 0, whole: large, id })).body.type).toBe(
        'storage_invalid_appwrite_id',
      );
    const { body } = await send(ana, { bytes: large, permissions: ['read(any)'] });
    expect(body).toMatchObject({
      type: 'general_argument_invalid',
      fields: { permissions: expect.anything() },
    });
  });

  test('of an upload of another size, in another bucket, or beyond the unfinished ones (threat-starvation)', async ({
    server,
    ana,
    send,
    sendPart,
    large,
  }) => {
    const fileId = `one-${ana.accountId.slice(0, 8)}`;
    await sendPart(ana, { index: 0, whole: large, fileId });
    const longer = Buffer.concat([large, Buffer.alloc(5)]);
    expect((await sendPart(ana, { index: 1, whole: longer, fileId })).body.type).toBe(
      'storage_invalid_content_range',
    );
    const bucket = 'verificationFiles';
    expect((await sendPart(ana, { index: 1, whole: large, fileId, bucket })).body.type).toBe(
      'storage_file_already_exists',
    );
    // Nor does it begin where a file has its id, or end by a file sent as a whole.
    const bytes = await pictureBytes();
    const { $id: id } = (await send(ana, { bytes })).body;
    expect((await sendPart(ana, { index: 1, whole: large, fileId: id, id })).body.type).toBe(
      'storage_file_already_exists',
    );
    expect((await send(ana, { bytes, fileId })).body.type).toBe('storage_file_already_exists');
    for (let count = 1; count < mostUnfinished; count++) await sendPart(ana, { index: 0, whole: large });
    expect((await sendPart(ana, { index: 0, whole: large })).body.type).toBe('storage_unfinished_limit');
    // Those that are begun go on, and one that is given up makes room.
    expect((await sendPart(ana, { index: 2, whole: large, fileId })).status).toBe(201);
    const params = { bucketId: 'images' as const, fileId };
    expect((await server.call(ana, files.delete, { params })).status).toBe(204);
    expect((await server.call(ana, files.delete, { params })).problem.type).toBe('storage_file_not_found');
    expect((await sendPart(ana, { index: 0, whole: large })).status).toBe(201);
  });
});
