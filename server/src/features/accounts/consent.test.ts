import { accounts as calls } from '@tara/contract/accounts/accounts';
import { interactions } from '@tara/contract/interactions/interactions';
import { termsVersion } from '@tara/contract/limits';
import { plans } from '@tara/contract/plans/plans';
import { and, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { test as planTest } from '../../testing/features/plans.ts';
import { testServer } from '../../testing/server.ts';
import { profiles } from '../profiles/index.ts';
import { accountLimits } from './limits.ts';
import { accountRoutes } from './routes.ts';
import { accountEvents, accounts } from './tables.ts';

const test = planTest
  .extend('app', { scope: 'file' }, async ({ platform }, { onCleanup }) => {
    const server = await testServer(platform, (app) => accountRoutes(app, platform, accountLimits(false)));
    onCleanup(() => server.close());
    return server;
  })
  .extend('stored', { scope: 'file' }, ({ database }) => async (accountId: string) => {
    const [row] = await database.select().from(accounts).where(eq(accounts.id, accountId));
    return row;
  })
  /** How often an event of an account was recorded. */
  .extend(
    'countEvents',
    { scope: 'file' },
    ({ database }) =>
      (accountId: string, event: string) =>
        database.$count(
          accountEvents,
          and(eq(accountEvents.accountId, accountId), eq(accountEvents.event, event)),
        ),
  )
  /** A member of before the present terms. */
  .extend('earlier', ({ database }) => async (columns: Partial<typeof accounts.$inferInsert>) => {
    const member = await insertMember(database, { verified: true });
    await database.update(accounts).set(columns).where(eq(accounts.id, member.accountId));
    return member;
  });

const consent = { isAdult: true, acceptsTerms: true };
const newForm = () => ({
  name: 'Ana Cruz',
  username: 'ana',
  email: `${newId()}@example.com`,
  password: 'a long password',
});
const none = { termsVersion: null, consentedAt: null };

test('sign-up stores the consent with its time and the version of the terms', async ({
  app,
  stored,
  database,
}) => {
  const { reply } = await app.call(null, calls.signUp, { body: { ...newForm(), ...consent } });
  const account = await stored(reply.id);
  expect(account).toMatchObject({ termsVersion, consentedAt: expect.any(Date) });
  const events = await database.select().from(accountEvents).where(eq(accountEvents.accountId, reply.id));
  expect(events.map(({ event }) => event).sort()).toEqual(['user.consent', 'user.create']);
});

test.for([
  ['isAdult', { acceptsTerms: true }],
  ['isAdult', { ...consent, isAdult: false }],
  ['acceptsTerms', { isAdult: true }],
  ['acceptsTerms', { ...consent, acceptsTerms: false }],
  ['acceptsTerms', { ...consent, acceptsTerms: 'true' }],
] as const)(
  'sign-up is refused without %s, %j, and makes no account (threat-minors)',
  async ([field, boxes], { app, database }) => {
    const form = newForm();
    const { problem } = await app.call(null, calls.signUp, { body: { ...form, ...boxes } });
    expect(problem).toMatchObject({
      type: 'general_argument_invalid',
      fields: { [field]: expect.any(String) },
    });
    expect(await database.$count(accounts, eq(accounts.email, form.email))).toBe(0);
  },
);

test.for([
  ['never agreed', none],
  ['agreed to an earlier version', { termsVersion: '2020-01-01', consentedAt: new Date(0) }],
] as const)(
  'who %s neither publishes nor requests a plan until they agree (threat-minors)',
  async ([_, columns], { app, server, form, database, earlier, stored, countEvents }) => {
    const [member, other] = [await earlier(columns), await earlier(columns)];
    const planId = await insertPlan(database, await insertMember(database, { verified: true }));
    const request = (who: Member) => server.call(who, interactions.createInteraction, { body: { planId } });
    const publish = async (who: Member) => server.call(who, plans.create, { body: await form(who) });
    const missing = 'account_consent_missing';
    expect((await request(member)).problem.type).toBe(missing);
    expect((await publish(member)).problem.type).toBe(missing);
    expect((await app.call(member, calls.session)).reply.account.hasConsented).toBe(false);

    expect((await app.call(member, calls.consent, { body: consent })).status).toBe(200);
    const first = await stored(member.accountId);
    expect(first).toMatchObject({ termsVersion, consentedAt: expect.any(Date) });
    // Once: the first time stays.
    await app.call(member, calls.consent, { body: consent });
    expect((await stored(member.accountId))?.consentedAt).toEqual(first?.consentedAt);
    expect(await countEvents(member.accountId, 'user.consent')).toBe(1);
    // Nobody agrees for somebody else.
    expect(await stored(other.accountId)).toMatchObject(columns);
    expect((await app.call(member, calls.session)).reply.account.hasConsented).toBe(true);
    expect((await request(member)).status).toBe(200);
    expect((await publish(member)).status).toBe(200);
  },
);

test.for([
  ['agrees', none],
  ['agreed before', {}],
] as const)(
  'who has no name and %s gets one with the consent, once, and goes on only with it',
  async ([_, columns], { app, database, platform, earlier, stored, countEvents }) => {
    const member = await earlier({ ...columns, name: '' });
    platform.announced.length = 0;
    await database.update(profiles).set({ name: '' }).where(eq(profiles.id, member.profileId));
    const send = (name?: string) => app.call(member, calls.consent, { body: { ...consent, name } });
    const before = await stored(member.accountId);
    for (const refused of [undefined, '', 'A', "O'Neil", 'x'.repeat(21), 'Tara Support']) {
      expect((await send(refused)).problem).toMatchObject({
        type: 'general_argument_invalid',
        fields: { name: expect.any(String) },
      });
    }
    expect(await stored(member.accountId)).toEqual(before);

    expect((await send('  Ana Cruz ')).status).toBe(200);
    // A repeated one changes nothing.
    expect((await send('Bea Reyes')).status).toBe(200);
    expect(await stored(member.accountId)).toMatchObject({ name: 'Ana Cruz', termsVersion });
    const { account, profile } = (await app.call(member, calls.session)).reply;
    expect([account.hasConsented, profile.name]).toEqual([true, 'Ana Cruz']);
    expect(await countEvents(member.accountId, 'user.update.name')).toBe(1);
    expect(platform.announced).toMatchObject([
      { collection: 'users', id: member.profileId, document: { name: 'Ana Cruz' } },
    ]);
  },
);
