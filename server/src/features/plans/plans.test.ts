import { nowDate, nowMs } from '@tara/contract/clock';
import { plans as calls } from '@tara/contract/plans/plans';
import { eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertInteraction } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { test } from '../../testing/features/plans.ts';
import { confirmed } from '../../testing/features/reviews.ts';
import { interactions } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { reviews } from '../reviews/tables.ts';
import { mutes } from '../visibility/index.ts';
import { plans } from './tables.ts';

test('publishes a plan that every member can read, new as long as nothing is earned (§1-plans-offer, §7-create-plan)', async ({
  server,
  creator,
  visitor,
  form,
}) => {
  const sent = await form(creator);
  const { imageId, imageIds: photos, ...fields } = sent;
  const created = (await server.call(creator, calls.create, { body: sent })).reply;
  expect(created).toMatchObject({
    ...fields,
    cover: { imageId },
    photos,
    editedAt: null,
    closedAt: null,
    earned: null,
    creator: { name: 'Ana' },
  });
  const { reply } = await server.call(visitor, calls.get, { params: { id: created.id } });
  expect(reply).toEqual({
    plan: created,
    ...{ reviews: [], taken: [] },
    creatorRating: { stars: null, totalReviews: 0, totalMeetings: 0 },
    ...{ isCreator: false, viewerVerified: false, openInteractionId: null },
  });
  const own = await server.call(creator, calls.get, { params: { id: created.id } });
  expect(own.reply).toMatchObject({ isCreator: true, viewerVerified: true });
});

test('the page of a plan has the newest reviews of it that its reader may see, with their writers', async ({
  database,
  server,
  creator,
  madeBy,
}) => {
  const reader = await insertMember(database);
  const [plan, other] = [await madeBy(creator), await madeBy(creator)];
  const writers = [];
  for (const [index, planId] of [plan.id, other.id, plan.id, plan.id, plan.id, plan.id].entries()) {
    const client = await insertMember(database, { name: `Writer${index}` });
    const interactionId = await insertInteraction(database, { creator, client, planId }, confirmed);
    await database.insert(reviews).values({
      ...{ id: newId(), interactionId, planId, stars: index, caption: `Review ${index}` },
      ...{ creatorId: client.profileId, ownerId: creator.profileId },
      createdAt: new Date(Date.UTC(2026, 0, 1 + index)),
    });
    writers.push(client.profileId);
  }
  const captions = async () =>
    (await server.call(reader, calls.get, { params: { id: plan.id } })).reply.reviews.map(
      ({ caption, stars, creator }) => `${caption} ${stars} ${creator.name}`,
    );
  expect(await captions()).toEqual(['Review 5 5 Writer5', 'Review 4 4 Writer4', 'Review 3 3 Writer3']);
  const shown = (await server.call(reader, calls.get, { params: { id: plan.id } })).reply.reviews;
  expect(shown[0]?.creator.picture.imageUrl).toContain('/initials?name=Writer5');
  await database.insert(mutes).values({ muterId: reader.profileId, mutedId: writers[4] ?? '' });
  expect(await captions()).toEqual(['Review 5 5 Writer5', 'Review 3 3 Writer3', 'Review 2 2 Writer2']);
});

test('the page of a plan has when its creator is booked from now on, and nothing else of those requests', async ({
  database,
  server,
  madeBy,
  visitor,
}) => {
  const busy = await insertMember(database, { name: 'Busy', verified: true, limitedPlan: 100 });
  const plan = await madeBy(busy);
  const now = nowMs();
  const at = (hours: number) => new Date(now + hours * 3_600_000);
  const meeting = (hours: number) => ({ meetsAt: at(hours), meetsUntil: at(hours + 2) });
  const parties = { creator: busy, client: visitor, planId: plan.id };
  const past = { paidAt: at(-90), acceptedAt: at(-90) };
  for (const state of [
    { ...meeting(70), acceptedAt: at(-1) },
    { ...meeting(50), paidAt: at(-1) },
    // Under way, over, free and not accepted, not paid, cancelled.
    { ...meeting(-1), ...past },
    { ...meeting(-30), ...past },
    { ...meeting(80), paidAt: at(-1), priceCentavos: 0 },
    meeting(90),
    { ...meeting(100), ...past, cancelledAt: at(-1) },
  ])
    await insertInteraction(database, { ...parties, client: await insertMember(database) }, state);
  const { reply } = await server.call(visitor, calls.get, { params: { id: plan.id } });
  expect(reply.taken).toEqual(
    [-1, 50, 70].map((hours) => ({ from: at(hours).toISOString(), until: at(hours + 2).toISOString() })),
  );
});

