import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { personalData } from '@tara/contract/accounts/personal-data';
import { nowMs } from '@tara/contract/clock';
import { and, eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import yauzl from 'yauzl';
import type { Database } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import { tasks } from '../../platform/tasks.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { takeMails } from '../../testing/features/mails.ts';
import { insertSession, type Member, withOldPassword } from '../../testing/features/members.ts';
import { documentsKey, fillMember, helpers, marks, test } from '../../testing/matrix/personal-data.ts';
import { claimAccount } from '../accounts/claim.ts';
import { accounts } from '../accounts/index.ts';
import { files } from '../files/index.ts';
import { profiles } from '../profiles/index.ts';
import { readExport, storeExport } from './export-file.ts';
import { personalDataTasks } from './index.ts';
import { dataExports } from './tables.ts';

/** The entries of a zip: names with their bytes. */
async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return entries;
}

describe('the export of one’s own data', () => {
  test('has everything of the member and nothing of others, as JSON and pictures', async ({
    database,
    platform,
    server,
    newMember,
    work,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    await fillMember({ database, platform }, member, other, 'mine');
    await fillMember({ database, platform }, other, member, 'yours');
    const open = await insertInteraction(database, {
      creator: other,
      client: member,
      planId: await insertPlan(database, other),
    });
    await database.update(profiles).set({ name: 'Renamed' }).where(eq(profiles.id, other.profileId));
    const { reply } = await server.call(member, personalData.requestExport);
    expect(reply).toMatchObject({ expiresAt: null, sizeBytes: null });
    await work();
    const mails = (await takeMails(platform)).filter(
      ({ subject }) => subject === 'Your data from Tara is ready',
    );
    expect(mails).toHaveLength(1);
    const state = (await server.call(member, personalData.get)).reply;
    expect(state.latestExport).toMatchObject({ id: reply.id, sizeBytes: expect.any(Number) });
    // Seven days.
    const expiresInMs = Date.parse(state.latestExport?.expiresAt ?? '') - nowMs();
    expect(Math.abs(expiresInMs - 7 * 86_400_000)).toBeLessThan(60_000);

    // Encrypted where it lies.
    const stored = String(await platform.files.read(`exports/${reply.id}`));
    expect(stored.startsWith('PK')).toBe(false);
    const { url } = (await server.call(member, personalData.prepareDownload, { body: { id: reply.id } }))
      .reply;
    const download = await server.request(member, { method: 'GET', url });
    expect(download.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="tara-data.zip"',
      'content-length': String(state.latestExport?.sizeBytes),
    });
    const entries = await readZip(download.rawPayload);
    const own = marks('mine');
    const rows = (table: string) => JSON.parse(String(entries.get(`${table}.json`)));
    expect(rows('accounts')).toMatchObject([{ email: own.email, name: own.text }]);
    expect(rows('profiles')).toMatchObject([{ bio: own.text, birth_date: '2000-02-03' }]);
    expect(rows('posts')).toContainEqual(
      expect.objectContaining({ caption: own.text, creator_name: own.text }),
    );
    const written: { body: string }[] = rows('messages');
    expect(written.map(({ body }) => body).sort()).toEqual(['', 'Answer to yours', own.text]);
    // Both parties read both sides of a dispute.
    const added: { body: string }[] = rows('dispute_messages');
    const sides = [own.text, 'Added for mine', marks('yours').text, 'Added for yours'];
    expect(added.map(({ body }) => body).sort()).toEqual(sides.sort());
    expect(rows('disputes')).toContainEqual(expect.objectContaining({ story: own.text }));
    // Neither export says whether one blocked the other.
    for (const chat of rows('chats')) expect(chat).not.toHaveProperty('blocked');
    expect(rows('chats').length).toBeGreaterThan(0);
    expect(
      rows('public_links')
        .map(({ plan_id }: { plan_id: string | null }) => plan_id === null)
        .sort(),
    ).toEqual([false, true]);
    expect(rows('review_comments')).toMatchObject([{ body: own.text }]);
    expect(rows('verifications')).toMatchObject([{ address: own.text }]);
    const requests: { id: string; creator_name: string; client_name: string }[] = rows('interactions');
    expect(requests).toHaveLength(5);
    // Ended requests name people as they were called then, open ones as they are called.
    const partners = requests.map(({ id, creator_name, client_name }) => [
      id === open,
      [creator_name, client_name].filter((name) => name !== own.text),
    ]);
    expect(partners).toContainEqual([true, ['Renamed']]);
    expect(partners.filter(([isOpen]) => isOpen === false).flat(2)).not.toContain('Renamed');
    expect(rows('disbursements')).toMatchObject([{ amount_centavos: 250_00 }]);
    expect(rows('friends')).toContainEqual(expect.objectContaining({ friend_name: 'Renamed' }));
    expect([...entries.keys()].filter((name) => /token|block|mute|audit/.test(name))).toEqual([]);
    const pictures = [...entries].filter(([name]) => name.startsWith('pictures/'));
    expect(new Set(pictures.map(([, bytes]) => String(bytes)))).toEqual(
      new Set(['mine picture images', 'mine picture messageFiles', 'mine picture verificationFiles', '']),
    );
    const all = [...entries.values()].map(String).join('\n');
    for (const secret of ['password_hash', 'secret_hash', marks('yours').email, 'Answer to mine'])
      expect(all, secret).not.toContain(secret);
  });

  test('can be requested once a day, and the refusal says when again', async ({
    database,
    platform,
    server,
    newMember,
  }) => {
    const member = await newMember();
    const answers = await Promise.all([1, 2].map(() => server.call(member, personalData.requestExport)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.problem.type, refused?.problem.text]).toEqual([
      'account_export_too_soon',
      'you can do it again in 24 hours',
    ]);
    expect((await server.call(member, personalData.get)).reply.nextExportAt).not.toBeNull();
    expect(await platform.jobs('personalData.export')).toHaveLength(1);
    await database
      .update(dataExports)
      .set({ createdAt: sql`now() - interval '25 hours'` })
      .where(eq(dataExports.accountId, member.accountId));
    expect((await server.call(member, personalData.requestExport)).status).toBe(200);
    await platform.takeJobs();
  });

  test('of several members who wait is each of its own member', async ({
    database,
    platform,
    server,
    newMember,
    work,
  }) => {
    const members = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    const ids: string[] = [];
    for (const member of members) ids.push((await server.call(member, personalData.requestExport)).reply.id);
    // The later one is made first.
    const makeExport = personalDataTasks(platform, documentsKey)['personalData.export'];
    await makeExport?.({ exportId: ids[1] ?? '' }, helpers);
    await work();
    await platform.takeJobs();
    for (const [index, member] of members.entries()) {
      const url = personalData.download.path.replace(':id', ids[index] ?? '');
      const entries = await readZip((await server.request(member, { method: 'GET', url })).rawPayload);
      expect(JSON.parse(String(entries.get('accounts.json')))).toMatchObject([{ id: member.accountId }]);
    }
    const [other] = await database
      .select()
      .from(dataExports)
      .where(eq(dataExports.id, ids[0] ?? ''));
    expect(other?.readyAt).toEqual(expect.any(Date));
  });

  test('is its member’s alone, needs a recent password, and is removed after seven days', async ({
    database,
    platform,
    server,
    newMember,
    work,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    const refused = await server.call(withOldPassword(member), personalData.requestExport);
    expect(refused.problem.type).toBe('user_recent_password_required');
    const { id } = (await server.call(member, personalData.requestExport)).reply;
    const later = (await server.call(other, personalData.requestExport)).reply;
    const get = (who: Member | null) => server.call(who, personalData.download, { params: { id } });
    expect((await get(member)).problem.type).toBe('account_export_not_found');
    await work();
    await platform.takeJobs();
    expect((await get(member)).status).toBe(200);
    expect((await get(null)).status).toBe(401);
    expect((await get(other)).problem.type).toBe('account_export_not_found');
    expect((await get(withOldPassword(member))).problem.type).toBe('user_recent_password_required');
    const prepared = await server.call(other, personalData.prepareDownload, { body: { id } });
    expect(prepared.problem.type).toBe('account_export_not_found');
    const unknown = await server.call(member, personalData.prepareDownload, { body: { id: newId() } });
    expect(unknown.problem.type).toBe('account_export_not_found');
    const bad = await server.call(member, personalData.prepareDownload, { body: { id: '../x' } });
    expect([bad.status, Object.keys(bad.problem.fields ?? {})]).toEqual([400, ['id']]);

    await database
      .update(dataExports)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(dataExports.id, id));
    expect((await get(member)).problem.type).toBe('account_export_not_found');
    expect((await server.call(member, personalData.get)).reply.latestExport).toBeNull();
    await personalDataTasks(platform, documentsKey)['personalData.removeExports']?.({}, helpers);
    expect(await platform.files.exists(`exports/${id}`)).toBe(false);
    expect((await server.call(other, personalData.get)).reply.latestExport).toMatchObject({ id: later.id });
    expect(await platform.files.exists(`exports/${later.id}`)).toBe(true);
    expect((await server.call(member, personalData.get)).reply.latestExport).toBeNull();
  });

  test('of before somebody else took the account over is removed, a later one stays (threat-pre-hijacking)', async ({
    database,
    platform,
    server,
    newMember,
    work,
  }) => {
    const member = await newMember('Ana Cruz');
    const { id } = (await server.call(member, personalData.requestExport)).reply;
    await work();
    await platform.takeJobs();
    const remove = () => tasks.removeExports.enqueue(database, { accountId: member.accountId });
    await remove();
    await work();
    expect(await platform.files.exists(`exports/${id}`)).toBe(true);
    await database
      .update(accounts)
      .set({ createdAt: sql`now() + interval '1 second'` })
      .where(eq(accounts.id, member.accountId));
    await remove();
    await work();
    expect(await platform.files.exists(`exports/${id}`)).toBe(false);
    expect((await server.call(member, personalData.get)).reply.latestExport).toBeNull();
  });

  test('of before somebody else took the account over is shown, downloaded and made no more from then on (threat-pre-hijacking)', async ({
    database,
    platform,
    server,
    newMember,
    work,
  }) => {
    const [member, waiting] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    const { id } = (await server.call(member, personalData.requestExport)).reply;
    await work();
    await platform.takeJobs();
    const url = personalData.download.path.replace(':id', id);
    expect((await server.request(member, { method: 'GET', url })).statusCode).toBe(200);
    const unmade = (await server.call(waiting, personalData.requestExport)).reply;
    for (const { accountId } of [member, waiting])
      await database.transaction((transaction) => claimAccount(transaction, accountId));
    // Their own job has not run yet.
    await database.execute(sql`delete from graphile_worker._private_jobs
      where payload ->> 'accountId' in (${member.accountId}, ${waiting.accountId})`);
    await insertSession(database, member.accountId);
    expect((await server.request(member, { method: 'GET', url })).statusCode).toBe(404);
    expect((await server.call(member, personalData.prepareDownload, { body: { id } })).problem.type).toBe(
      'account_export_not_found',
    );
    expect((await server.call(member, personalData.get)).reply).toMatchObject({
      latestExport: null,
      nextExportAt: null,
    });
    await work();
    expect(await platform.files.exists(`exports/${unmade.id}`)).toBe(false);
    expect(await takeMails(platform)).toEqual([]);
    // The owner's own is made at once.
    const own = (await server.call(member, personalData.requestExport)).reply;
    await work();
    expect(await platform.files.exists(`exports/${own.id}`)).toBe(true);
  });

  test('that is asked for while a takeover waits for its account is none of the new owner', async ({
    database,
    newMember,
  }) => {
    const { accountId } = await newMember();
    const id = newId();
    await database.transaction(async (transaction) => {
      // It begins before the export, and locks the account after it.
      await transaction.execute(sql`select now()`);
      await setTimeout(5);
      await database.insert(dataExports).values({ id, accountId });
      await claimAccount(transaction, accountId);
    });
    const [row] =
      await database.execute(sql`select from data_exports join accounts on accounts.id = account_id
      where data_exports.id = ${id} and data_exports.created_at > accounts.created_at`);
    expect(row).toBeUndefined();
  });

  test('opens, and is announced once, when a node that was paused makes it a second time', async ({
    platform,
    server,
    newMember,
    work,
  }) => {
    const member = await newMember('Ana Cruz');
    const { id } = (await server.call(member, personalData.requestExport)).reply;
    const paused = {
      ...platform,
      files: {
        ...platform.files,
        put: async (...args: Parameters<typeof platform.files.put>) => {
          await work();
          await platform.files.put(...args);
        },
      },
    };
    await personalDataTasks(paused, documentsKey)['personalData.export']?.({ exportId: id }, helpers);
    const mails = (await takeMails(platform)).filter(
      ({ subject }) => subject === 'Your data from Tara is ready',
    );
    expect(mails).toHaveLength(1);
    const url = personalData.download.path.replace(':id', id);
    const download = await server.request(member, { method: 'GET', url });
    expect((await readZip(download.rawPayload)).size).toBeGreaterThan(10);
  });

  test.for([
    [
      'its row is gone',
      (database: Database, id: string) => database.delete(dataExports).where(eq(dataExports.id, id)),
    ],
    [
      'somebody else took the account over (threat-pre-hijacking)',
      (database: Database, _id: string, { accountId }: Member) =>
        database.transaction((transaction) => claimAccount(transaction, accountId)),
    ],
  ] as const)(
    'leaves no file and mails nobody when, before it is made, %s',
    async ([_what, change], { database, platform, server, newMember }) => {
      const member = await newMember('Ana Cruz');
      const { id } = (await server.call(member, personalData.requestExport)).reply;
      await platform.takeJobs();
      const late = {
        ...platform,
        files: {
          ...platform.files,
          put: async (...args: Parameters<typeof platform.files.put>) => {
            await platform.files.put(...args);
            await change(database, id, member);
          },
        },
      };
      await personalDataTasks(late, documentsKey)['personalData.export']?.({ exportId: id }, helpers);
      expect(await platform.files.exists(`exports/${id}`)).toBe(false);
      expect(await takeMails(platform)).toEqual([]);
    },
  );

  test('larger than what is read at once is read as it was stored', async ({ platform }) => {
    for (const sizeBytes of [2 ** 20, 2 ** 21 + 5]) {
      const content = Buffer.alloc(sizeBytes, 'Tara');
      const stored = await storeExport(platform, 'large', Readable.from([content]));
      expect(stored.sizeBytes).toBe(sizeBytes);
      expect((await buffer(readExport(platform, 'large', stored))).equals(content)).toBe(true);
    }
  });

  test('a changed file breaks off instead of being delivered whole', async ({
    platform,
    server,
    newMember,
    work,
  }) => {
    const member = await newMember();
    const { id } = (await server.call(member, personalData.requestExport)).reply;
    await work();
    await platform.takeJobs();
    const stored = Buffer.from(await platform.files.read(`exports/${id}`));
    stored[10] = (stored[10] ?? 0) ^ 1;
    await platform.files.put(`exports/${id}`, stored);
    await expect(
      server.request(member, { method: 'GET', url: personalData.download.path.replace(':id', id) }),
    ).rejects.toThrow();
    await platform.files.delete(`exports/${id}`);
    const lost = await server.call(member, personalData.download, { params: { id } });
    expect(lost.problem.type).toBe('account_export_not_found');
  });

  test('what cannot be read while an export is made, rows or a picture, fails its job and ends nothing else', async ({
    database,
    platform,
    server,
    newMember,
    work,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    await fillMember({ database, platform }, member, other, 'unread');
    const { id } = (await server.call(member, personalData.requestExport)).reply;
    const [payload] = await platform.jobs('personalData.export');
    const lost = new Proxy(database, {
      get: (target, name) =>
        name === 'execute' ? () => Promise.reject(new Error('lost')) : Reflect.get(target, name),
    });
    const makeExport = personalDataTasks({ ...platform, database: lost }, documentsKey)[
      'personalData.export'
    ];
    await expect(makeExport?.(payload as never, helpers)).rejects.toThrow('lost');

    const [identity] = await database
      .select({ id: files.id })
      .from(files)
      .where(and(eq(files.ownerAccountId, member.accountId), eq(files.bucket, 'verificationFiles')));
    const key = `${identity?.id}/original`;
    const stored = Buffer.from(await platform.files.read(key));
    stored[stored.length - 1] = (stored.at(-1) ?? 0) ^ 1;
    await platform.files.put(key, stored);
    await expect(work()).rejects.toMatchObject({ name: 'FileTampered' });
    expect(await platform.files.exists(`exports/${id}`)).toBe(false);
  });
});
