import { interactions as calls } from '@tara/contract/interactions';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/interactions.ts';
import type { Member } from '../../testing/members.ts';
import { test as base } from '../../testing/requests.ts';
import { notices } from '../notices/index.ts';
import { friends } from '../profiles/index.ts';
import { presentSteps } from './present.ts';
import { interactions, meetingProposals } from './tables.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const inDays = (count: number) => new Date(Date.now() + count * dayMs);
const time = (date: Date) => date.toISOString();
const range = (from: Date, hours = 2) => ({
  meetsAt: from,
  meetsUntil: new Date(from.getTime() + hours * hourMs),
});
const now = new Date();
const paid = { paidAt: now };
const ready = { paidAt: now, acceptedAt: now };

const test = base
  .extend(
    'propose',
    ({ server }) =>
      (who: Member, interactionId: string, meetsAt: Date, place = 'Luneta') =>
        server.call(who, calls.proposeDay, { body: { interactionId, meetsAt: time(meetsAt), place } }),
  )
  .extend(
    'answer',
    ({ server }) =>
      (who: Member, interactionId: string, proposalId: string, answer: 'agree' | 'decline') =>
        server.call(who, calls.answerProposal, { body: { interactionId, proposalId, answer } }),
  )
  .extend(
    'events',
    ({ database }) =>
      async (id: string) =>
        (await database.select().from(notices).where(eq(notices.interactionId, id))).map(
          ({ event, profileId, details }) => ({ event, profileId, details }),
        ),
  );