test('the page of a plan has the next 200 times at which its creator is booked', async ({
  database,
  server,
  madeBy,
  visitor,
}) => {
  const busy = await insertMember(database, { name: 'Busy', verified: true });
  const plan = await madeBy(busy);
  const days = 201;
  // A request for each plan: a client has one open request for a plan.
  await database.execute(sql`
    insert into plans (id, creator_id, title, price_centavos, image_id, terms)
    select id || n, creator_id, title, price_centavos, image_id, terms
    from plans cross join generate_series(1, ${days}::int) as n where id = ${plan.id}`);
  const at = (day: number, hour: number) => new Date(nowMs() + (24 * day + hour) * 3_600_000);
  await database.insert(interactions).values(
    Array.from({ length: days }, (_, index) => ({
      ...{ id: newId(), planId: `${plan.id}${index + 1}`, planTitle: plan.title, priceCentavos: 250_00 },
      ...{ creatorId: busy.profileId, clientId: visitor.profileId, paidAt: at(0, -1) },
      ...{ meetsAt: at(index + 1, 0), meetsUntil: at(index + 1, 2) },
    })),
  );
  const { reply } = await server.call(visitor, calls.get, { params: { id: plan.id } });
  expect(reply.taken).toHaveLength(200);
  expect(reply.taken[0]?.from).toBe(reply.taken.map(({ from }) => from).sort()[0]);
});

