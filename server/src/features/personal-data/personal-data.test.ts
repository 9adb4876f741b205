import { buffer } from 'node:stream/consumers';
import { accountDeletionDelayMs, deletedName, exportLifetimeMs } from '@tara/contract/limits';
import { personalData } from '@tara/contract/personal-data';
import { plans as planCalls } from '@tara/contract/plans';
import { posts as postCalls } from '@tara/contract/posts';
import { profiles as profileCalls } from '@tara/contract/profiles';
import { eq, or, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import yauzl from 'yauzl';
import { encryptedStore } from '../../platform/files/encrypted.ts';
import { newId } from '../../platform/ids.ts';
import { quietLog } from '../../platform/log.ts';
import { insertInteraction, insertPlan } from '../../testing/interactions.ts';
import { insertMember, type Member, withOldPassword } from '../../testing/members.ts';
import { insertPicture } from '../../testing/pictures.ts';
import { type FixturesOf, serverTest } from '../../testing/test.ts';
import { accountEvents, accountLimits, accounts, sessions } from '../accounts/index.ts';
import { hashPassword } from '../accounts/password.ts';
import { auditLog } from '../audit/index.ts';
import { files } from '../files/index.ts';
import { interactions } from '../interactions/index.ts';
import { messages, openChat } from '../messages/index.ts';
import { payoutAttempts, payouts } from '../payments/index.ts';
import { planRoutes, plans } from '../plans/index.ts';
import { postLikes, postRoutes, posts, saves } from '../posts/index.ts';
import { friends, profileRoutes, profiles } from '../profiles/index.ts';
import { receipts } from '../receipts/index.ts';
import { reports } from '../reports/index.ts';
import { reviewComments, reviewLikes, reviewPhotos, reviews } from '../reviews/index.ts';
import { verifications } from '../verification/index.ts';
import { blocks, mutes } from '../visibility/index.ts';
import { personalDataRoutes, personalDataTasks } from './index.ts';
import { dataExports } from './tables.ts';

const password = 'a long password';
const documentsKey = Buffer.alloc(32, 3);
const helpers = { log: quietLog(), attempt: 1, maxAttempts: 1, signal: new AbortController().signal };

const test = serverTest((app, platform) => {
  personalDataRoutes(app, platform, accountLimits(false));
  profileRoutes(app, platform);
  postRoutes(app, platform);
  planRoutes(app, platform);
})
  .extend('newMember', { scope: 'file' }, ({ database }) => async (name = 'Ana Cruz') => {
    const member = await insertMember(database, { name, username: name.toLowerCase(), verified: true });
    await database
      .update(accounts)
      .set({ passwordHash: await hashPassword(password) })
      .where(eq(accounts.id, member.accountId));
    return member;
  })
  .extend('work', { scope: 'file' }, ({ platform }) => {
    const tasks: Record<string, (payload: unknown, with_: typeof helpers) => Promise<void>> =
      personalDataTasks(platform, documentsKey);
    /** Does the waiting jobs of this feature. */
    return async (signal: AbortSignal = helpers.signal) => {
      for (const { task, payload } of await platform.takeJobs())
        await tasks[task]?.(payload, { ...helpers, signal });
    };
  })
  .extend('leave', { scope: 'file' }, ({ server }) => (who: Member, body: object = { password }) => {
    return server.call(who, personalData.delete, { body });
  })
  /** Lets a member's 14 days be over. */
  .extend('endDelay', { scope: 'file' }, ({ database }) => async (who: Member) => {
    await database
      .update(accounts)
      .set({ deletesAt: sql`now() - interval '1 second'` })
      .where(eq(accounts.id, who.accountId));
  })
  .extend('deleteDue', { scope: 'file' }, ({ platform, work }) => async (signal?: AbortSignal) => {
    const tasks = personalDataTasks(platform, documentsKey);
    await tasks['personalData.deleteLeft']?.({}, helpers);
    await work(signal);
  });
type Given = Pick<FixturesOf<typeof test>, 'database' | 'platform'>;

/** Words that stand in every text of a member, and nowhere else. */
const marks = (who: string) => ({
  text: `${who}Secret words`,
  email: `${who}@secret.example`,
  birthDate: who === 'gone' ? '1999-04-17' : '2000-02-03',
  ip: who === 'gone' ? '198.51.100.77' : '203.0.113.9',
});

/** A member with something in every table. */
async function fillMember({ database, platform }: Given, member: Member, other: Member, who: string) {
  const { text, email, birthDate, ip } = marks(who);
  const { accountId, profileId } = member;
  const picture = async (bucket: 'images' | 'messageFiles' | 'verificationFiles' = 'images') => {
    const id = await insertPicture(database, {
      ownerAccountId: accountId,
      bucket,
      name: text,
      alt: text,
      usedAt: new Date(),
      variants: bucket === 'verificationFiles' ? [] : [96],
    });
    const store =
      bucket === 'verificationFiles' ? encryptedStore(platform.files, documentsKey) : platform.files;
    await store.put(`${id}/original`, Buffer.from(`${who} picture ${bucket}`));
    if (bucket !== 'verificationFiles') await store.put(`${id}/96`, Buffer.from(`${who} small`));
    return id;
  };
  await database
    .update(accounts)
    .set({ email, name: text, phone: `+63917${String(Math.random()).slice(2, 9)}`, prefs: { text } })
    .where(eq(accounts.id, accountId));
  await database
    .update(profiles)
    .set({
      name: text,
      username: text,
      bio: text,
      education: text,
      hobby: text,
      workingAs: text,
      lookingFor: text,
      phoneNumber: text,
      birthDate,
      imageId: await picture(),
    })
    .where(eq(profiles.id, profileId));
  const visit = { ip, userAgent: text };
  await database.insert(sessions).values({
    id: newId(),
    accountId,
    secretHash: Buffer.from(newId()),
    expiresAt: new Date(Date.now() + 1e9),
    ...visit,
  });
  await database.insert(accountEvents).values({ id: newId(), accountId, event: 'session.create', ...visit });
  const postId = newId();
  const otherPost = newId();
  await database.insert(posts).values([
    {
      id: postId,
      creatorId: profileId,
      caption: text,
      location: text,
      tags: [text],
      imageId: await picture(),
    },
    { id: otherPost, creatorId: other.profileId, caption: 'Theirs', usedDp: true, totalLikes: 1 },
  ]);
  await database.insert(postLikes).values({ id: newId(), whoLiked: profileId, postId: otherPost });
  await database.insert(saves).values({ id: newId(), userId: profileId, postId: otherPost });
  await database
    .insert(friends)
    .values([
      { ownerId: profileId, friendId: other.profileId },
      { ownerId: other.profileId, friendId: profileId },
    ])
    .onConflictDoNothing();
  await database.insert(blocks).values({
    blockerId: (await insertMember(database)).profileId,
    blockedId: profileId,
    blockerName: 'Somebody',
    blockedName: text,
  });
  await database.insert(mutes).values({ muterId: other.profileId, mutedId: profileId });
  const snapshot = { title: '', text, imageUrl: null, createdAt: new Date().toISOString() };
  const report = { id: newId(), reporterId: other.profileId, memberId: profileId, recordId: profileId };
  await database.insert(reports).values({ ...report, kind: 'member', reason: 'spam', snapshot });
  await database.insert(verifications).values({
    id: newId(),
    userId: profileId,
    address: text,
    photoId: await picture('verificationFiles'),
    valid: true,
    acceptedAt: new Date(),
  });
  const sold = await insertPlan(database, member, { title: text, description: text, terms: text });
  await insertPlan(database, member, { title: text });
  const over = { paidAt: new Date(), acceptedAt: new Date(), userSetDoneAt: new Date() };
  const done = { ...over, adminSetDoneAt: new Date(), completedAt: new Date(), paidOutAt: new Date() };
  const parties = { creator: member, client: other, planId: sold };
  const interactionId = await insertInteraction(database, parties, done);
  await database.insert(payouts).values({
    interactionId,
    creatorId: profileId,
    amountCentavos: 250_00,
    state: 'paid',
    paidAt: new Date(),
  });
  await database.insert(payoutAttempts).values({
    interactionId,
    attempt: 1,
    idempotencyKey: newId(),
    destination: { number: '09171234567', name: text, bic: 'GXCHPHM2XXX' },
  });
  const receiptId = newId();
  await database.insert(receipts).values({
    id: receiptId,
    interactionId,
    creatorId: profileId,
    clientId: other.profileId,
    creatorAccountId: accountId,
    clientAccountId: other.accountId,
  });
  await database.transaction((transaction) =>
    openChat(transaction, {
      ...{ id: receiptId, kind: 'receipt', expiresAt: null, awaitsId: null },
      first: { id: profileId, accountId },
      second: { id: other.profileId, accountId: other.accountId },
    }),
  );
  const message = { chatId: receiptId, clientKey: 'key', firstCount: 0, secondCount: 0 };
  await database.insert(messages).values([
    { ...message, id: newId(), sequence: 1, userId: profileId, name: text, body: text },
    {
      ...message,
      id: newId(),
      sequence: 2,
      userId: profileId,
      clientKey: 'other',
      name: text,
      imageId: await picture('messageFiles'),
    },
    {
      ...message,
      id: newId(),
      sequence: 3,
      userId: other.profileId,
      name: 'Other',
      body: `Answer to ${who}`,
    },
  ]);
  const bought = await insertPlan(database, other);
  const asClient = await insertInteraction(
    database,
    { creator: other, client: member, planId: bought },
    done,
  );
  const reviewId = newId();
  await database.insert(reviews).values({
    id: reviewId,
    interactionId: asClient,
    creatorId: profileId,
    ownerId: other.profileId,
    planId: bought,
    caption: text,
    location: text,
    tags: [text],
    stars: 7,
  });
  await database.insert(reviewPhotos).values({ reviewId, position: 0, imageId: await picture() });
  await database.insert(reviewLikes).values({ id: newId(), whoLiked: profileId, reviewId });
  await database
    .insert(reviewComments)
    .values({ id: newId(), reviewId, creatorId: profileId, clientKey: 'key', body: text });
  await database.insert(auditLog).values({ actorAccountId: accountId, action: 'test', subject: 'profile:x' });
  return { interactionId, otherPost, receiptId };
}

/** Every text of the database that contains one of the words, as `table.column`. */
async function findWords({ database }: Pick<Given, 'database'>, words: readonly string[]): Promise<string[]> {
  const columns = await database.execute<{ table: string; column: string }>(sql`
    select relname as table, attname as column from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
      and format_type(atttypid, null) in ('text', 'text[]', 'jsonb', 'character varying', 'tsvector', 'date')`);
  const places: string[] = [];
  for (const { table, column } of columns) {
    const [{ count } = { count: 0 }] = await database.execute<{ count: number }>(sql`
      select count(*)::int as count from ${sql.identifier(table)}
      where ${sql.identifier(column)}::text ilike any(array[${sql.join(
        words.map((word) => sql`${`%${word}%`}::text`),
        sql`, `,
      )}])`);
    if (count > 0) places.push(`${table}.${column}`);
  }
  return places;
}

describe('deleting the account (§7-api-account-delete)', () => {
  test('hides the member from everybody like one who does not exist, and ends the sessions', async ({
    database,
    platform,
    server,
    newMember,
    leave,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    await fillMember({ database, platform }, member, other, 'hidden');
    platform.viewersChanged.length = 0;
    const { reply } = await leave(member);
    expect(Date.parse(reply.deletesAt) - Date.now()).toBeGreaterThan(accountDeletionDelayMs - 60_000);
    expect(await database.$count(sessions, eq(sessions.accountId, member.accountId))).toBe(0);
    expect(platform.viewersChanged).toEqual([member.accountId]);
    const profile = { params: { id: member.profileId } };
    expect((await server.call(other, profileCalls.get, profile)).problem.type).toBe('profile_not_found');
    const people = (await server.call(other, profileCalls.people)).reply.items.map(({ id }) => id);
    expect(people).not.toContain(member.profileId);
    const feed = (await server.call(other, postCalls.feed)).reply.items.map(({ creatorId }) => creatorId);
    expect(feed).not.toContain(member.profileId);
    expect((await server.call(other, planCalls.byCreator, profile)).problem.type).toBe('profile_not_found');
    // Who signs in again can do nothing but keep the account.
    expect((await server.call(member, postCalls.feed)).problem.type).toBe('account_leaving');
    // A second time it stays as it is.
    expect((await leave(member)).reply).toEqual(reply);
  });

  test('is undone by keeping it, also twice', async ({ server, newMember, leave }) => {
    const [member, other] = [await newMember('Cora Lim'), await newMember('Ben Reyes')];
    await leave(member);
    for (const _ of [1, 2]) expect((await server.call(member, personalData.keep)).status).toBe(200);
    expect((await server.call(member, postCalls.feed)).status).toBe(200);
    const profile = { params: { id: member.profileId } };
    expect((await server.call(other, profileCalls.get, profile)).reply.name).toBe('Cora Lim');
  });

  test.for([
    ['no password', {}, 400, { password: expect.any(String) }],
    ['an empty password', { password: '' }, 400, { password: 'Enter your password.' }],
    ['a wrong password', { password: 'not it' }, 401, { password: 'The password is not correct.' }],
    ['another field', { password, force: true }, 400, { force: expect.any(String) }],
  ] as const)(
    'with %s is refused and changes nothing',
    async ([_what, body, status, fields], { database, newMember, leave }) => {
      const member = await newMember();
      const answer = await leave(member, body);
      expect([answer.status, answer.problem.fields]).toEqual([status, fields]);
      const [account] = await database.select().from(accounts).where(eq(accounts.id, member.accountId));
      expect(account?.deletesAt).toBeNull();
    },
  );

  test('is for the member alone', async ({ server }) => {
    for (const call of [personalData.delete, personalData.keep, personalData.get, personalData.requestExport])
      expect((await server.call(null, call, { body: { password } })).status).toBe(401);
  });

  const paid = { paidAt: new Date() };
  const done = {
    ...paid,
    acceptedAt: new Date(),
    userSetDoneAt: new Date(),
    adminSetDoneAt: new Date(),
    completedAt: new Date(),
  };
  test.for([
    ['paid', 'client', paid],
    ['paid', 'creator', paid],
    ['ready', 'creator', { ...paid, acceptedAt: new Date() }],
    ['fulfilled', 'client', { ...paid, acceptedAt: new Date(), userSetDoneAt: new Date() }],
    ['completed and not paid out', 'creator', done],
    ['cancelled and not refunded', 'client', { ...paid, cancelledAt: new Date() }],
  ] as const)(
    'is refused while a request is %s, which is named, for the %s',
    async ([_state, side, state], { database, server, newMember, leave }) => {
      const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
      const [creator, client] = side === 'creator' ? [member, other] : [other, member];
      const planId = await insertPlan(database, creator);
      const id = await insertInteraction(database, { creator, client, planId }, state);
      const { problem } = await leave(member);
      expect([problem.type, problem.text]).toEqual([
        'account_requests_open',
        'finish them first: “Coffee in Makati” with Ben Reyes',
      ]);
      expect((await server.call(member, personalData.get)).reply.openRequests).toMatchObject([
        { id, planTitle: 'Coffee in Makati', otherName: 'Ben Reyes' },
      ]);
      expect((await server.call(member, postCalls.feed)).status).toBe(200);
      expect(await database.$count(interactions, eq(interactions.id, id))).toBe(1);
    },
  );

  test('cancels what holds no money, and closes its payment link', async ({
    database,
    platform,
    newMember,
    leave,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    const create = async (state: Partial<typeof interactions.$inferInsert>) =>
      insertInteraction(
        database,
        { creator: other, client: member, planId: await insertPlan(database, other) },
        state,
      );
    const unpaid = await create({});
    const free = await create({ priceCentavos: 0, paidAt: new Date(), acceptedAt: new Date() });
    const over = await create({ ...done, paidOutAt: new Date() });
    await platform.takeJobs();
    expect((await leave(member)).status).toBe(200);
    const stages = Object.fromEntries(
      (await database.select().from(interactions)).map(({ id, stage }) => [id, stage]),
    );
    expect([stages[unpaid], stages[free], stages[over]]).toEqual(['cancelled', 'cancelled', 'completed']);
    expect(await platform.jobs('payments.archiveLink')).toEqual([{ interactionId: unpaid }]);
  });

  test('after 14 days leaves nothing of the member but records of money, also when repeated and interrupted', async ({
    database,
    platform,
    server,
    newMember,
    leave,
    endDelay,
    deleteDue,
    work,
  }) => {
    const [member, other] = [await newMember('Gone Cruz'), await newMember('Stay Reyes')];
    const { interactionId, otherPost, receiptId } = await fillMember(
      { database, platform },
      member,
      other,
      'gone',
    );
    await fillMember({ database, platform }, other, member, 'stay');
    expect((await server.call(member, personalData.requestExport)).status).toBe(200);
    await work();
    const ownFiles = await database.$count(files, eq(files.ownerAccountId, member.accountId));
    expect(ownFiles).toBeGreaterThan(5);
    await leave(member);
    // Before its time nothing happens.
    await deleteDue();
    expect(await database.$count(files, eq(files.ownerAccountId, member.accountId))).toBe(ownFiles);
    await endDelay(member);
    expect((await server.call(member, personalData.keep)).problem.type).toBe('account_deletion_begun');
    // The server stops in the middle: after some of the statements.
    const stopping = new AbortController();
    let statements = 0;
    const signal = Object.assign(Object.create(stopping.signal), {
      throwIfAborted: () => {
        if (statements++ > 12) throw new Error('the server stops');
      },
    });
    await expect(deleteDue(signal)).rejects.toThrow('the server stops');
    await deleteDue();
    await deleteDue();

    expect(await findWords({ database }, Object.values(marks('gone')))).toEqual([]);
    const bytes = await Promise.all(
      platform.files.keys().map(async (key) => String(await platform.files.read(key))),
    );
    expect(bytes.filter((content) => content.includes('gone'))).toEqual([]);
    expect(platform.files.keys().filter((key) => key.startsWith('exports/'))).toEqual([]);
    expect(await database.$count(files, eq(files.ownerAccountId, member.accountId))).toBe(0);

    // What stays: money, and what others made.
    const [request] = await database.select().from(interactions).where(eq(interactions.id, interactionId));
    expect(request).toMatchObject({ stage: 'completed', priceCentavos: 250_00, creatorId: member.profileId });
    const [payout] = await database.select().from(payouts).where(eq(payouts.interactionId, interactionId));
    expect(payout).toMatchObject({ state: 'paid', amountCentavos: 250_00 });
    const written = await database
      .select({ name: messages.name, body: messages.body })
      .from(messages)
      .where(eq(messages.chatId, receiptId))
      .orderBy(messages.sequence);
    expect(written).toEqual([
      { name: deletedName, body: 'Deleted message' },
      { name: deletedName, body: 'Deleted message' },
      { name: 'Other', body: 'Answer to gone' },
    ]);
    // The ended requests are without the name, and with that of the other.
    const ended = await database
      .select({
        id: interactions.id,
        clientName: interactions.clientName,
        creatorName: interactions.creatorName,
      })
      .from(interactions)
      .where(or(eq(interactions.creatorId, member.profileId), eq(interactions.clientId, member.profileId)));
    expect(ended).toHaveLength(4);
    expect(ended).toContainEqual({ id: interactionId, clientName: 'Stay Reyes', creatorName: deletedName });
    for (const { clientName, creatorName } of ended) expect([clientName, creatorName]).toContain(deletedName);
    const [post] = await database.select().from(posts).where(eq(posts.id, otherPost));
    expect(post?.totalLikes).toBe(0);
    const words = await findWords({ database }, [marks('stay').text]);
    expect(words).toEqual(expect.arrayContaining(['profiles.name', 'posts.caption', 'plans.title']));

    // Nobody finds the empty profile, and the email is free again.
    const profile = { params: { id: member.profileId } };
    expect((await server.call(other, profileCalls.get, profile)).problem.type).toBe('profile_not_found');
    const people = (await server.call(other, profileCalls.people)).reply.items.map(({ id }) => id);
    expect(people).not.toContain(member.profileId);
    const [rest] = await database.select().from(plans).where(eq(plans.creatorId, member.profileId));
    expect((await server.call(other, planCalls.get, { params: { id: rest?.id ?? '' } })).problem.type).toBe(
      'plan_not_found',
    );
    await insertMember(database, { email: marks('gone').email });
  });

  test('waits while money is under way that came after the member left', async ({
    database,
    newMember,
    leave,
    endDelay,
    deleteDue,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    const planId = await insertPlan(database, other);
    const id = await insertInteraction(database, { creator: other, client: member, planId });
    await leave(member);
    await database.update(interactions).set({ paidAt: new Date() }).where(eq(interactions.id, id));
    await endDelay(member);
    await deleteDue();
    const read = async () =>
      (await database.select().from(accounts).where(eq(accounts.id, member.accountId)))[0];
    expect(await read()).toMatchObject({ deletedAt: null, name: 'Ana Cruz' });
    await database.update(interactions).set({ refundedAt: new Date() }).where(eq(interactions.id, id));
    await deleteDue();
    expect(await read()).toMatchObject({ deletedAt: expect.any(Date), deletesAt: null, name: '' });
  });
});

/** The entries of a zip: names with their bytes. */
async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return entries;
}

describe('the export of one’s own data', () => {
  test('has everything of the member and nothing of others, as JSON and pictures', async ({
    database,
    platform,
    server,
    newMember,
    work,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    await fillMember({ database, platform }, member, other, 'mine');
    await fillMember({ database, platform }, other, member, 'yours');
    const open = await insertInteraction(database, {
      creator: other,
      client: member,
      planId: await insertPlan(database, other),
    });
    await database.update(profiles).set({ name: 'Renamed' }).where(eq(profiles.id, other.profileId));
    const { reply } = await server.call(member, personalData.requestExport);
    expect(reply).toMatchObject({ expiresAt: null, sizeBytes: null });
    await work();
    expect(await platform.jobs('accounts.mail')).toHaveLength(1);
    const state = (await server.call(member, personalData.get)).reply;
    expect(state.latestExport).toMatchObject({ id: reply.id, sizeBytes: expect.any(Number) });
    const expiresInMs = Date.parse(state.latestExport?.expiresAt ?? '') - Date.now();
    expect(Math.abs(expiresInMs - exportLifetimeMs)).toBeLessThan(60_000);

    // Encrypted where it lies.
    const stored = String(await platform.files.read(`exports/${reply.id}`));
    expect(stored.startsWith('PK')).toBe(false);
    const { url } = (await server.call(member, personalData.prepareDownload, { body: { id: reply.id } }))
      .reply;
    const download = await server.request(member, { method: 'GET', url });
    expect(download.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="tara-data.zip"',
      'content-length': String(state.latestExport?.sizeBytes),
    });
    const entries = await readZip(download.rawPayload);
    const own = marks('mine');
    const rows = (table: string) => JSON.parse(String(entries.get(`${table}.json`)));
    expect(rows('accounts')).toMatchObject([{ email: own.email, name: own.text }]);
    expect(rows('profiles')).toMatchObject([{ bio: own.text, birth_date: '2000-02-03' }]);
    expect(rows('posts')).toContainEqual(
      expect.objectContaining({ caption: own.text, creator_name: own.text }),
    );
    const written: { body: string }[] = rows('messages');
    expect(written.map(({ body }) => body).sort()).toEqual(['', 'Answer to yours', own.text]);
    expect(rows('review_comments')).toMatchObject([{ body: own.text }]);
    expect(rows('verifications')).toMatchObject([{ address: own.text }]);
    const requests: { id: string; creator_name: string; client_name: string }[] = rows('interactions');
    expect(requests).toHaveLength(5);
    // Ended requests name people as they were called then, open ones as they are called.
    const partners = requests.map(({ id, creator_name, client_name }) => [
      id === open,
      [creator_name, client_name].filter((name) => name !== own.text),
    ]);
    expect(partners).toContainEqual([true, ['Renamed']]);
    expect(partners.filter(([isOpen]) => isOpen === false).flat(2)).not.toContain('Renamed');
    expect(rows('payouts')).toMatchObject([{ amount_centavos: 250_00 }]);
    expect(rows('friends')).toContainEqual(expect.objectContaining({ friend_name: 'Renamed' }));
    expect([...entries.keys()].filter((name) => /token|block|mute|audit/.test(name))).toEqual([]);
    const pictures = [...entries].filter(([name]) => name.startsWith('pictures/'));
    expect(new Set(pictures.map(([, bytes]) => String(bytes)))).toEqual(
      new Set(['mine picture images', 'mine picture messageFiles', 'mine picture verificationFiles', '']),
    );
    const all = [...entries.values()].map(String).join('\n');
    for (const secret of ['password_hash', 'secret_hash', marks('yours').email, 'Answer to mine'])
      expect(all, secret).not.toContain(secret);
  });

  test('can be requested once a day, and the refusal says when again', async ({
    database,
    platform,
    server,
    newMember,
  }) => {
    const member = await newMember();
    const answers = await Promise.all([1, 2].map(() => server.call(member, personalData.requestExport)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.problem.type, refused?.problem.text]).toEqual([
      'account_export_too_soon',
      'you can do it again in 24 hours',
    ]);
    expect((await server.call(member, personalData.get)).reply.nextExportAt).not.toBeNull();
    expect(await platform.jobs('personalData.export')).toHaveLength(1);
    await database
      .update(dataExports)
      .set({ createdAt: sql`now() - interval '25 hours'` })
      .where(eq(dataExports.accountId, member.accountId));
    expect((await server.call(member, personalData.requestExport)).status).toBe(200);
    await platform.takeJobs();
  });

  test('is its member’s alone, needs a recent password, and is removed after seven days', async ({
    database,
    platform,
    server,
    newMember,
    work,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    const refused = await server.call(withOldPassword(member), personalData.requestExport);
    expect(refused.problem.type).toBe('user_recent_password_required');
    const { id } = (await server.call(member, personalData.requestExport)).reply;
    const get = (who: Member | null) => server.call(who, personalData.download, { params: { id } });
    expect((await get(member)).problem.type).toBe('account_export_not_found');
    await work();
    await platform.takeJobs();
    expect((await get(member)).status).toBe(200);
    expect((await get(null)).status).toBe(401);
    expect((await get(other)).problem.type).toBe('account_export_not_found');
    expect((await get(withOldPassword(member))).problem.type).toBe('user_recent_password_required');
    const prepared = await server.call(other, personalData.prepareDownload, { body: { id } });
    expect(prepared.problem.type).toBe('account_export_not_found');
    const bad = await server.call(member, personalData.prepareDownload, { body: { id: '../x' } });
    expect([bad.status, Object.keys(bad.problem.fields ?? {})]).toEqual([400, ['id']]);

    await database
      .update(dataExports)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(dataExports.id, id));
    expect((await get(member)).problem.type).toBe('account_export_not_found');
    await personalDataTasks(platform, documentsKey)['personalData.removeExports']?.({}, helpers);
    expect(await platform.files.exists(`exports/${id}`)).toBe(false);
    expect((await server.call(member, personalData.get)).reply.latestExport).toBeNull();
  });

  test('a changed file breaks off instead of being delivered whole', async ({
    platform,
    server,
    newMember,
    work,
  }) => {
    const member = await newMember();
    const { id } = (await server.call(member, personalData.requestExport)).reply;
    await work();
    await platform.takeJobs();
    const stored = Buffer.from(await platform.files.read(`exports/${id}`));
    stored[10] = (stored[10] ?? 0) ^ 1;
    await platform.files.put(`exports/${id}`, stored);
    await expect(
      server.request(member, { method: 'GET', url: personalData.download.path.replace(':id', id) }),
    ).rejects.toThrow();
  });
});
