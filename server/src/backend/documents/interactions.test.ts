import { nowDate } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { interactions } from '../../features/interactions/index.ts';
import { profiles } from '../../features/profiles/index.ts';
import { newId } from '../../platform/ids.ts';
import { documentsTest, refused, sdks, withoutTokens } from '../../testing/backend/documents.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertBlock } from '../../testing/features/members.ts';
import { addMember } from '../../testing/features/sessions.ts';

const now = nowDate();
const ready = { paidAt: now, acceptedAt: now, dayStartsAt: now };

const base = documentsTest()
  .extend('admin', { scope: 'file' }, ({ connection }) => addMember(connection, { labels: ['admin'] }))
  /** Ana offers a plan, Ben may request it. */
  .extend('plan', { scope: 'file' }, ({ database, ana, ben }) => async (priceCentavos = 250_00) => {
    for (const { profileId } of [ana, ben]) {
      await database
        .update(profiles)
        .set({ verified: true, birthDate: '1995-06-15' })
        .where(eq(profiles.id, profileId));
    }
    return insertPlan(database, ana, { priceCentavos });
  })
  .extend(
    'inserted',
    { scope: 'file' },
    ({ database, plan, ana, ben }) =>
      async (state: Partial<typeof interactions.$inferInsert> = {}) =>
        insertInteraction(database, { creator: ana, client: ben, planId: await plan() }, state),
  );