describe('no price breaks the server, or is read out of what is no decimal number', () => {
  test.for([
    ['a list', [500]],
    ['lists 31 levels deep', JSON.parse('['.repeat(31) + ']'.repeat(31))],
    ['an object with its own toString', { toString: 'x' }],
    ['true', true],
    ['hexadecimal', '0x64'],
  ] as const)('%s is a free plan', async ([_what, price], { creator, madeBy }) =>
    expect((await madeBy(creator, { price })).price).toBe(0),
  );

  test.for([
    ['lists 100,000 levels deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['more than a column holds', '1e300'],
    ['more than a number holds', '1e999'],
    ['written with 1,000 digits', `"${'9'.repeat(1000)}"`],
  ] as const)('%s is refused', async ([_what, price], { server, creator, form }) => {
    const body = JSON.stringify(await form(creator, { price: 'PRICE' })).replace('"PRICE"', price);
    const headers = { 'content-type': 'application/json' };
    const url = calls.create.path;
    const answer = await server.request(creator, { method: 'POST', url, headers, payload: body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ type: 'general_argument_invalid', fields: expect.any(Object) });
  });
});

test('counts every plan, and refuses the one beyond the limit even when two are sent at once (§4-create-plan-total, §8-plan-limit, §9-plan-limit, threat-concurrent-requests)', async ({
  database,
  server,
  form,
  madeBy,
  readProfile,
}) => {
  const member = await insertMember(database, { verified: true });
  const other = await insertMember(database, { verified: true });
  for (let count = 0; count < 4; count++) await madeBy(member);
  const bodies = await Promise.all([form(member), form(member), form(member)]);
  const answers = await Promise.all(bodies.map((body) => server.call(member, calls.create, { body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.problem).toMatchObject({ type: 'plan_limit_reached', title: "You can't add more plans." });
  expect(await readProfile(member)).toMatchObject({ totalPlan: 5, limitedPlan: 5 });
  expect(await readProfile(other)).toMatchObject({ totalPlan: 0 });
});

test('refuses a creator whose identity is not verified (§6-verified-creates, §8-unverified-action, threat-unsafe-meetings)', async ({
  server,
  visitor,
  form,
  readProfile,
}) => {
  const { problem } = await server.call(visitor, calls.create, { body: await form(visitor) });
  expect(problem).toMatchObject({ type: 'plan_creator_unverified', title: 'You cannot perform this action' });
  expect(await readProfile(visitor)).toMatchObject({ totalPlan: 0 });
});

test('refuses a cover that another member uploaded, and counts nothing', async ({
  server,
  creator,
  visitor,
  form,
  readProfile,
}) => {
  const before = await readProfile(creator);
  const body = await form(visitor);
  const { problem } = await server.call(creator, calls.create, { body });
  expect(problem.type).toBe('storage_file_not_found');
  expect(await readProfile(creator)).toMatchObject({ totalPlan: before?.totalPlan });
});

describe('a wrong field is named with its rule and nothing is stored', () => {
  const wrong: [string, Record<string, unknown>, Record<string, string>][] = [
    ['no cover (§5-plan-cover)', { imageId: undefined }, { imageId: expect.any(String) }],
    ['title empty', { title: '  ' }, { title: 'Please give the plan a title.' }],
    ['title 31', { title: 'x'.repeat(31) }, { title: 'Must be at most 30 characters.' }],
    ['desc 5001', { desc: 'x'.repeat(5001) }, { desc: 'Must be at most 5000 characters.' }],
    ['time 11', { time: 'x'.repeat(11) }, { time: 'Must be at most 10 characters.' }],
    ['terms 19', { terms: 'x'.repeat(19) }, { terms: 'Terms must be at least 20 characters.' }],
    ['terms 5001', { terms: 'x'.repeat(5001) }, { terms: 'Terms must be at most 5000 characters.' }],
    ['duration 29', { durationMinutes: 29 }, { durationMinutes: 'Must be 30 to 1440.' }],
    ['place 101', { place: 'x'.repeat(101) }, { place: 'Must be at most 100 characters.' }],
    [
      'photos 6',
      { imageIds: ['1', '2', '3', '4', '5', '6'] },
      { imageIds: 'At most 5 photos beside the cover.' },
    ],
    ['price negative', { price: -1 }, { price: 'The price cannot be negative.' }],
    ['price 99.99', { price: 99.99 }, { price: 'The price must be at least ₱100.00, or 0 for a free plan.' }],
    ['price 3 decimals', { price: 100.001 }, { price: 'The price has at most two decimals.' }],
    ['price too high', { price: 10_000_000 }, { price: 'The price must be at most ₱9,999,999.99.' }],
    [
      'price above what one payout carries',
      { price: 50_000.01 },
      { price: 'The price must be at most ₱50,000.00.' },
    ],
    ['mass assignment', { earned: 5, creatorId: 'someone' }, { earned: 'is not a field of this call' }],
  ];
  test.for(wrong)('%s', async ([_name, changes, fields], { database, server, creator, form }) => {
    const stored = () => database.$count(plans);
    const before = await stored();
    const answer = await server.call(creator, calls.create, { body: await form(creator, changes) });
    expect(answer.status).toBe(400);
    expect(answer.problem).toMatchObject({ type: 'general_argument_invalid', fields });
    expect(await stored()).toBe(before);
  });

  test('takes a price as a number, up to what one payout carries (§5-plan)', async ({ creator, madeBy }) => {
    expect((await madeBy(creator, { price: '50000' })).price).toBe(50_000);
  });

  test('takes a price that is not a number for 0 (§5-plan-price-text)', async ({ creator, madeBy }) => {
    expect((await madeBy(creator, { price: 'much' })).price).toBe(0);
  });
});

test('pages a creator’s plans newest first, without gap or repeat (§7-search-plans)', async ({
  database,
  server,
  visitor,
  madeBy,
}) => {
  const member = await insertMember(database, { verified: true, limitedPlan: 20 });
  const created: string[] = [];
  for (let count = 0; count < 12; count++) created.unshift((await madeBy(member)).id);
  const byCreator = (cursor?: string) =>
    server.call(visitor, calls.byCreator, { params: { id: member.profileId }, query: { cursor } });
  const first = (await byCreator()).reply;
  expect(first.items).toHaveLength(10);
  const second = (await byCreator(first.next ?? '')).reply;
  expect(second.next).toBeNull();
  // Plans of one millisecond are ordered by id, so only the set is known.
  expect([...first.items, ...second.items].map(({ id }) => id).sort()).toEqual(created.sort());
  expect((await byCreator('nonsense')).problem.type).toBe('general_cursor_not_found');
});

test('no removed plan is found or listed, nor one of a deleted creator', async ({
  database,
  server,
  visitor,
  madeBy,
}) => {
  const member = await insertMember(database, { verified: true });
  const [plan, removed] = [await madeBy(member), await madeBy(member)];
  await database.update(plans).set({ removedAt: nowDate() }).where(eq(plans.id, removed.id));
  const get = (id: string) => server.call(visitor, calls.get, { params: { id } });
  const listed = async (who: Member) => {
    const { reply } = await server.call(who, calls.byCreator, { params: { id: member.profileId } });
    return reply.items.map(({ id }) => id);
  };
  expect((await get(removed.id)).problem.type).toBe('plan_not_found');
  expect([await listed(visitor), await listed(member)]).toEqual([[plan.id], [plan.id]]);
  await database.update(profiles).set({ deletedAt: nowDate() }).where(eq(profiles.id, member.profileId));
  expect((await get(plan.id)).problem.type).toBe('plan_not_found');
  expect(await listed(visitor)).toEqual([]);
});

test('answers 404 for a plan or creator that does not exist, and 401 to a guest', async ({
  server,
  visitor,
}) => {
  const params = { id: 'nobody' };
  expect((await server.call(visitor, calls.get, { params })).problem.type).toBe('plan_not_found');
  expect((await server.call(visitor, calls.byCreator, { params })).problem.type).toBe('profile_not_found');
  expect((await server.call(null, calls.get, { params })).status).toBe(401);
});

test.for(['-', 'a b', 'x'.repeat(37), '$$$'])(
  'answers an id of an impossible form, %j, as any unknown one',
  async (id, { server, visitor }) => {
    const { status, problem } = await server.call(visitor, calls.get, { params: { id } });
    expect([status, problem.type]).toEqual([404, 'plan_not_found']);
  },
);

const today = nowDate().toISOString().slice(0, 10);
test.for([
  ['without a birth date', null, 'plan_birth_date_missing'],
  ['under 18', today, 'plan_under_age'],
] as const)(
  'decisions §2: a verified member %s publishes no plan (threat-unsafe-meetings)',
  async ([_name, birthDate, type], { database, server, form, readProfile }) => {
    const member = await insertMember(database, { verified: true, birthDate });
    const { problem } = await server.call(member, calls.create, { body: await form(member) });
    expect(problem).toMatchObject({ code: 403, type });
    expect(await database.$count(plans, eq(plans.creatorId, member.profileId))).toBe(0);
    expect(await readProfile(member)).toMatchObject({ totalPlan: 0 });
  },
);
