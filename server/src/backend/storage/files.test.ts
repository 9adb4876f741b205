import { createHash } from 'node:crypto';
import { files } from '@tara/contract/files';
import { storage } from '@tara/contract/wire/storage';
import { describe, expect } from 'vitest';
import type { FileChange } from '../../platform/documents.ts';
import { test } from '../../testing/backend/storage.ts';
import { pictureBytes } from '../../testing/features/pictures.ts';

const images = 'images' as const;

describe('what is known of a file', () => {
  test('is what the upload answered, with the MD5 of what is stored (§7-files-get)', async ({
    server,
    ana,
    ben,
    send,
    view,
    use,
  }) => {
    const { body } = await send(ana, { bytes: await pictureBytes() });
    const params = { bucketId: images, fileId: body.$id };
    const { reply } = await server.call(ana, storage.get, { params });
    expect(reply).toEqual(body);
    const { rawPayload } = await view(ana, body.$id);
    expect(reply.signature).toBe(createHash('md5').update(rawPayload).digest('hex'));
    expect(reply.sizeOriginal).toBe(rawPayload.length);
    expect(reply).toMatchObject({ key: reply.name, sizeActual: reply.sizeOriginal, encryption: false });
    const owner = `user:${ana.accountId}`;
    expect(reply.$permissions).toEqual([`read("${owner}")`, `update("${owner}")`, `delete("${owner}")`]);
    const notFound = { status: 404, problem: { type: 'storage_file_not_found' } };
    expect(await server.call(ben, storage.get, { params })).toMatchObject(notFound);
    await use(body.$id, ana);
    const seen = await server.call(ben, storage.get, { params });
    expect(seen.reply.$permissions).toEqual(['read("users/verified")', `update("${owner}")`]);
    for (const bucketId of ['messageFiles', 'verificationFiles'] as const)
      expect(await server.call(ana, storage.get, { params: { ...params, bucketId } })).toMatchObject(
        notFound,
      );
  });

  test('by an id of one’s own is found by it and by the one that records carry', async ({
    server,
    ana,
    ben,
    send,
    use,
  }) => {
    const fileId = `mine-${ana.accountId.slice(0, 8)}`;
    await send(ana, { bytes: await pictureBytes(), fileId });
    const { id } = await use(fileId, ana);
    for (const known of [fileId, id]) {
      const { reply } = await server.call(ana, storage.get, { params: { bucketId: images, fileId: known } });
      expect(reply.$id).toBe(known);
    }
    const params = { bucketId: images, fileId };
    expect((await server.call(ben, storage.get, { params })).problem.type).toBe('storage_file_not_found');
  });

  test('of an identity picture is shown to its owner alone, and never its bytes', async ({
    server,
    ana,
    ben,
    send,
  }) => {
    const bucketId = 'verificationFiles' as const;
    const { body } = await send(ana, { bytes: await pictureBytes(), bucket: bucketId });
    const params = { bucketId, fileId: body.$id };
    expect((await server.call(ana, storage.get, { params })).reply).toEqual(body);
    expect((await server.call(ben, storage.get, { params })).status).toBe(404);
    for (const call of [storage.view, storage.download, storage.preview])
      expect((await server.call(ana, call, { params })).status).toBe(404);
  });
});

describe('renaming', () => {
  test('changes the name of one’s own file; permissions have no effect (§7-files-update)', async ({
    server,
    ana,
    ben,
    send,
    use,
  }) => {
    const { body } = await send(ana, { bytes: await pictureBytes() });
    const params = { bucketId: images, fileId: body.$id };
    const update = (who: typeof ana, change: object) =>
      server.call(who, storage.update, { params, body: change });
    const permissions = ['read("any")', 'update("user:someone")', 'write("label:admin")', 'read("team:a/b")'];
    const { reply } = await update(ana, { name: '../../beach\u0007.jpg', permissions });
    expect(reply).toMatchObject({ name: 'beach.jpg', $permissions: body.$permissions });
    expect((await server.call(ana, storage.get, { params })).reply).toEqual(reply);
    // Without a name, as SDKs send what is not set.
    for (const change of [{}, { name: null, permissions: null }, { permissions: [] }])
      expect((await update(ana, change)).reply).toEqual(reply);
    expect((await update(ben, { name: 'a' })).problem.type).toBe('storage_file_not_found');
    await use(body.$id, ana);
    expect((await update(ben, { name: 'a' })).problem.type).toBe('user_unauthorized');
    expect((await update(ana, { name: 'used.jpg' })).reply.name).toBe('used.jpg');
  });

  test.for([
    [{ name: '' }, 'name'],
    [{ name: 'a'.repeat(256) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ permissions: 'read("any")' }, 'permissions'],
    [{ permissions: ['read(any)'] }, 'permissions'],
    [{ permissions: ['read("any")', 'own("any")'] }, 'permissions'],
    [{ permissions: ['read("user:")'] }, 'permissions'],
    [{ permissions: Array(101).fill('read("any")') }, 'permissions'],
  ] as const)('with %j is refused', async ([change, field], { server, ana, send }) => {
    const { body } = await send(ana, { bytes: await pictureBytes() });
    const params = { bucketId: images, fileId: body.$id };
    const { problem } = await server.call(ana, storage.update, { params, body: change as never });
    expect(problem).toMatchObject({
      type: 'general_argument_invalid',
      fields: { [field]: expect.anything() },
    });
  });
});

