import { describe, expect } from 'vitest';
import { documentsTest, refused, sdks } from '../../testing/backend/documents.ts';
import { insertBlock } from '../../testing/features/members.ts';
import { addMember } from '../../testing/features/sessions.ts';

const base = documentsTest();

describe.each(sdks)('%s', (name, openSdk) => {
  const test = base
    .extend('asAna', ({ backend, ana }) => openSdk(backend.url, ana))
    .extend('asBen', ({ backend, ben }) => openSdk(backend.url, ben));

  test('shows a member’s private attributes to nobody else', async ({ asAna, asBen, ana }) => {
    const own = await asAna.get('users', ana.profileId);
    expect(own).toMatchObject({
      ...{ $id: ana.profileId, accountId: ana.accountId, name: 'Ana Cruz', username: 'ana' },
      ...{ email: ana.email, phoneNumber: '', bDay: null, limitedPlan: 5, totalPlan: 0 },
      $permissions: ['read("users/verified")', `update("user:${ana.accountId}")`],
    });
    const others = await asBen.get('users', ana.profileId);
    expect(others).toEqual({
      ...own,
      ...{ email: null, phoneNumber: null, bDay: null, sentVerifiedReq: null },
      ...{ limitedPlan: null, totalPlan: null, totalInteraction: null },
    });
    // One's own alone can be asked for.
    expect(await asBen.list('users', [asBen.query.equal('email', ana.email)])).toMatchObject({ total: 0 });
    for (const attribute of ['phoneNumber', 'bDay'])
      await expect(asBen.list('users', [asBen.query.equal(attribute, ana.email)])).rejects.toEqual(
        refused(400, 'general_query_invalid', expect.stringContaining(attribute)),
      );
  });

  test('lists and finds nobody who never confirmed an email, but oneself', async ({
    backend,
    asAna,
    connection,
  }) => {
    const dora = await addMember(connection, { name: 'Dora Unread', emailVerified: false });
    const asDora = await openSdk(backend.url, dora);
    for (const [sdk, total] of [
      [asAna, 0],
      [asDora, 1],
    ] as const) {
      expect(await sdk.list('users', [sdk.query.equal('accountId', dora.accountId)])).toMatchObject({
        total,
      });
      expect(await sdk.list('users', [sdk.query.search('name', 'Dora Unread')])).toMatchObject({ total });
    }
    expect(await asAna.get('users', dora.profileId)).toMatchObject({ name: 'Dora Unread' });
  });

  test('lists members by update without oneself, and finds them by name', async ({
    asAna: { query, list, get },
    backend,
    ana,
    ben,
    cora,
    connection,
  }) => {
    const others = await list('users', [
      query.notEqual('accountId', ana.accountId),
      query.orderDesc('$updatedAt'),
      query.limit(20),
    ]);
    const ids = others.documents.map(({ $id }) => $id);
    expect(ids).toEqual(expect.arrayContaining([ben.profileId, cora.profileId]));
    expect(ids).not.toContain(ana.profileId);
    expect(others.total).toBe(ids.length);
    const hits = await list('users', [query.search('name', 'rey')]);
    expect(hits.documents.map(({ $id }) => $id)).toContain(ben.profileId);
    const mine = await list('users', [query.equal('accountId', ana.accountId), query.select(['name'])]);
    expect(mine).toMatchObject({ total: 1, documents: [{ $id: ana.profileId, name: 'Ana Cruz' }] });
    expect(mine.documents[0]).not.toHaveProperty('bio');
    const dee = await addMember(connection, { name: 'Dee Santos' });
    await insertBlock(connection.database, dee, ana);
    backend.platform.bus.publish('viewerChanged', { accountId: ana.accountId });
    expect((await list('users', [query.search('name', 'Dee Santos')])).documents).toEqual([]);
    await expect(get('users', dee.profileId)).rejects.toEqual(refused(404, 'document_not_found'));
  });

  test('changes one’s own profile, not its email, phone number or trust', async ({ asAna, asBen, ana }) => {
    const before = await asAna.get('users', ana.profileId);
    const bio = `Likes the sea with ${name}`;
    const changed = await asAna.update('users', ana.profileId, { ...before, bio, bDay: '1990-01-02' });
    expect(changed).toMatchObject({ bio, bDay: '1990-01-02', name: 'Ana Cruz' });
    for (const data of [
      { email: 'new@example.com' },
      { phoneNumber: '09171234567' },
      { verified: true },
      { limitedPlan: 50 },
      { totalInteraction: 9 },
      { accountId: 'another' },
      { bDay: '2999-01-01' },
      { gender: 'x'.repeat(16) },
    ])
      await expect(asAna.update('users', ana.profileId, data)).rejects.toEqual(
        refused(400, 'document_invalid_structure', expect.stringContaining(Object.keys(data)[0] ?? '')),
      );
    // Whole or not at all: the picture is refused, so the bio stays.
    await expect(asAna.update('users', ana.profileId, { bio: 'Other', imageId: 'none' })).rejects.toEqual(
      refused(404, 'storage_file_not_found'),
    );
    expect(await asAna.get('users', ana.profileId)).toMatchObject({ bio });
    await expect(asBen.update('users', ana.profileId, { bio: 'Mine' })).rejects.toEqual(
      refused(401, 'user_unauthorized'),
    );
    await expect(asAna.delete('users', ana.profileId)).rejects.toEqual(refused(401, 'user_unauthorized'));
    await expect(asAna.update('users', ana.profileId)).rejects.toEqual(
      refused(400, 'document_missing_payload'),
    );
  });

  test('creates the user record of a new account once, with limitedPlan 5 (§9-start-limited-plan), totalPlan 0 (§9-start-total-plan) and totalInteraction 0 (§9-start-total-interaction)', async ({
    backend,
    connection,
  }) => {
    const email = `new-${name.slice(4, 6)}@example.com`;
    const member = await addMember(connection, {
      ...{ email, name: 'New', username: undefined },
      emailVerified: false,
    });
    const sdk = openSdk(backend.url, member);
    const { accountId, profileId } = member;
    const counts = { limitedPlan: 5, totalPlan: 0, totalInteraction: 0 };
    const data = { accountId, email, name: 'New Name', username: 'newbie', imageUrl: '/initials', ...counts };
    await expect(sdk.create('users', 'unique()', { ...data, limitedPlan: 6 })).rejects.toEqual(
      refused(400, 'document_invalid_structure', expect.stringContaining('limitedPlan')),
    );
    const created = await sdk.create('users', 'unique()', data);
    expect(created).toMatchObject({
      $id: profileId,
      accountId,
      email,
      name: 'New Name',
      username: 'newbie',
      ...counts,
    });
    expect(await sdk.create('users', 'unique()', { ...data, username: 'other' })).toEqual(created);
    await expect(sdk.create('users', 'unique()', { accountId: 'another' })).rejects.toEqual(
      refused(400, 'document_invalid_structure', expect.stringContaining('accountId')),
    );
    await expect(sdk.list('posts')).rejects.toEqual(refused(403, 'user_email_unverified'));
  });
});
