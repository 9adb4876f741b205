import { steps } from '@tara/contract/interactions/steps';
import { receipts } from '@tara/contract/messages/receipts';
import { requestCases } from '@tara/contract/money/disputes';
import { and, eq, inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { chatActions } from '../../testing/features/chats.ts';
import { ago, price, disputeTest as test } from '../../testing/features/disputes.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { auditLog } from '../audit/tables.ts';
import { fileCan } from '../files/policy.ts';
import { files } from '../files/tables.ts';
import { interactions } from '../interactions/index.ts';
import { openDisputes, withoutAnswer } from './cases.ts';

describe('a request without an answer', () => {
  test('waits for an admin from a week after its day, whatever the creator said, and is decided there', async ({
    server,
    admin,
    held,
    decide,
    row,
    money,
  }) => {
    const young = await held({ dayStartsAt: ago(6 * 24) });
    const confirmedByCreator = await held({ dayStartsAt: ago(8 * 24), creatorMetAt: ago(7 * 24) });
    const silent = await held({ dayStartsAt: ago(9 * 24) });
    const free = await held({ dayStartsAt: ago(9 * 24), priceCentavos: 0 });
    const listed = async () => {
      const { items } = (await server.call(admin, requestCases.noAnswer)).reply;
      return items.filter(({ id }) => [young, confirmedByCreator, silent, free].includes(id));
    };
    const items = await listed();
    expect(items.map(({ id, request }) => [id, request.creatorMet])).toEqual([
      [silent, false],
      [confirmedByCreator, true],
    ]);
    expect((await decide(young, { outcome: 'release' })).problem.text).toMatch(/a week/);
    expect((await decide(confirmedByCreator, { outcome: 'release' })).status).toBe(200);
    const done = await row(confirmedByCreator);
    expect(done).toMatchObject({ stage: 'completed', releasedCentavos: price });
    expect(done?.userSetDoneAt).toEqual(done?.completedAt);
    expect((await money(confirmedByCreator)).payout).toBe(price);
    expect((await decide(silent, { outcome: 'split', refundCentavos: 125_00 })).status).toBe(200);
    expect(await listed()).toEqual([]);
  });
});

describe('the plan chat', () => {
  test('opens to an admin for a case alone, each look audited (threat-admin-privacy)', async ({
    database,
    server,
    admin,
    client,
    creator,
    held,
    open,
    decide,
  }) => {
    const id = await held({ userSetDoneAt: ago(1) });
    const chat = await server.call(client, receipts.createConversationReceipt, {
      body: { interactionId: id },
    });
    const imageId = await insertPicture(database, {
      ownerAccountId: creator.accountId,
      bucket: 'messageFiles',
    });
    await chatActions(server).send(creator, chat.reply.id, 'See you at six', { imageId });
    const look = () => server.call(admin, requestCases.planChat, { body: { interactionId: id } });
    const looks = (interactionId = id) =>
      database.$count(
        auditLog,
        and(eq(auditLog.action, 'request.chat'), eq(auditLog.subject, `interaction:${interactionId}`)),
      );
    const seesPicture = async () => {
      const [file] = await database.select().from(files).where(eq(files.id, imageId));
      return file && fileCan.see({ accountId: admin.accountId, hiddenAccountIds: [], admin: true }, file);
    };
    expect((await look()).problem.type).toBe('request_decision_not_possible');
    expect([await looks(), await seesPicture()]).toEqual([0, false]);
    await open(id);
    expect((await look()).reply.items.map(({ body }) => body)).toContain('See you at six');
    expect([await looks(), await seesPicture()]).toEqual([1, true]);
    await look();
    expect(await looks()).toBe(2);
    const [entry] = await database.select().from(auditLog).where(eq(auditLog.action, 'request.chat'));
    expect(JSON.stringify(entry)).not.toContain('See you');
    expect(
      (await server.call(client, requestCases.planChat, { body: { interactionId: id } })).problem.type,
    ).toBe('admin_only');
    // Another case does not open it again.
    const other = await held({ userSetDoneAt: ago(1) });
    await open(other);
    await decide(id, { outcome: 'refund' });
    expect((await look()).problem.text).toBe('This is already decided.');
    const withoutChat = await server.call(admin, requestCases.planChat, { body: { interactionId: other } });
    expect(withoutChat.reply).toEqual({ items: [], hasMore: false });
    expect(await looks(other)).toBe(0);
  });
});

test('no accepted and paid request stays open 30 days after its day without standing in a list of admins', async ({
  database,
  held,
}) => {
  const days = 24;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        daysSince: fc.integer({ min: 30, max: 90 }),
        fulfilled: fc.boolean(),
        disputed: fc.boolean(),
        frozen: fc.boolean(),
        met: fc.boolean(),
      }),
      async ({ daysSince, fulfilled, disputed, frozen, met }) => {
        const since = (holds: boolean) => (holds ? ago(days) : null);
        const id = await held({
          dayStartsAt: ago(daysSince * days),
          userSetDoneAt: since(fulfilled),
          disputedAt: since(disputed),
          frozenAt: since(frozen),
          creatorMetAt: since(met),
        });
        const toConfirm = inArray(interactions.stage, [...steps.confirm.from]);
        const lists = [toConfirm, openDisputes(), withoutAnswer()];
        const counts = await Promise.all(
          lists.map((list) => database.$count(interactions, and(eq(interactions.id, id), list))),
        );
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
      },
    ),
    { numRuns: 25 },
  );
});
