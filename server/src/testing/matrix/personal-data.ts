import { personalData } from '@tara/contract/accounts/personal-data';
import { nowDate, nowMs } from '@tara/contract/clock';
import { eachAboutText } from '@tara/contract/members/profiles';
import { drawFraction } from '@tara/contract/random';
import { eq, sql } from 'drizzle-orm';
import {
  accountEvents,
  accountLimits,
  accounts,
  identities,
  sessions,
} from '../../features/accounts/index.ts';
import { hashPassword } from '../../features/accounts/password.ts';
import { auditLog } from '../../features/audit/index.ts';
import { devices } from '../../features/devices/index.ts';
import { disputeMessages, disputes } from '../../features/disputes/index.ts';
import { messages, openChat } from '../../features/messages/index.ts';
import { attempts, capturedPayments, disbursements } from '../../features/payments/index.ts';
import { personalDataRoutes, personalDataTasks } from '../../features/personal-data/index.ts';
import { planPhotos, planRoutes } from '../../features/plans/index.ts';
import { postLikes, postRoutes, posts, saves } from '../../features/posts/index.ts';
import { friends, profileRoutes, profiles } from '../../features/profiles/index.ts';
import { publicLinks } from '../../features/public-links/index.ts';
import { receipts } from '../../features/receipts/index.ts';
import { reports } from '../../features/reports/index.ts';
import { reviewComments, reviewLikes, reviewPhotos, reviews } from '../../features/reviews/index.ts';
import { verifications } from '../../features/verification/index.ts';
import { blocks, mutes } from '../../features/visibility/index.ts';
import { encryptedStore } from '../../platform/files/encrypted.ts';
import { newId } from '../../platform/ids.ts';
import { quietLog } from '../../platform/log.ts';
import { insertInteraction, insertPlan } from '../features/interactions.ts';
import { insertMember, type Member } from '../features/members.ts';
import { insertPicture } from '../features/pictures.ts';
import { testBrowser } from '../push-service.ts';
import { type FixturesOf, serverTest } from '../test.ts';

export const password = 'a long password';
export const documentsKey = Buffer.alloc(32, 3);
export const helpers = { log: quietLog(), attempt: 1, maxAttempts: 1, signal: new AbortController().signal };

export const test = serverTest((app, platform) => {
  personalDataRoutes(app, platform, accountLimits(false));
  profileRoutes(app, platform);
  postRoutes(app, platform);
  planRoutes(app, platform);
})
  .extend('newMember', { scope: 'file' }, ({ database }) => async (name = 'Ana Cruz') => {
    const member = await insertMember(database, { name, username: name.toLowerCase(), verified: true });
    await database
      .update(accounts)
      .set({ passwordHash: await hashPassword(password, {}) })
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

/** Words that are in every text of a member, and nowhere else. */
export const marks = (who: string) => ({
  text: `${who}Secret words`,
  email: `${who}@secret.example`,
  birthDate: who === 'gone' ? '1999-04-17' : '2000-02-03',
  ip: who === 'gone' ? '198.51.100.77' : '203.0.113.9',
});

/** A member with something in every table. */
export async function fillMember({ database, platform }: Given, member: Member, other: Member, who: string) {
  const { text, email, birthDate, ip } = marks(who);
  const { accountId, profileId } = member;
  const picture = async (bucket: 'images' | 'messageFiles' | 'verificationFiles' = 'images') => {
    const id = await insertPicture(database, {
      ownerAccountId: accountId,
      bucket,
      name: text,
      alt: text,
      usedAt: nowDate(),
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
    .set({ email, name: text, phone: `+63917${String(drawFraction()).slice(2, 9)}`, prefs: { text } })
    .where(eq(accounts.id, accountId));
  await database
    .update(profiles)
    .set({
      name: text,
      username: text,
      ...eachAboutText(() => text),
      phoneNumber: text,
      birthDate,
      imageId: await picture(),
    })
    .where(eq(profiles.id, profileId));
  const visit = { ip, userAgent: text };
  const sessionId = newId();
  await database.insert(sessions).values({
    id: sessionId,
    accountId,
    secretHash: Buffer.from(newId()),
    expiresAt: new Date(nowMs() + 1e9),
    ...visit,
  });
  const { target } = testBrowser(`https://fcm.googleapis.com/fcm/send/${newId()}`);
  await database.insert(devices).values({ id: newId(), accountId, sessionId, ...target, userAgent: text });
  await database.insert(identities).values({
    id: newId(),
    accountId,
    provider: 'oidc',
    issuer: 'https://id.example',
    providerUid: `${who} uid`,
    providerEmail: email,
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
    { id: otherPost, creatorId: other.profileId, caption: 'Theirs', usedDp: true },
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
  const snapshot = { title: '', text, imageUrl: null, createdAt: nowDate().toISOString() };
  const report = { id: newId(), reporterId: other.profileId, memberId: profileId, recordId: profileId };
  await database.insert(reports).values({ ...report, kind: 'member', reason: 'spam', snapshot });
  await database.insert(verifications).values({
    id: newId(),
    userId: profileId,
    address: text,
    photoId: await picture('verificationFiles'),
    valid: true,
    acceptedAt: nowDate(),
  });
  const sold = await insertPlan(database, member, {
    title: text,
    description: text,
    place: text,
    terms: text,
  });
  await database.insert(planPhotos).values({ planId: sold, position: 0, imageId: await picture() });
  await database.insert(publicLinks).values([
    { id: newId(), profileId },
    { id: newId(), profileId, planId: sold },
  ]);
  await insertPlan(database, member, { title: text });
  const over = { paidAt: nowDate(), acceptedAt: nowDate(), userSetDoneAt: nowDate() };
  const done = { ...over, adminSetDoneAt: nowDate(), completedAt: nowDate(), paidOutAt: nowDate() };
  const parties = { creator: member, client: other, planId: sold };
  const interactionId = await insertInteraction(database, parties, done);
  const paymentId = newId();
  await database.insert(capturedPayments).values({ id: paymentId, interactionId, amountCentavos: 250_00 });
  const disbursementId = newId();
  await database.insert(disbursements).values({
    ...{ id: disbursementId, interactionId, paymentId, recipientId: profileId, amountCentavos: 250_00 },
    ...{ purpose: 'payout', way: 'transfer', state: 'arrived', arrivedAt: nowDate() },
  });
  await database.insert(attempts).values({
    ...{ disbursementId, number: 1, way: 'transfer', key: newId(), amountCentavos: 250_00 },
    ...{ state: 'arrived', endedAt: nowDate() },
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
  const sentAt = nowDate();
  await database.insert(disputes).values([
    { interactionId, reason: 'absent', story: 'Their story', answer: text, answeredAt: sentAt },
    { interactionId: asClient, reason: 'absent', story: text, answer: 'Their answer', answeredAt: sentAt },
  ]);
  const added = { interactionId: asClient, position: 0, sentAt };
  await database.insert(disputeMessages).values([
    { ...added, messageId: newId(), profileId, body: text },
    { ...added, messageId: newId(), profileId: other.profileId, body: `Added for ${who}` },
  ]);
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
  return { interactionId, asClient, otherPost, receiptId };
}

/** Every text of the database that contains one of the words, as `table.column`. */
export async function findWords(
  { database }: Pick<Given, 'database'>,
  words: readonly string[],
): Promise<string[]> {
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
