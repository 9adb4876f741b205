import { nowDate } from '@tara/contract/clock';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { inDays, range, dayTest as test } from '../../testing/features/requests.ts';
import { friends } from '../profiles/index.ts';
import { interactions, meetingProposals } from './tables.ts';

const hourMs = 3_600_000;
const time = (date: Date) => date.toISOString();
const now = nowDate();
const paid = { paidAt: now };
const ready = { paidAt: now, acceptedAt: now };

describe('another day', () => {
  test('changes the client’s own proposal at once before the acceptance', async ({
    creator,
    client,
    inserted,
    propose,
    events,
  }) => {
    const id = await inserted(range(inDays(3), 5));
    const { reply } = await propose(client, id, inDays(4), 'Rizal Park');
    expect(reply).toMatchObject({ place: 'Rizal Park', proposal: null, accepted: false });
    // As long as before.
    expect(Date.parse(reply.meetsUntil ?? '') - Date.parse(reply.meetsAt ?? '')).toBe(5 * hourMs);
    expect(await events(id)).toMatchObject([{ event: 'dayChanged', profileId: creator.profileId }]);
  });

  test('that the creator proposes first is their acceptance, when the client agrees', async ({
    database,
    platform,
    creator,
    client,
    inserted,
    propose,
    answer,
    events,
  }) => {
    const before = range(inDays(3));
    const id = await inserted(before);
    const day = inDays(5);
    const proposed = (await propose(creator, id, day, 'Binondo')).reply;
    expect(proposed).toMatchObject({
      stage: 'requested',
      meetsAt: time(before.meetsAt),
      proposal: { by: 'creator', meetsAt: time(day), place: 'Binondo' },
    });
    const agreed = (await answer(client, id, proposed.proposal?.id ?? '', 'agree')).reply;
    expect(agreed).toMatchObject({
      stage: 'accepted',
      meetsAt: time(day),
      payUntil: time(day),
      place: 'Binondo',
      proposal: null,
    });
    expect(Date.parse(agreed.dayStartsAt ?? '')).toBeLessThanOrEqual(day.getTime());
    expect(await database.$count(friends, eq(friends.ownerId, client.profileId))).toBe(1);
    const members = [client.profileId, creator.profileId];
    expect(platform.announced.filter((change) => members.includes(change.id))).toMatchObject([
      { collection: 'friendLists' },
      { collection: 'friendLists' },
    ]);
    expect((await events(id)).map(({ event, profileId }) => [event, profileId])).toEqual(
      expect.arrayContaining([
        ['dayProposed', client.profileId],
        ['dayAgreed', creator.profileId],
      ]),
    );
  });

  test('waits for the answer once a day is agreed, and then moves the day', async ({
    database,
    platform,
    creator,
    client,
    inserted,
    propose,
    answer,
  }) => {
    const id = await inserted({ ...ready, ...range(inDays(3)), dayStartsAt: inDays(2) });
    const day = inDays(10);
    const { reply } = await propose(client, id, day);
    expect(reply.meetsAt).not.toBe(time(day));
    const proposalId = reply.proposal?.id ?? '';
    expect((await answer(client, id, proposalId, 'agree')).problem).toMatchObject({
      type: 'interaction_not_allowed',
      text: 'The other one answers your proposal.',
    });
    const moved = (await answer(creator, id, proposalId, 'agree')).reply;
    expect(moved).toMatchObject({ stage: 'ready', meetsAt: time(day), proposal: null });
    expect(Date.parse(moved.dayStartsAt ?? '')).toBeGreaterThan(inDays(8).getTime());
    expect((await answer(creator, id, proposalId, 'decline')).problem).toMatchObject({
      text: 'This proposal is no longer open.',
    });
    // The two were friends from the acceptance on, unless one ended it.
    expect(await database.$count(friends, eq(friends.ownerId, client.profileId))).toBe(0);
    const members = [client.profileId, creator.profileId];
    expect(platform.announced.filter((change) => members.includes(change.id))).toEqual([]);
  });

  test('is answered by the id of its open proposal, of this request', async ({
    database,
    creator,
    client,
    inserted,
    propose,
    answer,
  }) => {
    const id = await inserted({ ...ready, ...range(inDays(3)) });
    const planId = await insertPlan(database, creator);
    const other = await insertInteraction(
      database,
      { creator, client, planId },
      { ...ready, ...range(inDays(20)) },
    );
    const replaced = (await propose(creator, id, inDays(4))).reply.proposal?.id ?? '';
    const open = (await propose(creator, id, inDays(5))).reply.proposal?.id ?? '';
    const foreign = (await propose(creator, other, inDays(6))).reply.proposal?.id ?? '';
    for (const proposalId of [replaced, foreign, 'nothing'])
      expect((await answer(client, id, proposalId, 'agree')).problem.text).toBe(
        'This proposal is no longer open.',
      );
    expect((await answer(client, id, open, 'agree')).reply.proposal).toBeNull();
    const answers = await database
      .select({ id: meetingProposals.id, answer: meetingProposals.answer })
      .from(meetingProposals);
    expect(Object.fromEntries(answers.map((row) => [row.id, row.answer]))).toMatchObject({
      ...{ [replaced]: 'replaced', [open]: 'agreed', [foreign]: null },
    });
    // What was answered stays so when another day is proposed.
    const next = (await propose(client, id, inDays(7))).reply.proposal?.id ?? '';
    await answer(creator, id, next, 'decline');
    await propose(client, id, inDays(8));
    const rows = await database.select().from(meetingProposals).where(eq(meetingProposals.interactionId, id));
    expect(rows.map((row) => row.answer).sort()).toEqual(['replaced', 'agreed', 'declined', null].sort());
  });

  test('that has passed can only be declined', async ({
    database,
    creator,
    client,
    inserted,
    propose,
    answer,
  }) => {
    const id = await inserted({ ...ready, ...range(inDays(3)) });
    const proposalId = (await propose(creator, id, inDays(4))).reply.proposal?.id ?? '';
    await database
      .update(meetingProposals)
      .set(range(inDays(-1)))
      .where(eq(meetingProposals.id, proposalId));
    expect((await answer(client, id, proposalId, 'agree')).problem).toMatchObject({
      type: 'interaction_not_allowed',
      text: 'The proposed day has passed. Propose another one first.',
    });
    expect((await answer(client, id, proposalId, 'decline')).reply.proposal).toBeNull();
  });

  test('changes nothing when it is declined', async ({
    creator,
    client,
    inserted,
    propose,
    answer,
    events,
  }) => {
    const standing = range(inDays(3));
    const id = await inserted({ ...ready, ...standing });
    const { proposal } = (await propose(creator, id, inDays(4))).reply;
    const { reply } = await answer(client, id, proposal?.id ?? '', 'decline');
    expect(reply).toMatchObject({ meetsAt: time(standing.meetsAt), proposal: null });
    expect(await events(id)).toContainEqual(
      expect.objectContaining({ event: 'dayDeclined', profileId: creator.profileId }),
    );
  });

  test('replaces the proposal that was open, of two at once too', async ({
    database,
    creator,
    client,
    inserted,
    propose,
  }) => {
    const id = await inserted({ ...ready, ...range(inDays(3)) });
    await propose(creator, id, inDays(4));
    await Promise.all([propose(creator, id, inDays(5)), propose(client, id, inDays(6))]);
    const rows = await database.select().from(meetingProposals).where(eq(meetingProposals.interactionId, id));
    expect(rows.map(({ answer }) => answer).sort()).toEqual(['replaced', 'replaced', null].sort());
  });

  test('is closed when the creator accepts the standing one', async ({
    creator,
    inserted,
    propose,
    step,
  }) => {
    const id = await inserted(range(inDays(3)));
    await propose(creator, id, inDays(4));
    expect((await step(creator, 'acceptRequest', id)).reply).toMatchObject({
      accepted: true,
      proposal: null,
    });
  });

  test('is refused where the creator is booked, when it is proposed and when it is agreed', async ({
    database,
    creator,
    client,
    stranger,
    planId,
    inserted,
    propose,
    answer,
  }) => {
    const id = await inserted({ ...ready, ...range(inDays(3)) });
    const day = inDays(6);
    const { proposal } = (await propose(client, id, day)).reply;
    await insertInteraction(database, { creator, client: stranger, planId }, { ...paid, ...range(day) });
    const answers = [await propose(creator, id, day), await answer(creator, id, proposal?.id ?? '', 'agree')];
    for (const { problem } of answers) expect(problem.type).toBe('interaction_time_taken');
    const [row] = await database
      .select()
      .from(meetingProposals)
      .where(eq(meetingProposals.interactionId, id));
    expect(row?.answer).toBeNull();
  });

  test('is for the two alone, while the plan is not fulfilled', async ({
    database,
    creator,
    client,
    stranger,
    inserted,
    propose,
    server,
  }) => {
    const id = await inserted({ ...ready, userSetDoneAt: now });
    expect((await propose(client, id, inDays(1))).problem.text).toBe('This plan is already fulfilled.');
    expect((await propose(stranger, id, inDays(1))).problem.code).toBe(404);
    const open = await insertInteraction(
      database,
      { creator, client, planId: await insertPlan(database, creator) },
      ready,
    );
    const { reply } = await propose(creator, open, inDays(1));
    expect(reply.proposal).not.toBeNull();
    // One that was left open when the request ended waits for nobody.
    await database.update(interactions).set({ userSetDoneAt: now }).where(eq(interactions.id, open));
    const after = await server.call(client, calls.interaction, { params: { id: open } });
    expect(after.reply.proposal).toBeNull();
  });
});
