import { nowMs } from '@tara/contract/clock';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { eq, inArray } from 'drizzle-orm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { paymentTest as test } from '../../testing/features/payment-fixture.ts';
import { interactions } from '../interactions/index.ts';
import { captureLink } from './capture.ts';
import { heldFor } from './ledger.ts';

const hourMs = 3_600_000;
const people = 50;
const clicks = 10;
/** Generous, because other work may share the machine. */
const pollOptions = { timeout: 100_000, interval: 250 };

test('of 50 accepts and payments at once for overlapping times one is left, the others have their money back', async ({
  fixture,
}) => {
  const { database, server } = fixture;
  const creator = await insertMember(database, { verified: true });
  const planId = await insertPlan(database, creator, { durationMinutes: 120 });
  const clients = await Promise.all(
    Array.from({ length: people }, () => insertMember(database, { verified: true })),
  );
  const start = nowMs() + 72 * hourMs;
  // Each of 50 members clicks ten times: one request each.
  const sent = await Promise.all(
    clients.flatMap((client, index) =>
      Array.from({ length: clicks }, () =>
        server.call(client, calls.createInteraction, {
          body: { planId, meetsAt: new Date(start + index * 60_000).toISOString(), place: 'Luneta' },
        }),
      ),
    ),
  );
  const ids = sent.flatMap((answer) => (answer.status === 200 ? [answer.reply.id] : []));
  expect(ids).toHaveLength(people);
  expect(sent.filter(({ status }) => status === 409)).toHaveLength(people * (clicks - 1));
  const rows = () => database.select().from(interactions).where(inArray(interactions.id, ids));
  await expect
    .poll(async () => (await rows()).filter(({ checkoutUrl }) => checkoutUrl).length, pollOptions)
    .toBe(people);

  const urls = (await rows()).map(({ checkoutUrl }) => checkoutUrl ?? '');
  const [charged] = await Promise.all([
    Promise.all(urls.map((url) => fixture.provider.pay(url))),
    Promise.all(
      ids.map((interactionId) => server.call(creator, calls.acceptRequest, { body: { interactionId } })),
    ),
  ]);
  const due = charged.filter(Boolean).length;
  let polls = 0;
  await expect
    .poll(async () => {
      polls += 1;
      // The provider's deliveries book and refund; reconciling asks it about each request, which takes long.
      if (polls % 20 === 0) await fixture.reconcile();
      const all = await rows();
      const paid = all.filter(({ paidAt }) => paidAt).length;
      return paid === due && all.every((row) => !row.paidAt || !row.cancelledAt || row.refundedAt);
    }, pollOptions)
    .toBe(true);
  const after = await rows();
  const holders = after.filter(
    ({ cancelledAt, acceptedAt, paidAt }) => !cancelledAt && (acceptedAt || paidAt),
  );
  expect(holders).toHaveLength(1);
  for (const row of after) {
    if (row.id === holders[0]?.id) continue;
    expect(await heldFor(database, row.id)).toBe(0);
    if (row.paidAt) expect(row).toMatchObject({ cancelReason: 'time_taken', refundCentavos: 250_00 });
  }
}, 240_000);

/** What may happen to one of the requests; `pay` is what a delivery of the provider leads to. */
const happening = fc.record({
  step: fc.constantFrom('accept', 'pay', 'cancel', 'clientMoves', 'creatorMoves', 'agree'),
  request: fc.nat(4),
  hour: fc.nat(6),
});
type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never;

test('no two held times of a creator overlap, whatever happens at once (property)', async ({ fixture }) => {
  const { database, server } = fixture;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(happening, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
      async (rounds) => {
        const creator = await insertMember(database, { verified: true });
        const planId = await insertPlan(database, creator);
        const start = nowMs() + 48 * hourMs;
        const at = (hour: number) => new Date(start + hour * hourMs);
        const requests = await Promise.all(
          [0, 1, 2, 3, 4].map(async (index) => {
            const client = await insertMember(database, { verified: true });
            const range = { meetsAt: at(index), meetsUntil: at(index + 2) };
            const state = { ...range, payUntil: at(0) };
            const id = await insertInteraction(database, { creator, client, planId }, state);
            const linkId = `link_${id}`;
            await database.update(interactions).set({ linkId }).where(eq(interactions.id, id));
            return { id, client, linkId };
          }),
        );
        const act = async ({ step, request: index, hour }: Happening): Promise<number> => {
          const { id: interactionId, client, linkId } = requests[index] ?? expect.fail();
          const propose = async (who: Member) => {
            const body = { interactionId, meetsAt: at(hour).toISOString(), place: '' };
            return (await server.call(who, calls.proposeDay, { body })).status;
          };
          const body = { interactionId };
          if (step === 'accept') return (await server.call(creator, calls.acceptRequest, { body })).status;
          if (step === 'cancel') return (await server.call(client, calls.cancelRequest, { body })).status;
          if (step === 'clientMoves') return propose(client);
          if (step === 'creatorMoves') return propose(creator);
          if (step === 'pay') {
            const attributes = {
              amount: 250_00,
              currency: 'PHP',
              fee: 0,
              net_amount: 250_00,
              status: 'paid',
            };
            const payment = { id: `pay_${interactionId}`, type: 'payment', attributes };
            await captureLink(fixture.context, { id: linkId, status: 'paid', payments: [payment] } as never);
            return 200;
          }
          const { reply } = await server.call(client, calls.interaction, { params: { id: interactionId } });
          const { proposal } = reply;
          if (!proposal) return 200;
          const agree = { interactionId, proposalId: proposal.id, answer: 'agree' as const };
          const who = proposal.by === 'client' ? creator : client;
          return (await server.call(who, calls.answerProposal, { body: agree })).status;
        };
        for (const round of rounds) {
          const statuses = await Promise.all(round.map(act));
          expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
        }
        const [overlaps] = await fixture.sql<{ count: number }[]>`
          select count(*)::int as count from interactions one join interactions other
            on one.creator_id = other.creator_id and one.id < other.id
              and tstzrange(one.meets_at, one.meets_until) && tstzrange(other.meets_at, other.meets_until)
          where one.creator_id = ${creator.profileId}
            and one.cancelled_at is null and (one.accepted_at is not null or one.paid_at is not null)
            and other.cancelled_at is null and (other.accepted_at is not null or other.paid_at is not null)`;
        expect(overlaps?.count).toBe(0);
      },
    ),
    { numRuns: 6 },
  );
}, 120_000);