describe.each(sdks)('%s', (_name, openSdk) => {
  const test = base
    .extend('asAna', ({ backend, ana }) => openSdk(backend.url, ana))
    .extend('asBen', ({ backend, ben }) => openSdk(backend.url, ben))
    .extend('asCora', ({ backend, cora }) => openSdk(backend.url, cora))
    .extend('asAdmin', ({ backend, admin }) => openSdk(backend.url, admin));

  test('a request is sent for a plan, at the plan’s price (§7-documents-create)', async ({
    asBen,
    asAna,
    asCora,
    plan,
    ana,
    ben,
  }) => {
    const planId = await plan();
    const sent = {
      ...{ planId, plan: planId, whoSentReq: ben.profileId, clientAccountId: ben.accountId, paid: false },
      ...{ creator: ana.profileId, creatorAccountId: ana.accountId, planTitle: 'Coffee in Makati' },
      ...{ price: 250, paymentId: '', conversationReceipt: '', accepted: null, reviewSubmitted: false },
    };
    for (const foreign of [{ price: 1 }, { creator: ben.profileId }, { planTitle: '' }, { paid: true }])
      await expect(
        asBen.create('planInteractions', newId(), { ...sent, ...foreign }),
        JSON.stringify(foreign),
      ).rejects.toEqual(refused(400, 'document_invalid_structure'));
    const request = await asBen.create('planInteractions', newId(), sent);
    expect(request).toMatchObject({
      ...{ planId, planTitle: 'Coffee in Makati', price: 250, paid: false, stage: 'requested' },
      ...{ accepted: null, userSetDone: null, adminSetDone: null, completed: null },
      ...{ cardDown: false, reviewSubmitted: false, haveConvoReceipt: false, conversationReceipt: null },
      whoSentReq: { $id: ben.profileId, name: 'Ben Reyes' },
      creator: { $id: ana.profileId },
      plan: { $id: planId, title: 'Coffee in Makati' },
      clientAccountId: ben.accountId,
      creatorAccountId: ana.accountId,
      checkoutUrl: null,
    });
    expect(request.$permissions).toEqual([
      ...[ben, ana].map(({ accountId }) => `read("user:${accountId}")`),
      'read("label:admin")',
      ...[ben, ana].map(({ accountId }) => `update("user:${accountId}")`),
    ]);
    expect(withoutTokens(await asAna.get('planInteractions', request.$id))).toEqual(withoutTokens(request));
    await expect(asCora.get('planInteractions', request.$id)).rejects.toEqual(
      refused(404, 'document_not_found'),
    );
    const again = asBen.create('planInteractions', newId(), { planId });
    await expect(again).rejects.toEqual(refused(409, 'interaction_already_requested'));
    const own = asAna.create('planInteractions', newId(), { planId });
    await expect(own).rejects.toEqual(refused(403, 'interaction_own_plan'));
    for (const id of [`link-${newId().slice(0, 9)}`, `pay_${newId()}`]) {
      const reserved = asBen.create('planInteractions', id, { planId });
      await expect(reserved).rejects.toEqual(refused(400, 'document_invalid_structure'));
    }
  });

  test('each party lists the own requests by the queries of the product (§7-documents-list)', async ({
    asBen,
    asAna,
    asCora,
    inserted,
    database,
  }) => {
    const waiting = await inserted();
    const accepted = await inserted(ready);
    const over = await inserted({ ...ready, userSetDoneAt: now, adminSetDoneAt: now, completedAt: now });
    const [{ planId = '' } = {}] = await database
      .select()
      .from(interactions)
      .where(eq(interactions.id, waiting));
    const { query } = asBen;
    const ids = async (who: typeof asBen, ...queries: string[]) =>
      (await who.list('planInteractions', [...queries, query.limit(100)])).documents.map(({ $id }) => $id);
    const pending = await ids(asAna, query.isNull('accepted'));
    expect(pending).toContain(waiting);
    expect(pending).not.toContain(accepted);
    const expense = await ids(
      asBen,
      query.equal('accepted', true),
      query.isNull('userSetDone'),
      query.orderDesc('$updatedAt'),
    );
    expect(expense).toContain(accepted);
    expect(expense).not.toContain(over);
    expect(await ids(asBen, query.isNotNull('userSetDone'))).toContain(over);
    // Without a value it has no place in the order.
    await expect(ids(asBen, query.orderAsc('accepted'), query.cursorAfter(waiting))).rejects.toEqual(
      refused(400, 'database_query_order_null'),
    );
    expect(await ids(asBen, query.equal('plan', planId), query.isNull('adminSetDone'))).toEqual([waiting]);
    // Waits to be confirmed, which nobody but the two and admins sees.
    await inserted({ ...ready, userSetDoneAt: now });
    expect(await ids(asCora)).toEqual([]);
  });

  test('pages of requests on both sides have each request once, in the order of the list', async ({
    asAdmin,
    database,
    ana,
    ben,
    cora,
    admin,
  }) => {
    const pairs = [
      [ana, admin],
      [admin, ben],
      [cora, ben],
    ] as const;
    const days = Array.from(
      { length: 12 },
      (_, number) => new Date(now.getTime() - ((number * 5) % 4) * 60_000),
    );
    for (const [number, createdAt] of days.entries()) {
      const [creator, client] = pairs[number % pairs.length] ?? pairs[0];
      // Those of others wait for the admin, and some of the admin's own do, too.
      const state = creator === cora || number % 2 === 0 ? { ...ready, userSetDoneAt: now } : {};
      const planId = await insertPlan(database, creator, { priceCentavos: 0 });
      await insertInteraction(database, { creator, client, planId }, { ...state, createdAt });
    }
    const { query } = asAdmin;
    const list = async (...queries: string[]) =>
      (await asAdmin.list('planInteractions', queries)).documents.map(({ $id }) => $id);
    const isDone = query.isNotNull('userSetDone');
    for (const queries of [
      [],
      [query.orderDesc('stage'), query.orderAsc('$createdAt')],
      [isDone, query.orderAsc('paid'), query.orderDesc('$id')],
    ]) {
      const all = await list(...queries, query.limit(100));
      expect(new Set(all).size).toBe(all.length);
      expect(all.length).toBeGreaterThan(7);
      const { total } = await asAdmin.list('planInteractions', [...queries, query.limit(3)]);
      expect(total).toBe(all.length);
      const paged: string[] = [];
      for (let page = await list(...queries, query.limit(3)); page.length > 0; ) {
        paged.push(...page);
        page = await list(...queries, query.limit(3), query.cursorAfter(page.at(-1) ?? ''));
      }
      expect(paged).toEqual(all);
      expect(await list(...queries, query.limit(3), query.offset(4))).toEqual(all.slice(4, 7));
      const before = await list(...queries, query.limit(3), query.cursorBefore(all[5] ?? ''));
      expect(before).toEqual(all.slice(2, 5));
    }
  });

  test('a change is one step of the product’s own (§7-documents-update)', async ({
    asBen,
    asAna,
    asCora,
    inserted,
  }) => {
    const id = await inserted({ paidAt: now });
    await expect(asBen.update('planInteractions', id, { accepted: true })).rejects.toEqual(
      refused(409, 'interaction_not_allowed'),
    );
    await expect(asCora.update('planInteractions', id, { accepted: true })).rejects.toEqual(
      refused(404, 'document_not_found'),
    );
    const accepted = await asAna.update('planInteractions', id, { accepted: true });
    expect(accepted).toMatchObject({ accepted: true, stage: 'ready' });
    expect(await asAna.update('planInteractions', id, { ...accepted, cardDown: true })).toMatchObject({
      cardDown: true,
    });
    for (const data of [{ accepted: false }, { userSetDone: true, cancelled: true }])
      await expect(asBen.update('planInteractions', id, data)).rejects.toEqual(
        refused(400, 'document_invalid_structure'),
      );
    await expect(asAna.update('planInteractions', id, { userSetDone: true })).rejects.toEqual(
      refused(409, 'interaction_not_allowed'),
    );
    expect(await asBen.update('planInteractions', id, { userSetDone: true })).toMatchObject({
      userSetDone: true,
      stage: 'fulfilled',
    });
    await expect(asBen.delete('planInteractions', id)).rejects.toEqual(refused(401, 'user_unauthorized'));
  });

  test('a cancelled request is refunded as by the product (§7-documents-update)', async ({
    asBen,
    inserted,
  }) => {
    const id = await inserted();
    expect(await asBen.update('planInteractions', id, { cancelled: true })).toMatchObject({
      cancelled: true,
      stage: 'cancelled',
    });
  });

  test.for([
    { paid: true },
    { price: 1 },
    { adminSetDone: true },
    { completed: true },
    { reviewSubmitted: true },
    { clientAccountId: 'somebody' },
    { creatorAccountId: 'somebody' },
    { whoSentReq: 'somebody' },
    { checkoutUrl: 'https://elsewhere.example' },
    { userId: 'somebody' },
  ])('%j is refused in data (§6)', async (data, { asBen, plan, inserted }) => {
    const refusal = refused(
      400,
      'document_invalid_structure',
      expect.stringContaining(Object.keys(data)[0] ?? ''),
    );
    await expect(
      asBen.create('planInteractions', newId(), { planId: await plan(), ...data }),
    ).rejects.toEqual(refusal);
    await expect(asBen.update('planInteractions', await inserted(), data)).rejects.toEqual(refusal);
  });

  test('the checkout is the client’s alone, while there is something to pay', async ({
    asAna,
    asBen,
    asAdmin,
    inserted,
  }) => {
    const page = { checkoutUrl: 'https://pay.example/1', refundNumber: '09171234567' };
    const [unpaid, paid] = [await inserted(page), await inserted({ ...page, paidAt: now })];
    expect((await asBen.get('planInteractions', unpaid)).checkoutUrl).toBe(page.checkoutUrl);
    expect((await asBen.get('planInteractions', paid)).checkoutUrl).toBeNull();
    for (const who of [asAna, asAdmin])
      expect((await who.get('planInteractions', unpaid)).checkoutUrl).toBeNull();
    expect(
      (
        await asBen.get(
          'planInteractions',
          await inserted({ ...page, refundNumber: null, refundWindowDays: 1 }),
        )
      ).checkoutUrl,
    ).toBeNull();
  });

  test('an admin lists those that wait to be confirmed, and changes none (§7-list-admin-plans)', async ({
    asAdmin,
    inserted,
  }) => {
    const waiting = await inserted({ ...ready, userSetDoneAt: now });
    const other = await inserted(ready);
    const { query } = asAdmin;
    const queries = [query.isNotNull('userSetDone'), query.isNull('completed'), query.limit(100)];
    const awaiting = (await asAdmin.list('planInteractions', queries)).documents.map(({ $id }) => $id);
    expect(awaiting).toContain(waiting);
    expect(
      (await asAdmin.list('planInteractions', [query.limit(100)])).documents.map(({ $id }) => $id),
    ).not.toContain(other);
    expect(await asAdmin.get('planInteractions', other)).toMatchObject({ stage: 'ready' });
    await expect(asAdmin.update('planInteractions', waiting, { cancelled: true })).rejects.toEqual(
      refused(401, 'user_unauthorized'),
    );
  });

  test('blocked, the two are hidden from each other and can still end it (§6)', async ({
    backend,
    database,
    connection,
    inserted,
    ana,
    ben,
  }) => {
    const dan = await addMember(connection, { name: 'Dan Ocampo' });
    const planId = await insertPlan(database, ana);
    const id = await insertInteraction(database, { creator: ana, client: dan, planId }, ready);
    await insertBlock(database, ana, dan);
    for (const { accountId } of [ana, dan]) backend.platform.bus.publish('viewerChanged', { accountId });
    const asDan = openSdk(backend.url, dan);
    const document = await asDan.get('planInteractions', id);
    expect(document).toMatchObject({
      creator: null,
      creatorAccountId: null,
      plan: null,
      clientAccountId: dan.accountId,
    });
    const text = JSON.stringify(document);
    for (const part of [ana.accountId, ana.profileId, 'Ana']) expect(text).not.toContain(part);
    expect(await asDan.update('planInteractions', id, { cardDown: true })).toMatchObject({ cardDown: true });
    expect(await openSdk(backend.url, ben).get('planInteractions', await inserted())).toMatchObject({
      creator: { name: 'Ana Cruz' },
    });
  });
});
