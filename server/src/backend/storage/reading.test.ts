import { nowDate, nowMs } from '@tara/contract/clock';
import { files } from '@tara/contract/files';
import { storage } from '@tara/contract/wire/storage';
import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import {
  attachFile,
  fileTasks,
  hideFile,
  releaseFile,
  files as rows,
  showHiddenToAdmins,
  showToAdmins,
} from '../../features/files/index.ts';
import { chats, messages } from '../../features/messages/index.ts';
import { posts } from '../../features/posts/index.ts';
import type { Database } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import { documentsKey, helpers, test } from '../../testing/backend/storage.ts';
import { insertConversation } from '../../testing/features/conversations.ts';
import { insertBlock, insertMember, type Member } from '../../testing/features/members.ts';
import { insertPicture, pictureBytes } from '../../testing/features/pictures.ts';
import { insertChat } from '../../testing/features/receipts.ts';

/** Two members with a chat of a kind. */
async function openChatBetween(
  database: Database,
  kind: 'conversation' | 'open plan chat' | 'closed plan chat',
) {
  if (kind === 'conversation') {
    const [ana, ben] = [await insertMember(database), await insertMember(database)];
    return { ana, ben, chatId: (await insertConversation(database, ana, ben)).id };
  }
  const { creator, client, chatId } = await insertChat(database);
  if (kind === 'closed plan chat')
    await database.update(chats).set({ closedAt: nowDate() }).where(eq(chats.id, chatId));
  return { ana: creator, ben: client, chatId };
}

