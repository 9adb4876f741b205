import { nowDate, nowMs } from '@tara/contract/clock';
import { recentSecondFactorMs, secondFactorMs } from '@tara/contract/limits';
import { and, eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { befriend, friends, profiles } from '../../features/profiles/index.ts';
import { verifications } from '../../features/verification/index.ts';
import { newId } from '../../platform/ids.ts';
import { documentsTest, refused, sdks } from '../../testing/backend/documents.ts';
import { insertBlock } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { addMember, type TestMember } from '../../testing/features/sessions.ts';

const address = '1 Mabini Street, Cebu';

const base = documentsTest()
  .extend('admin', { scope: 'file' }, ({ connection }) => addMember(connection, { labels: ['admin'] }))
  .extend('form', { scope: 'file' }, ({ database }) => async ({ accountId, profileId }: TestMember) => {
    await database.update(profiles).set({ birthDate: '1995-06-15' }).where(eq(profiles.id, profileId));
    const picture = () =>
      insertPicture(database, { ownerAccountId: accountId, bucket: 'verificationFiles', variants: [] });
    return { idFrontId: await picture(), idBackId: await picture(), photoId: await picture(), address };
  });

describe.each(sdks)('%s', (_name, openSdk) => {
  const test = base
    .extend('asAdmin', ({ backend, admin }) => openSdk(backend.url, admin))
    .extend('dan', ({ connection }) => addMember(connection, { name: 'Dan Ocampo' }))
    .extend('asDan', ({ backend, dan }) => openSdk(backend.url, dan))
    .extend('asAna', ({ backend, ana }) => openSdk(backend.url, ana));

  test('an admin’s session without the second factor has a member’s rights (threat-stolen-admin-sessions)', async ({
    asDan,
    dan,
    form,
    backend,
    connection,
  }) => {
    const admin = await addMember(connection, { labels: ['admin'] });
    const asAdmin = openSdk(backend.url, admin);
    const setShownAt = async (shownAt: Date | null) => {
      await connection.sql`update sessions set second_factor_shown_at = ${shownAt?.toISOString() ?? null} where id = ${admin.sessionId}`;
      backend.platform.bus.publish('viewerChanged', { accountId: admin.accountId });
    };
    const request = await asDan.create('verifying', newId(), await form(dan));
    const [id, decide] = [
      String(request.$id),
      () => asAdmin.update('verifying', String(request.$id), { valid: true }),
    ];
    for (const shownAt of [null, new Date(nowMs() - secondFactorMs - 1000)]) {
      await setShownAt(shownAt);
      await expect(asAdmin.get('verifying', id)).rejects.toEqual(refused(404, 'document_not_found'));
      expect((await asAdmin.list('verifying')).documents).toEqual([]);
      await expect(decide()).rejects.toEqual(refused(404, 'document_not_found'));
    }
    // Enough to read, not to decide.
    await setShownAt(new Date(nowMs() - recentSecondFactorMs - 1000));
    expect(await asAdmin.get('verifying', id)).toMatchObject({ $id: id });
    await expect(decide()).rejects.toEqual(refused(403, 'recent_second_factor_required'));
    await expect(asAdmin.delete('verifying', id)).rejects.toEqual(
      refused(403, 'recent_second_factor_required'),
    );
    await setShownAt(nowDate());
    expect(await decide()).toMatchObject({ valid: true });
  });

  test('a member asks to be verified, and an admin accepts; nobody else reads or changes the request (§3-verification-request-valid, §6-records-verification, §7-documents-create)', async ({
    asDan,
    asAna,
    asAdmin,
    dan,
    form,
  }) => {
    const sent = await form(dan);
    const id = newId();
    const request = await asDan.create('verifying', id, {
      ...{ ...sent, userId: dan.profileId, valid: null, idFront: '', idBack: '', photo: null },
    });
    expect(request).toMatchObject({
      ...{ ...sent, $id: id, userId: dan.profileId, valid: null, idFront: null, idBack: null, photo: null },
      creator: { $id: dan.profileId, name: 'Dan Ocampo' },
      $permissions: [
        `read("user:${dan.accountId}")`,
        ...['read', 'update', 'delete'].map((verb) => `${verb}("label:admin")`),
      ],
    });
    await expect(asDan.create('verifying', newId(), await form(dan))).rejects.toEqual(
      refused(409, 'verification_already_sent'),
    );
    await expect(asAna.get('verifying', id)).rejects.toEqual(refused(404, 'document_not_found'));
    expect((await asAna.list('verifying')).documents).toEqual([]);
    expect((await asDan.list('verifying')).documents).toEqual([request]);
    const { query } = asAdmin;
    const waiting = [query.isNull('valid'), query.orderAsc('$createdAt'), query.limit(100)];
    expect((await asAdmin.list('verifying', waiting)).documents).toContainEqual(request);

    await expect(asDan.update('verifying', id, { valid: true })).rejects.toEqual(
      refused(401, 'user_unauthorized'),
    );
    await expect(asDan.delete('verifying', id)).rejects.toEqual(refused(401, 'user_unauthorized'));
    for (const data of [{ valid: false }, { address: 'Elsewhere 1' }, { userId: 'somebody' }])
      await expect(asAdmin.update('verifying', id, data)).rejects.toEqual(
        refused(400, 'document_invalid_structure'),
      );
    expect(await asAdmin.update('verifying', id, { valid: true })).toMatchObject({ valid: true });
    expect((await asAdmin.list('verifying', waiting)).documents.map(({ $id }) => $id)).not.toContain(id);
  });

  test('an admin declines by deleting the request, never the own one (§7-documents-delete)', async ({
    asDan,
    asAdmin,
    dan,
    admin,
    form,
    database,
  }) => {
    const { $id: id } = await asDan.create('verifying', 'unique()', await form(dan));
    await asAdmin.delete('verifying', id);
    await expect(asDan.get('verifying', id)).rejects.toEqual(refused(404, 'document_not_found'));
    const again = await asDan.create('verifying', 'unique()', await form(dan));
    expect(again.$id).not.toBe(id);
    await database
      .update(profiles)
      .set({ sentVerifiedReq: false, verified: null })
      .where(eq(profiles.id, admin.profileId));
    const own = await asAdmin.create('verifying', 'unique()', await form(admin));
    await expect(asAdmin.update('verifying', own.$id, { valid: true })).rejects.toEqual(
      refused(403, 'admin_own_record'),
    );
    await expect(asAdmin.delete('verifying', own.$id)).rejects.toEqual(refused(403, 'admin_own_record'));
    // Another admin decided: it is listed among those that wait.
    await database.update(verifications).set({ valid: true }).where(eq(verifications.id, own.$id));
    const { query } = asAdmin;
    const listed = await asAdmin.list('verifying', [query.equal('$id', own.$id)]);
    expect(listed.documents).toMatchObject([{ $id: own.$id, valid: true }]);
  });

  test.for([{ valid: true }, { userId: 'somebody' }, { verified: true }, { address: 'x' }])(
    '%j is refused in data (§6)',
    async (data, { asDan, dan, form }) => {
      const refusal = refused(
        400,
        'document_invalid_structure',
        expect.stringContaining(Object.keys(data)[0] ?? ''),
      );
      await expect(asDan.create('verifying', 'unique()', { ...(await form(dan)), ...data })).rejects.toEqual(
        refusal,
      );
    },
  );

  test('a member reads the own friend list and takes friends off it or deletes it (§6-records-friend-list, §6-records-friend-list-deletable, §7-documents-update)', async ({
    database,
    asDan,
    asAna,
    dan,
    ana,
    ben,
    cora,
  }) => {
    for (const other of [ana, ben, cora])
      await database.transaction((transaction) => befriend(transaction, dan.profileId, other.profileId));
    const list = await asDan.get('friendLists', dan.profileId);
    expect(list).toMatchObject({ $id: dan.profileId, owner: { $id: dan.profileId }, ownerId: dan.profileId });
    expect(new Set(list.friends as string[])).toEqual(
      new Set([ana, ben, cora].map(({ profileId }) => profileId)),
    );
    expect(list.$permissions).toEqual(
      ['read', 'update', 'delete'].map((verb) => `${verb}("user:${dan.accountId}")`),
    );
    expect((await asDan.list('friendLists', [asDan.query.equal('owner', dan.profileId)])).documents).toEqual([
      list,
    ]);
    await expect(asAna.get('friendLists', dan.profileId)).rejects.toEqual(refused(404, 'document_not_found'));
    expect((await asAna.list('friendLists')).documents.map(({ $id }) => $id)).toEqual([ana.profileId]);

    const left = await asDan.update('friendLists', dan.profileId, { ...list, friends: [ana.profileId] });
    expect(left.friends).toEqual([ana.profileId]);
    for (const data of [
      { friends: [ana.profileId, ben.profileId] },
      { ownerId: ben.profileId },
      { friends: 'all' },
    ])
      await expect(asDan.update('friendLists', dan.profileId, data)).rejects.toEqual(
        refused(400, 'document_invalid_structure'),
      );
    // The other's list is theirs.
    const isBens = and(eq(friends.ownerId, ben.profileId), eq(friends.friendId, dan.profileId));
    expect(await database.$count(friends, isBens)).toBe(1);
    expect(left.$updatedAt > list.$updatedAt).toBe(true);
    await asDan.delete('friendLists', dan.profileId);
    const emptied = await asDan.get('friendLists', dan.profileId);
    expect(emptied.friends).toEqual([]);
    expect(emptied.$updatedAt > left.$updatedAt).toBe(true);
    await expect(asDan.create('friendLists', newId(), { friends: [ana.profileId] })).rejects.toEqual(
      refused(400, 'document_invalid_structure'),
    );
  });

  test('a friend who blocked the member is not in the list of friends (threat-blocked-members)', async ({
    asDan,
    dan,
    connection,
    database,
  }) => {
    const [eve, finn] = [await addMember(connection), await addMember(connection)];
    for (const other of [eve, finn])
      await database.transaction((transaction) => befriend(transaction, dan.profileId, other.profileId));
    await insertBlock(database, finn, dan);
    expect((await asDan.get('friendLists', dan.profileId)).friends).toEqual([eve.profileId]);
  });
});
