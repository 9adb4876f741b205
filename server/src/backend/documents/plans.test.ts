import { nowDate } from '@tara/contract/clock';
import type { Document } from '@tara/contract/wire/documents';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { plans } from '../../features/plans/index.ts';
import { profiles } from '../../features/profiles/index.ts';
import { newId } from '../../platform/ids.ts';
import { documentsTest, refused, sdks, withoutTokens } from '../../testing/backend/documents.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { addMember } from '../../testing/features/sessions.ts';

const terms = 'We meet in a public place and share the bill.';
const base = documentsTest().extend('form', { scope: 'file' }, ({ database, ana }) => async () => {
  await database
    .update(profiles)
    .set({ verified: true, birthDate: '1995-06-15', limitedPlan: 100 })
    .where(eq(profiles.id, ana.profileId));
  const imageId = await insertPicture(database, { ownerAccountId: ana.accountId });
  return { title: 'Coffee', desc: 'An hour.', time: '3-4 pm', price: 250.5, terms, imageId };
});

describe.each(sdks)('%s', (_name, openSdk) => {
  const test = base
    .extend('asAna', ({ backend, ana }) => openSdk(backend.url, ana))
    .extend('asBen', ({ backend, ben }) => openSdk(backend.url, ben));

  test('a plan is created, read, changed and closed as by the form (§7-documents-create, §7-documents-update)', async ({
    asAna,
    asBen,
    ana,
    form,
  }) => {
    const sent = await form();
    const id = newId();
    const plan = await asAna.create('plans', id, sent, ['read("any")']);
    expect(plan).toMatchObject({
      ...sent,
      $id: id,
      $permissions: ['read("users/verified")', `update("user:${ana.accountId}")`],
      creator: { $id: ana.profileId, name: 'Ana Cruz' },
      creatorId: ana.profileId,
      imageCover: expect.stringContaining(`/v1/storage/buckets/images/files/${sent.imageId}/preview?`),
      imageIds: [],
      durationMinutes: 120,
      closed: false,
      earned: null,
    });
    expect(withoutTokens(await asBen.get('plans', id))).toEqual(withoutTokens(plan));
    await expect(asAna.create('plans', id, await form())).rejects.toEqual(
      refused(409, 'document_already_exists'),
    );

    const changed = await asAna.update('plans', id, { title: 'Tea', price: 300 });
    expect(changed).toMatchObject({ title: 'Tea', price: 300, desc: sent.desc, imageId: sent.imageId });
    expect(await asAna.update('plans', id, { ...changed, time: '5 pm' })).toMatchObject({
      time: '5 pm',
      title: 'Tea',
    });

    const { query } = asBen;
    const foundIds = async (...queries: string[]) =>
      (await asBen.list('plans', [...queries, query.limit(100)])).documents.map(({ $id }) => $id);
    expect(await foundIds(query.equal('creator', ana.profileId), query.orderDesc('$createdAt'))).toContain(
      id,
    );
    expect(await foundIds(query.search('title', 'Tea'))).toContain(id);
    expect(await asAna.update('plans', id, { closed: true })).toMatchObject({ closed: true });
    expect(await foundIds(query.equal('creatorId', ana.profileId))).not.toContain(id);
    expect(await asAna.update('plans', id, { title: 'Tea again' })).toMatchObject({ closed: true });
    expect(
      (await asAna.list('plans', [query.equal('creatorId', ana.profileId)])).documents.map(({ $id }) => $id),
    ).toContain(id);
    expect(await asAna.update('plans', id, { closed: false })).toMatchObject({ closed: false });
  });

  test('a search finds the newest 30 plans', async ({ database, asBen, ana }) => {
    const word = `w${newId()}`;
    const ids: string[] = [];
    for (let index = 0; index < 31; index++)
      ids.unshift(await insertPlan(database, ana, { title: `Walk ${word}` }));
    const { query } = asBen;
    const { total, documents } = await asBen.list('plans', [query.search('title', word), query.limit(100)]);
    expect(total).toBe(30);
    expect(documents.map(({ $id }) => $id).sort()).toEqual(ids.slice(0, 30).sort());
  });

  test('only its creator changes a plan, nobody deletes it, and it says no more than the product (§7-documents-delete)', async ({
    asAna,
    asBen,
    form,
  }) => {
    const { $id: id } = await asAna.create('plans', 'unique()', await form());
    await expect(asBen.update('plans', id, { title: 'Mine' })).rejects.toEqual(
      refused(401, 'user_unauthorized'),
    );
    await expect(asAna.delete('plans', id)).rejects.toEqual(refused(401, 'user_unauthorized'));
    await expect(asBen.create('plans', 'unique()', await form())).rejects.toEqual(
      refused(403, 'plan_creator_unverified'),
    );
  });

  test.for([
    { earned: 5000 },
    { creatorId: 'somebody' },
    { userId: 'somebody' },
    { closed: 'yes' },
    { price: -1 },
    { price: 50_000.01 },
    { terms: 'short' },
  ])('%j is refused in data', async (data, { asAna, form }) => {
    const refusal = refused(
      400,
      'document_invalid_structure',
      expect.stringContaining(Object.keys(data)[0] ?? ''),
    );
    await expect(asAna.create('plans', 'unique()', { ...(await form()), ...data })).rejects.toEqual(refusal);
    const { $id: id } = await asAna.create('plans', 'unique()', await form());
    await expect(asAna.update('plans', id, data)).rejects.toEqual(refusal);
  });

  test('a plan that is dearer than one payout carries is not opened again', async ({
    asAna,
    database,
    form,
  }) => {
    const { $id: id } = await asAna.create('plans', 'unique()', await form());
    await asAna.update('plans', id, { closed: true });
    await database.update(plans).set({ priceCentavos: 50_000_01 }).where(eq(plans.id, id));
    await expect(asAna.update('plans', id, { closed: false })).rejects.toEqual(
      refused(409, 'plan_price_above_limit'),
    );
    expect(await asAna.update('plans', id, { closed: false, price: 50_000 })).toMatchObject({
      closed: false,
    });
  });

  test('a plan of before a rule of the form is told the rule, and changed with what keeps it', async ({
    asAna,
    database,
    form,
  }) => {
    const id = newId();
    await asAna.create('plans', id, await form());
    await database.update(plans).set({ terms: 'Short.' }).where(eq(plans.id, id));
    await expect(asAna.update('plans', id, { title: 'Tea' })).rejects.toEqual(
      refused(400, 'document_invalid_structure'),
    );
    expect(await asAna.update('plans', id, { title: 'Tea', terms })).toMatchObject({ title: 'Tea', terms });
  });

  test('fields of the server in data have no effect', async ({ asAna, ana, form }) => {
    const foreign = {
      $id: 'other',
      $createdAt: '2001-01-01T00:00:00.000+00:00',
      $permissions: ['update("any")'],
    };
    const plan = await asAna.create('plans', 'unique()', { ...(await form()), ...foreign });
    const expected = (document: Document) => {
      expect(document.$id).toBe(plan.$id);
      expect(document.$createdAt).toBe(plan.$createdAt);
      expect(document.$permissions).toEqual(['read("users/verified")', `update("user:${ana.accountId}")`]);
    };
    expect(plan.$id).not.toBe('other');
    expected(await asAna.update('plans', plan.$id, { ...foreign, title: 'Changed' }, ['update("any")']));
    expected(await asAna.get('plans', plan.$id));
  });

  test('earnings are shown to the creator alone, and a removed plan to nobody (§3-plan-earned, §7-documents-get)', async ({
    database,
    asAna,
    asBen,
    ana,
    ben,
    form,
  }) => {
    const { $id: id } = await asAna.create('plans', 'unique()', await form());
    const now = nowDate();
    const done = { paidAt: now, acceptedAt: now, userSetDoneAt: now, adminSetDoneAt: now, completedAt: now };
    const requestId = await insertInteraction(
      database,
      { creator: ana, client: ben, planId: id },
      { ...done, priceCentavos: 250_50, releasedCentavos: 250_50 },
    );
    expect((await asAna.get('plans', id)).earned).toBe(250.5);
    expect((await asBen.get('plans', id)).earned).toBeNull();
    expect((await asBen.list('plans', [asBen.query.equal('$id', id)])).documents).toHaveLength(1);
    expect((await asBen.get('planInteractions', requestId)).plan).toMatchObject({ $id: id });
    await database.update(plans).set({ removedAt: now }).where(eq(plans.id, id));
    expect((await asBen.get('planInteractions', requestId)).plan).toBeNull();
    expect((await asBen.list('plans', [asBen.query.equal('$id', id)])).documents).toEqual([]);
    await expect(asBen.get('plans', id)).rejects.toEqual(refused(404, 'document_not_found'));
    await expect(asAna.update('plans', id, { title: 'x' })).rejects.toEqual(
      refused(404, 'document_not_found'),
    );
  });

  test('nobody reads a deleted member and their plans', async ({ database, connection, asBen }) => {
    const dan = await addMember(connection);
    const id = await insertPlan(database, dan);
    expect(await asBen.get('plans', id)).toMatchObject({ $id: id });
    expect(await asBen.get('users', dan.profileId)).toMatchObject({ $id: dan.profileId });
    await database.update(profiles).set({ deletedAt: nowDate() }).where(eq(profiles.id, dan.profileId));
    await expect(asBen.get('plans', id)).rejects.toEqual(refused(404, 'document_not_found'));
    expect((await asBen.list('plans', [asBen.query.equal('$id', id)])).documents).toEqual([]);
    await expect(asBen.get('users', dan.profileId)).rejects.toEqual(refused(404, 'document_not_found'));
  });
});