describe('seeing (§6)', () => {
  test('an upload that nothing uses is seen by its owner alone; once used, by every member', async ({
    ana,
    ben,
    send,
    view,
    use,
  }) => {
    const { body } = await send(ana, { bytes: await pictureBytes() });
    expect((await view(ana, body.$id)).statusCode).toBe(200);
    expect((await view(ben, body.$id)).json().type).toBe('storage_file_not_found');
    const notFound = { type: 'storage_file_not_found' };
    await expect(use(body.$id, ben)).rejects.toMatchObject(notFound);
    await expect(use(body.$id, ana, 'messageFiles')).rejects.toMatchObject(notFound);
    await use(body.$id, ana);
    expect((await view(ben, body.$id)).statusCode).toBe(200);
    await expect(use(body.$id, ana)).rejects.toMatchObject(notFound);
  });

  test('an admin sees the picture of the reported message alone, and what was taken back when they look at it', async ({
    database,
    server,
    ana,
    ben,
    use,
  }) => {
    const bucket = 'messageFiles';
    const admin = await insertMember(database, { admin: true });
    const owner = { ownerAccountId: ana.accountId, bucket } as const;
    const insert = async () => {
      const { id } = await use(await insertPicture(database, owner), ana, bucket, [
        ana.accountId,
        ben.accountId,
      ]);
      return id;
    };
    const [reported, other] = [await insert(), await insert()];
    const [takenBack, unlooked] = [await insert(), await insert()];
    const see = (who: Member) =>
      Promise.all(
        [reported, other, takenBack, unlooked].map(async (fileId) => {
          const params = { bucketId: 'messageFiles' as const, fileId };
          return (await server.call(who, storage.get, { params })).status;
        }),
      );
    await database.transaction(async (transaction) => {
      for (const id of [takenBack, unlooked]) await hideFile(transaction, id);
      for (const id of [reported, takenBack]) await showToAdmins(transaction, id);
    });
    expect([await see(admin), await see(ben)]).toEqual([
      [200, 404, 404, 404],
      [200, 200, 404, 404],
    ]);
    await database.transaction(async (transaction) => {
      for (const id of [takenBack, other]) await showHiddenToAdmins(transaction, id);
    });
    expect([await see(admin), await see(ben)]).toEqual([
      [200, 404, 200, 404],
      [200, 200, 404, 404],
    ]);
  });

  test('`quality` is honoured by previews, up to what is stored (§7-files-preview)', async ({
    ana,
    send,
    view,
  }) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const bytes = await sharp({
      create: { width: 800, height: 600, channels: 3, background: 'white', noise },
    })
      .jpeg()
      .toBuffer();
    const { body } = await send(ana, { bytes });
    const preview = (query: string) => view(ana, body.$id, { query });
    const stored = await preview('width=640');
    const [low, middle, full] = await Promise.all(
      [10, 30, 100].map((quality) => preview(`width=640&quality=${quality}`)),
    );
    expect(full?.rawPayload).toEqual(stored.rawPayload);
    // As it is stored.
    expect((await preview('width=640&quality=80')).rawPayload).toEqual(stored.rawPayload);
    expect(middle?.rawPayload.length).toBeLessThan(stored.rawPayload.length);
    expect(low?.rawPayload.length).toBeLessThan(middle?.rawPayload.length ?? 0);
    expect((await sharp(low?.rawPayload).metadata()).width).toBe(640);
    expect(new Set([stored, low, middle].map((response) => response?.headers.etag)).size).toBe(3);
    // Made once, and sent again from memory.
    expect((await preview('width=640&quality=10')).rawPayload).toEqual(low?.rawPayload);
    const original = await preview('quality=10');
    expect(original.headers['content-type']).toBe('image/jpeg');
    expect(original.rawPayload.length).toBeLessThan((await view(ana, body.$id)).rawPayload.length);
    for (const wrong of ['101', '-1', 'high'])
      expect((await preview(`quality=${wrong}`)).statusCode).toBe(400);
  });

  test('a message picture is seen by its owner and readers (threat-guessed-ids)', async ({
    database,
    ana,
    ben,
    send,
    view,
    use,
  }) => {
    const bucket = 'messageFiles';
    const { body } = await send(ana, { bytes: await pictureBytes(), bucket });
    await use(body.$id, ana, bucket, [ana.accountId, ben.accountId]);
    const eve = await insertMember(database, { admin: true });
    const statuses = [];
    for (const who of [ana, ben, eve]) statuses.push((await view(who, body.$id, { bucket })).statusCode);
    expect(statuses).toEqual([200, 200, 404]);
    // Nor through another bucket.
    expect((await view(eve, body.$id)).statusCode).toBe(404);
  });

  test.for(['conversation', 'open plan chat', 'closed plan chat'] as const)(
    'after a block a picture of a %s is seen as far as the chat is read (threat-blocked-members)',
    async (kind, { database, server, send, view }) => {
      const { ana, ben, chatId } = await openChatBetween(database, kind);
      if (kind === 'closed plan chat') {
        // What the blocker reads of another chat of the two shows nothing of this one.
        const { id } = await insertConversation(database, ana, ben);
        await database.insert(messages).values({
          ...{ chatId: id, sequence: 1, id: newId(), userId: ben.profileId, name: ben.name, body: 'Rude' },
          ...{ clientKey: newId(), firstCount: 0, secondCount: 1 },
        });
      }
      const blocker = { ...ana, hiddenAccountIds: [ben.accountId], hiddenProfileIds: [ben.profileId] };
      const blocked = { ...ben, hiddenAccountIds: [ana.accountId], hiddenProfileIds: [ana.profileId] };
      const bucket = 'messageFiles';
      const imageIds: string[] = [];
      for (const [index, { accountId, profileId: userId, name }] of [ana, ben].entries()) {
        const owner = index === 0 ? ana : ben;
        const { body } = await send(owner, { bytes: await pictureBytes(), bucket });
        const readers = [ana.accountId, ben.accountId];
        const picture = await database.transaction((transaction) =>
          attachFile(transaction, { id: body.$id, ownerAccountId: accountId, bucket, readers }),
        );
        const imageId = picture.id;
        await database.insert(messages).values({
          ...{ chatId, sequence: index + 1, id: newId(), userId, name, picture, imageId, clientKey: newId() },
          ...{ firstCount: 1, secondCount: index },
        });
        imageIds.push(imageId);
      }
      const see = async (who: Member) => {
        const statuses = new Set<number>();
        for (const id of imageIds)
          for (const query of ['', 'width=320', 'width=320&quality=20'])
            statuses.add((await view(who, id, { bucket, query })).statusCode);
        return [...statuses];
      };
      for (const who of [ana, ben]) expect(await see(who)).toEqual([200]);
      await insertBlock(database, ana, ben);
      const [seenByBlocker, seenByBlocked] = {
        conversation: [200, 404],
        'open plan chat': [200, 200],
        'closed plan chat': [404, 404],
      }[kind] as [number, number];
      expect(await see(blocker)).toEqual([seenByBlocker]);
      expect(await see(blocked)).toEqual([seenByBlocked]);
      // What a browser has already is asked for again, and refused.
      const [id = ''] = imageIds;
      const url = `/v1/storage/buckets/${bucket}/files/${id}/view`;
      const known = { 'if-none-match': String((await view(ana, id, { bucket })).headers.etag) };
      const { statusCode } = await server.request(blocked, { url, headers: known });
      expect(statusCode).toBe(seenByBlocked === 200 ? 304 : 404);
    },
  );

  test('an identity picture is kept encrypted, and these calls never show it, not even to its owner (threat-identity-documents)', async ({
    database,
    platform,
    ana,
    ben,
    send,
    view,
  }) => {
    const bucket = 'verificationFiles';
    const { body } = await send(ana, { bytes: await pictureBytes(), bucket });
    const [stored, ...others] = platform.files.keys().filter((key) => key.startsWith('identity/'));
    expect([stored, others]).toEqual([expect.stringMatching(`^identity/${ana.accountId}/.*/original$`), []]);
    const storedBytes = await platform.files.read(stored ?? '');
    expect(storedBytes.subarray(0, 4).toString()).toBe('TE01');
    const admin = await insertMember(database, { admin: true });
    for (const who of [ana, ben, admin]) {
      expect((await view(who, body.$id, { bucket })).statusCode).toBe(404);
      expect((await view(who, body.$id, { bucket, query: 'width=96' })).statusCode).toBe(404);
    }
  });

  test('a browser keeps a picture and never runs it (threat-stored-xss)', async ({
    server,
    ana,
    send,
    view,
  }) => {
    const { body } = await send(ana, { bytes: await pictureBytes() });
    const { headers } = await view(ana, body.$id);
    expect(headers).toMatchObject({
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'content-type': 'image/jpeg',
    });
    const again = await server.request(ana, {
      url: `/v1/storage/buckets/images/files/${body.$id}/view`,
      headers: { 'if-none-match': String(headers.etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await view(ana, body.$id, { query: 'width=5000' })).json().fields).toHaveProperty('width');
  });

  test('a browser asks each time whether a picture of a chat may still be seen (threat-guessed-ids)', async ({
    database,
    server,
    ana,
    ben,
    send,
    view,
  }) => {
    const bucket = 'messageFiles';
    const { body } = await send(ana, { bytes: await pictureBytes(), bucket });
    const readers = (accountIds: string[]) =>
      database.update(rows).set({ usedAt: nowDate(), readers: accountIds }).where(eq(rows.id, body.$id));
    await readers([ana.accountId, ben.accountId]);
    for (const query of [undefined, 'width=96', 'width=96&quality=10']) {
      await readers([ana.accountId, ben.accountId]);
      const { headers, statusCode } = await view(ben, body.$id, { bucket, query });
      expect([statusCode, headers['cache-control']]).toEqual([200, 'private, no-cache']);
      const kind = query === undefined ? 'view' : `preview?${query}`;
      const url = `/v1/storage/buckets/${bucket}/files/${body.$id}/${kind}`;
      const again = () => server.request(ben, { url, headers: { 'if-none-match': String(headers.etag) } });
      expect((await again()).statusCode).toBe(304);
      // Taken back.
      await readers([]);
      expect((await again()).statusCode).toBe(404);
    }
  });
});

describe('going', () => {
  test('a member deletes an unused upload of their own and nothing else (§7-files-delete)', async ({
    database,
    platform,
    server,
    ana,
    ben,
    send,
    view,
  }) => {
    const { body } = await send(ana, { bytes: await pictureBytes() });
    const other = await send(ana, { bytes: await pictureBytes() });
    const params = { bucketId: 'images' as const, fileId: body.$id };
    expect((await server.call(ben, files.delete, { params })).problem.type).toBe('storage_file_not_found');
    const elsewhere = { ...params, bucketId: 'messageFiles' as const };
    expect((await server.call(ana, files.delete, { params: elsewhere })).problem.type).toBe(
      'storage_file_not_found',
    );
    expect((await server.call(ana, files.delete, { params })).status).toBe(204);
    expect(platform.files.keys().filter((key) => key.startsWith(body.$id))).toEqual([]);
    expect((await view(ana, other.body.$id)).statusCode).toBe(200);
    const used = await insertPicture(database, { ownerAccountId: ana.accountId, usedAt: nowDate() });
    const { problem } = await server.call(ana, files.delete, {
      params: { bucketId: 'images', fileId: used },
    });
    expect(problem.type).toBe('storage_file_not_found');
  });

  test('a file that was given up goes with its bytes, unless a record still shows it', async ({
    database,
    platform,
    ana,
    send,
    view,
    use,
  }) => {
    const { body } = await send(ana, { bytes: await pictureBytes() });
    await use(body.$id, ana);
    await database.transaction((transaction) => releaseFile(transaction, body.$id));
    await database.insert(posts).values({ id: `p-${body.$id}`, creatorId: ana.profileId, imageId: body.$id });
    const tasks = fileTasks(platform, documentsKey);
    await tasks['files.remove']({ id: body.$id }, helpers);
    expect((await view(ana, body.$id)).statusCode).toBe(200);
    await database.delete(posts).where(eq(posts.id, `p-${body.$id}`));
    await tasks['files.remove']({ id: body.$id }, helpers);
    await tasks['files.remove']({ id: body.$id }, helpers);
    expect((await view(ana, body.$id)).statusCode).toBe(404);
    expect(platform.files.keys().filter((key) => key.startsWith(body.$id))).toEqual([]);
  });

  test('the sweep signs what was stored under a SHA-256 with the MD5 of its bytes', async ({
    database,
    platform,
    ana,
    send,
  }) => {
    const known = new Map<string, string>();
    for (const bucket of ['images', 'verificationFiles']) {
      const { body } = await send(ana, { bytes: await pictureBytes(), bucket });
      known.set(body.$id, body.signature);
      await database
        .update(rows)
        .set({ signature: 'a'.repeat(64) })
        .where(eq(rows.id, body.$id));
    }
    const lost = await insertPicture(database, { ownerAccountId: ana.accountId, signature: 'b'.repeat(64) });
    await fileTasks(platform, documentsKey)['files.sweep']({}, helpers);
    const signed = await database.select().from(rows).where(eq(rows.ownerAccountId, ana.accountId));
    for (const { id, signature } of signed) expect(signature).toBe(id === lost ? '' : known.get(id));
    expect(await platform.jobs('files.sweep')).toEqual([]);
  });

  test('the sweep removes what nothing used for a day', async ({ database, platform, server, ana }) => {
    const dayAgo = new Date(nowMs() - 25 * 3600_000);
    const owner = { ownerAccountId: ana.accountId };
    const old = await insertPicture(database, { ...owner, createdAt: dayAgo });
    const fresh = await insertPicture(database, owner);
    const used = await insertPicture(database, { ...owner, createdAt: dayAgo, usedAt: dayAgo });
    await fileTasks(platform, documentsKey)['files.sweep']({}, helpers);
    const left = await database
      .select({ id: rows.id })
      .from(rows)
      .where(eq(rows.ownerAccountId, ana.accountId));
    expect(left.map(({ id }) => id).sort()).toEqual([fresh, used].sort());
    expect(left).not.toContainEqual({ id: old });
    const params = { bucketId: 'images' as const, fileId: old };
    expect((await server.call(ana, files.delete, { params })).problem.type).toBe('storage_file_not_found');
  });

  test('the sweep goes on with a further job when there is more than one removes', async ({
    database,
    platform,
    ana,
  }) => {
    const file = await insertPicture(database, { ownerAccountId: ana.accountId, usedAt: nowDate() });
    // As those of before migration 0099; their bytes are gone.
    await database.execute(sql`
      insert into files select (jsonb_populate_record(files, jsonb_build_object('id', 'unsigned-' || n,
        'signature', repeat('a', 64)))).* from files, generate_series(1, 501) as n where files.id = ${file}`);
    const sweep = () => fileTasks(platform, documentsKey)['files.sweep']({}, helpers);
    await platform.takeJobs();
    await sweep();
    expect(await platform.takeJobs()).toEqual([{ task: 'files.sweep', payload: {} }]);
    await sweep();
    expect(await platform.takeJobs()).toEqual([]);
    expect(await database.$count(rows, eq(rows.signature, 'a'.repeat(64)))).toBe(0);
  });
});