describe('a download', () => {
  test('is saved under the file’s name, and read in ranges like a view (§7-files-download)', async ({
    server,
    ana,
    send,
    view,
  }) => {
    const { body } = await send(ana, { bytes: await pictureBytes(), name: 'pa"ra\\sa 東京.jpg' });
    const whole = (await view(ana, body.$id)).rawPayload;
    const etag = String((await view(ana, body.$id)).headers.etag);
    const size = whole.length;
    const read = (kind: string, headers: Record<string, string> = {}) =>
      server.request(ana, { url: `/v1/storage/buckets/images/files/${body.$id}/${kind}`, headers });
    const download = await read('download');
    expect(download.rawPayload).toEqual(whole);
    expect(download.headers).toMatchObject({
      'content-disposition':
        'attachment; filename="sa __.jpg"; filename*=UTF-8\'\'sa%20%E6%9D%B1%E4%BA%AC.jpg',
      'content-type': 'image/jpeg',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
    for (const kind of ['view', 'download']) {
      for (const [range, start, end] of [
        ['bytes=0-9', 0, 9],
        ['bytes=10-', 10, size - 1],
        ['bytes=-5', size - 5, size - 1],
      ] as const) {
        const part = await read(kind, { range, 'if-range': etag });
        expect([part.statusCode, part.headers['content-range']]).toEqual([
          206,
          `bytes ${start}-${end}/${size}`,
        ]);
        expect(part.rawPayload).toEqual(whole.subarray(start, end + 1));
      }
      for (const range of [`bytes=0-${size}`, `bytes=${size}-`, 'bytes=9-1', 'items=0-1', 'bytes=0-1,3-4']) {
        const refused = await read(kind, { range });
        expect([refused.statusCode, refused.json().type]).toEqual([416, 'storage_invalid_range']);
        expect(refused.headers['content-range']).toBe(`bytes */${size}`);
      }
      // If the bytes changed since, all are sent.
      const changed = await read(kind, { range: 'bytes=0-9', 'if-range': '"other"' });
      expect([changed.statusCode, changed.rawPayload.length]).toEqual([200, size]);
      expect((await read(kind, { 'if-none-match': etag })).statusCode).toBe(304);
    }
  });
});

test('what the calls change is announced once, to those who may know of it', async ({
  server,
  platform,
  ana,
  ben,
  send,
  use,
}) => {
  const changes: FileChange[] = [];
  const end = platform.bus.subscribe('file', (change) => void changes.push(change));
  const next = async () => {
    await expect.poll(() => changes.length).toBe(1);
    return changes.splice(0)[0];
  };
  const { body } = await send(ana, { bytes: await pictureBytes() });
  const params = { bucketId: images, fileId: body.$id };
  const owner = { id: body.$id, ownId: body.$id, bucketId: 'images', ownerAccountId: ana.accountId };
  expect(await next()).toEqual({ ...owner, change: 'create', document: body, audience: [ana.accountId] });
  await use(body.$id, ana);
  const { reply } = await server.call(ana, storage.update, { params, body: { name: 'new.jpg' } });
  expect(await next()).toEqual({ ...owner, change: 'update', document: reply, audience: 'members' });
  // A change of permissions is announced, though they have no effect; one of nothing is not.
  await server.call(ana, storage.update, { params, body: {} });
  await server.call(ana, storage.update, { params, body: { permissions: ['read("any")'] } });
  expect(await next()).toEqual({ ...owner, change: 'update', document: reply, audience: 'members' });

  const bucketId = 'messageFiles' as const;
  const { body: unused } = await send(ana, { bytes: await pictureBytes(), bucket: bucketId });
  await next();
  await server.call(ana, files.delete, { params: { bucketId, fileId: unused.$id } });
  expect(await next()).toMatchObject({ change: 'delete', document: unused, audience: [ana.accountId] });
  const { body: sent } = await send(ana, { bytes: await pictureBytes(), bucket: bucketId });
  await next();
  await use(sent.$id, ana, bucketId, [ana.accountId, ben.accountId]);
  await server.call(ana, storage.update, { params: { bucketId, fileId: sent.$id }, body: { name: 'c' } });
  expect((await next())?.audience).toEqual([ana.accountId, ben.accountId]);
  end();
});
