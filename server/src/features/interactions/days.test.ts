import { nowDate } from '@tara/contract/clock';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { inDays, range, dayTest as test } from '../../testing/features/requests.ts';
import { presentSteps } from './present.ts';
import { findInteraction } from './read.ts';
import { interactions } from './tables.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const time = (date: Date) => date.toISOString();
const now = nowDate();
const ready = { paidAt: now, acceptedAt: now };

test('each step of a request is told to whom it concerns, once', async ({
  database,
  creator,
  client,
  request,
  step,
  events,
}) => {
  const names = { [creator.profileId]: 'creator', [client.profileId]: 'client' };
  const notified = async (id: string) =>
    (await events(id)).map(({ event, profileId }) => `${event} ${names[profileId]}`).sort();
  const { reply } = await request(client, await insertPlan(database, creator, { priceCentavos: 0 }));
  const requested = ['free client', 'free creator', 'requested creator'];
  expect(await notified(reply.id)).toEqual(requested);
  await step(creator, 'acceptRequest', reply.id);
  expect(await notified(reply.id)).toEqual(['accepted client', ...requested]);
  await step(client, 'markDone', reply.id);
  expect(await notified(reply.id)).toEqual(['accepted client', 'fulfilled creator', ...requested].sort());
});

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

  test.for([
    ['accepted and not paid', 409, { acceptedAt: now }],
    ['paid and not accepted', 409, { paidAt: now }],
    ['neither paid nor accepted', 200, {}],
    ['free and not accepted', 200, { paidAt: now, priceCentavos: 0 }],
  ] as const)(
    'beside a request that is %s, another one for that time is answered with %i',
    async ([, status, state], { database, creator, client, stranger, planId, request }) => {
      const day = range(inDays(3));
      await insertInteraction(database, { creator, client: stranger, planId }, { ...state, ...day });
      expect((await request(client, planId, { meetsAt: time(day.meetsAt) })).status).toBe(status);
    },
  );

  test('is never that of a request without one: it conflicts with no booked day, of this plan or another', async ({
    database,
    creator,
    client,
    stranger,
    planId,
    request,
    step,
    propose,
  }) => {
    const day = range(inDays(3));
    await insertInteraction(database, { creator, client: stranger, planId }, { ...ready, ...day });
    const another = await insertPlan(database, creator);
    const requests = [await request(client), await request(client, another)];
    expect(requests.map(({ status, reply }) => [status, reply.meetsAt])).toEqual([
      [200, null],
      [200, null],
    ]);
    // Nor does one that is accepted.
    for (const { reply } of requests)
      expect((await step(creator, 'acceptRequest', reply.id)).status).toBe(200);
    const free = await insertPlan(database, creator, { priceCentavos: 0 });
    expect((await request(client, free)).status).toBe(200);
    // It books what is proposed and agreed for it, and nothing before.
    const [first] = requests;
    const { problem } = await propose(client, first?.reply.id ?? '', day.meetsAt);
    expect(problem.type).toBe('interaction_time_taken');
    expect((await propose(client, first?.reply.id ?? '', day.meetsUntil)).status).toBe(200);
  });

  test('is none of many that are sent and accepted at once without one, beside one that is booked', async ({
    database,
    creator,
    planId,
    request,
    step,
    inserted,
  }) => {
    const clients = await Promise.all([1, 2, 3, 4].map(() => insertMember(database, { verified: true })));
    const booked = await inserted({ paidAt: now, ...range(inDays(3)) });
    const [accepted, ...sent] = await Promise.all([
      step(creator, 'acceptRequest', booked),
      ...clients.map((who) => request(who, planId)),
    ]);
    expect([accepted, ...sent].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const answers = await Promise.all(sent.map(({ reply }) => step(creator, 'acceptRequest', reply.id)));
    expect(answers.map(({ status, reply }) => [status, reply.accepted, reply.meetsAt])).toEqual(
      clients.map(() => [200, true, null]),
    );
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

  test('is two weeks after the acceptance when none was agreed', async ({ creator, inserted, step }) => {
    const { reply } = await step(creator, 'acceptRequest', await inserted({}));
    const midnight = new Date(Math.floor((inDays(14).getTime() + 8 * hourMs) / dayMs) * dayMs - 8 * hourMs);
    expect(reply).toMatchObject({ meetsAt: null, dayStartsAt: time(midnight) });
  });

  test('an accepted request without an agreed day can be paid for 7 days from then', async ({
    database,
    creator,
    inserted,
    step,
  }) => {
    const id = await inserted({ payUntil: inDays(1) });
    await step(creator, 'acceptRequest', id);
    const [row] = await database.select().from(interactions).where(eq(interactions.id, id));
    expect(Number(row?.payUntil) - Number(row?.acceptedAt)).toBe(7 * dayMs);
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
    const row = await findInteraction(database, id);
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

test('the admin’s confirmation, and when the money arrived, are steps of a request', async ({
  database,
  creator,
  client,
}) => {
  const planId = await insertPlan(database, creator);
  const later = inDays(1);
  const id = await insertInteraction(
    database,
    { creator, client, planId },
    {
      ...ready,
      ...{
        userSetDoneAt: inDays(0.25),
        adminSetDoneAt: inDays(0.5),
        completedAt: inDays(0.5),
        paidOutAt: later,
      },
    },
  );
  const row = await findInteraction(database, id);
  const steps = row === null ? [] : presentSteps(row);
  expect(steps.map(({ step }) => step).slice(-3)).toEqual(['fulfilled', 'confirmed', 'paidOut']);
  expect(steps.at(-1)?.at).toBe(time(later));
});