describe('the day of a request', () => {
  test('is what the client proposes, as long as the plan takes', async ({
    database,
    creator,
    client,
    request,
    events,
  }) => {
    const plan = await insertPlan(database, creator, { durationMinutes: 90 });
    const day = time(inDays(30)).slice(0, 10);
    const { reply } = await request(client, plan, {
      meetsAt: `${day}T18:00:00+08:00`,
      place: ' Cafe Ilang-Ilang ',
    });
    expect(reply).toMatchObject({
      meetsAt: `${day}T10:00:00.000Z`,
      meetsUntil: `${day}T11:30:00.000Z`,
      place: 'Cafe Ilang-Ilang',
      dayStartsAt: null,
      proposal: null,
      timePassed: false,
    });
    expect(await events(reply.id)).toEqual([
      {
        event: 'requested',
        profileId: creator.profileId,
        details: { day: expect.stringMatching(/^[A-Z][a-z]+day, .* at 6:00 PM$/), place: 'Cafe Ilang-Ilang' },
      },
    ]);
  });

  test('is none where another client of the API names none', async ({ client, request }) => {
    const { reply } = await request(client);
    expect(reply).toMatchObject({ meetsAt: null, meetsUntil: null, place: '' });
  });

  test.for([
    ['meetsAt', 'tomorrow', 'Must be a date and time with its offset.'],
    ['meetsAt', '2020-03-01T18:00:00', 'Must be a date and time with its offset.'],
    ['meetsAt', '2020-03-01T18:00:00Z', 'Must be in the future.'],
    ['meetsAt', time(inDays(366)), 'Must be at most a year ahead.'],
    ['place', 'x'.repeat(101), 'Must be at most 100 characters.'],
  ] as const)('refuses %s %.20s…: %s', async ([field, value, message], { client, planId, request }) => {
    const { problem } = await request(client, planId, { [field]: value });
    expect(problem).toMatchObject({ code: 400, fields: { [field]: message } });
  });

  test('cannot be requested where the creator is booked, and can right after', async ({
    database,
    creator,
    client,
    stranger,
    planId,
    request,
  }) => {
    const day = range(inDays(3));
    await insertInteraction(database, { creator, client: stranger, planId }, { ...ready, ...day });
    const within = time(new Date(day.meetsAt.getTime() + hourMs));
    const { problem } = await request(client, planId, { meetsAt: within });
    expect(problem).toMatchObject({ code: 409, type: 'interaction_time_taken' });
    expect((await request(client, planId, { meetsAt: time(day.meetsUntil) })).status).toBe(200);
  });

  test('has to be ahead when it is accepted or paid', async ({ creator, client, inserted, step, server }) => {
    const id = await inserted(range(inDays(-1)));
    const { problem } = await step(creator, 'acceptRequest', id);
    expect(problem).toMatchObject({
      type: 'interaction_not_allowed',
      text: 'The proposed day has passed. Propose another one first.',
    });
    const { reply } = await server.call(client, calls.interaction, { params: { id } });
    expect(reply.timePassed).toBe(true);
  });

  test('begins at midnight in Manila and ends the time to pay, once it is accepted', async ({
    creator,
    inserted,
    step,
  }) => {
    const meetsAt = inDays(3);
    const { reply } = await step(creator, 'acceptRequest', await inserted(range(meetsAt)));
    const midnight = new Date(Math.floor((meetsAt.getTime() + 8 * hourMs) / dayMs) * dayMs - 8 * hourMs);
    expect(reply).toMatchObject({ dayStartsAt: time(midnight), payUntil: time(meetsAt) });
  });

  test('is held by one request of those that are accepted at once', async ({
    database,
    creator,
    client,
    stranger,
    planId,
    step,
  }) => {
    const start = inDays(3);
    const ids = await Promise.all(
      [client, stranger].map((who, index) =>
        insertInteraction(
          database,
          { creator, client: who, planId },
          range(new Date(start.getTime() + index * hourMs)),
        ),
      ),
    );
    const answers = await Promise.all(ids.map((id) => step(creator, 'acceptRequest', id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.problem.type).toBe('interaction_time_taken');
  });
});

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
    expect((await events(id)).map(({ event, profileId }) => [event, profileId])).toEqual(
      expect.arrayContaining([
        ['dayProposed', client.profileId],
        ['dayAgreed', creator.profileId],
      ]),
    );
  });

  test('waits for the answer once a day is agreed, and then moves the day', async ({
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

test('lets the creator say from the plan’s day on that they met, once (§4)', async ({
  client,
  creator,
  inserted,
  server,
  database,
  events,
}) => {
  const id = await inserted({ ...ready, dayStartsAt: inDays(1) });
  const say = (who: Member) => server.call(who, calls.sayMet, { body: { interactionId: id } });
  expect((await say(creator)).problem.text).toBe('This is possible from the day of the plan on.');
  await database
    .update(interactions)
    .set({ dayStartsAt: inDays(-1) })
    .where(eq(interactions.id, id));
  expect((await say(client)).problem.text).toBe('Only the creator can say this.');
  expect((await say(creator)).reply).toMatchObject({ creatorMet: true, stage: 'ready' });
  expect((await say(creator)).problem.text).toBe('You already said that you met.');
  expect(await events(id)).toMatchObject([{ event: 'creatorMet', profileId: client.profileId }]);
});

test('the day that counts without an agreed one is no step of a plan that was fulfilled before it', async ({
  database,
  creator,
  client,
}) => {
  const steps = async (state: Partial<typeof interactions.$inferInsert>) => {
    const planId = await insertPlan(database, creator);
    const id = await insertInteraction(database, { creator, client, planId }, { ...ready, ...state });
    const [row] = await database.select().from(interactions).where(eq(interactions.id, id));
    return row ? presentSteps(row).map(({ step }) => step) : [];
  };
  const counted = { dayStartsAt: inDays(14) };
  expect(await steps({ ...counted, userSetDoneAt: now })).not.toContain('dayWithoutAgreement');
  expect(await steps(counted)).toContain('dayWithoutAgreement');
  const past = { dayStartsAt: inDays(-2), userSetDoneAt: now };
  expect((await steps(past)).filter((step) => /day|fulfilled/i.test(step))).toEqual([
    'dayWithoutAgreement',
    'fulfilled',
  ]);
});
