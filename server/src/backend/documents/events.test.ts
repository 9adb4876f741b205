import { isDeepStrictEqual } from 'node:util';
import { nowDate } from '@tara/contract/clock';
import { type CollectionId, collectionIds, type Document } from '@tara/contract/wire/documents';
import { eq } from 'drizzle-orm';
import { afterEach, expect } from 'vitest';
import { profiles } from '../../features/profiles/index.ts';
import { decideReport } from '../../features/reports/decide.ts';
import { reports } from '../../features/reports/tables.ts';
import {
  announceRemovedComment,
  announceRemovedReview,
  removeComment,
  removeReview,
} from '../../features/reviews/index.ts';
import { newId } from '../../platform/ids.ts';
import { friendlyOrigin } from '../../testing/backend/backend.ts';
import { openBrowser } from '../../testing/backend/browser.ts';
import { documentsTest, type SdkDatabases, withoutTokens } from '../../testing/backend/documents.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { confirmed } from '../../testing/features/reviews.ts';
import { addMember, type TestMember } from '../../testing/features/sessions.ts';

const browsers = new Set<{ close(): void }>();
afterEach(() => {
  for (const browser of browsers) browser.close();
  browsers.clear();
});

/** What comes of an SDK is of a context of its own. */
const own = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

const names = ['appwrite-13', 'appwrite-24', 'appwrite-27'] as const;

/** A member who listens to everything by an unmodified SDK and keeps the newest event of each document. */
function listen(name: (typeof names)[number], url: string, { secret }: TestMember) {
  const browser = openBrowser(name, { origin: friendlyOrigin });
  browsers.add(browser);
  browser.cookies.set('a_session_tara', secret);
  const client = new browser.sdk.Client().setEndpoint(`${url}/v1`).setProject('tara');
  client.setEndpointRealtime(`${url.replace('http', 'ws')}/v1`);
  const databases = new browser.sdk.Databases(client as never) as unknown as SdkDatabases;
  const newest = new Map<string, Document>();
  const gone = new Map<string, Document>();
  client.subscribe(['documents'], ({ events, payload }: { events: string[]; payload: unknown }) => {
    const document = own(payload) as Document;
    const received = events[0]?.endsWith('.delete') ? gone : newest;
    received.set(`${document.$collectionId} ${document.$id}`, document);
  });
  return {
    name,
    newest,
    gone,
    get: async (collection: string, id: string) => own(await databases.getDocument('tara', collection, id)),
    create: async (collection: CollectionId, data: object): Promise<Document> =>
      own(await databases.createDocument('tara', collection, 'unique()', data)),
    update: async (collection: CollectionId, id: string, data: object): Promise<Document> =>
      own(await databases.updateDocument('tara', collection, id, data)),
    delete: (collection: CollectionId, id: string) => databases.deleteDocument('tara', collection, id),
  };
}
type Listener = ReturnType<typeof listen>;

/** Names of the attributes that differ, but for the tokens of pictures. */
const differences = (event: Partial<Document>, document: Document) =>
  [...new Set([...Object.keys(event), ...Object.keys(document)])].filter(
    (name) => !isDeepStrictEqual(event[name], document[name]),
  );

const test = documentsTest();

test('an event has the document that getDocument answers its listener, of a deleted one as before, in all collections and generations (§7-realtime-conversation, §7-realtime-receipt, §7-realtime-chats)', async ({
  backend,
  connection,
  database,
  ana,
  ben,
  cora,
}) => {
  const admin = await addMember(connection, { labels: ['admin'] });
  for (const { profileId } of [ana, ben, cora]) {
    const isVerified = { verified: true, birthDate: '1995-06-15' };
    await database
      .update(profiles)
      .set(profileId === cora.profileId ? { birthDate: '1995-06-15' } : isVerified)
      .where(eq(profiles.id, profileId));
  }
  const listeners = { ana: listenAs(ana), ben: listenAs(ben), cora: listenAs(cora), admin: listenAs(admin) };
  function listenAs(member: TestMember): Listener[] {
    return names.map((name) => listen(name, backend.url, member));
  }
  const all = Object.values(listeners).flat();
  const [asAna, asBen, asCora] = [listeners.ana[2], listeners.ben[2], listeners.cora[2]];
  const asAdmin = listeners.admin[2];
  if (!asAna || !asBen || !asCora || !asAdmin) throw new Error('An SDK is missing.');
  // Each is connected once it receives an event.
  await expect
    .poll(
      async () => {
        await asAna.update('users', ana.profileId, { bio: `At ${performance.now()}` });
        return all.filter(({ newest }) => newest.size === 0).map(({ name }) => name);
      },
      { timeout: 30_000, interval: 200 },
    )
    .toEqual([]);

  const seen = new Set<string>();
  /** Those who listen have the document as each of them reads it, and nobody else has it. */
  const expectEvents = async (collection: CollectionId, id: string, who: readonly Listener[]) => {
    seen.add(collection);
    for (const listener of who) {
      await expect
        .poll(
          async () => {
            const document = await listener.get(collection, id);
            return differences(
              withoutTokens(listener.newest.get(`${collection} ${id}`) ?? {}),
              withoutTokens(document),
            );
          },
          { timeout: 20_000, message: `${collection} by ${listener.name}` },
        )
        .toEqual([]);
    }
    const others = all.filter((listener) => !who.includes(listener));
    for (const { newest } of others) expect(newest.has(`${collection} ${id}`)).toBe(false);
  };
  const both = [...listeners.ana, ...listeners.ben];

  await expectEvents('users', ana.profileId, all);
  const post = await asAna.create('posts', { caption: 'Hello', tags: ['sea'] });
  await expectEvents('posts', post.$id, all);
  const like = await asBen.create('likedPosts', { postId: post.$id });
  await expectEvents('likedPosts', like.$id, listeners.ben);
  await expectEvents('posts', post.$id, all);
  const save = await asBen.create('saves', { postId: post.$id });
  await expectEvents('saves', save.$id, listeners.ben);

  const imageId = await insertPicture(database, { ownerAccountId: ana.accountId });
  const terms = 'We meet in a public place and share the bill.';
  const plan = await asAna.create('plans', {
    title: 'Coffee',
    desc: '',
    time: '3 pm',
    price: 250,
    terms,
    imageId,
  });
  await expectEvents('plans', plan.$id, all);
  const request = await asBen.create('planInteractions', { planId: plan.$id });
  await expectEvents('planInteractions', request.$id, both);
  await asAna.update('planInteractions', request.$id, { accepted: true });
  await expectEvents('planInteractions', request.$id, both);
  await expectEvents('friendLists', ana.profileId, listeners.ana);
  await expectEvents('friendLists', ben.profileId, listeners.ben);

  const planId = await insertPlan(database, ana);
  const parties = { creator: ana, client: ben, planId };
  const now = nowDate();
  const interactionId = await insertInteraction(database, parties, {
    paidAt: now,
    acceptedAt: now,
    dayStartsAt: now,
  });
  const receipt = await asBen.create('conversationReceipts', { interactionId });
  await expectEvents('conversationReceipts', receipt.$id, both);
  const note = await asBen.create('chatReceipts', { conversationReceiptId: receipt.$id, body: 'On my way' });
  await expectEvents('chatReceipts', note.$id, both);

  const conversation = await asAna.create('conversations', { creators: [ana.profileId, ben.profileId] });
  await expectEvents('conversations', conversation.$id, both);
  const message = await asBen.create('chats', { convoId: conversation.$id, body: 'Hi' });
  await expectEvents('chats', message.$id, both);
  await asBen.update('chats', message.$id, { body: 'message unsent' });
  await expectEvents('chats', message.$id, both);
  await expectEvents('conversationOwners', ana.profileId, listeners.ana);

  const checked = () =>
    insertPicture(database, { ownerAccountId: cora.accountId, bucket: 'verificationFiles', variants: [] });
  const verification = await asCora.create('verifying', {
    ...{ idFrontId: await checked(), idBackId: await checked(), photoId: await checked() },
    address: '1 Mabini Street, Cebu',
  });
  await expectEvents('verifying', verification.$id, [...listeners.cora, ...listeners.admin]);

  const reviewed = await insertInteraction(database, parties, confirmed);
  const review = await asBen.create('reviews', {
    interactionId: reviewed,
    imageIds: [await insertPicture(database, { ownerAccountId: ben.accountId })],
    caption: 'A lovely hour.',
    location: '',
    stars: 9,
  });
  await expectEvents('reviews', review.$id, all);
  const comment = await asCora.create('reviewComments', { reviewId: review.$id, body: 'Nice' });
  await expectEvents('reviewComments', comment.$id, all);
  const reviewLike = await asAna.create('likedReviews', { reviewId: review.$id });
  await expectEvents('likedReviews', reviewLike.$id, listeners.ana);
  await expectEvents('reviews', review.$id, all);
  expect(collectionIds.filter((id) => !seen.has(id))).toEqual([]);

  /** A document without what other records than itself say of its creator, which may have changed with its end. */
  const lasting = (document: Partial<Document> = {}) => ({
    ...withoutTokens(document),
    creator: Object(document.creator).$id,
  });
  /** Those who could read it have its last state, and nobody else has it. */
  const expectGone = async (
    collection: CollectionId,
    id: string,
    who: readonly Listener[],
    remove: () => Promise<unknown>,
  ) => {
    const key = `${collection} ${id}`;
    const before = await Promise.all(who.map((listener) => listener.get(collection, id)));
    await remove();
    for (const [index, { name, gone }] of who.entries()) {
      await expect.poll(() => gone.has(key), { timeout: 20_000, message: `${key} by ${name}` }).toBe(true);
      expect(lasting(gone.get(key))).toEqual(lasting(before[index]));
    }
    for (const { gone, name } of all.filter((listener) => !who.includes(listener)))
      expect(gone.has(key), name).toBe(false);
  };
  await expectGone('likedPosts', like.$id, listeners.ben, () => asBen.delete('likedPosts', like.$id));
  await expectGone('saves', save.$id, listeners.ben, () => asBen.delete('saves', save.$id));
  await expectGone('posts', post.$id, all, () => asAna.delete('posts', post.$id));
  await expectGone('likedReviews', reviewLike.$id, listeners.ana, () =>
    asAna.delete('likedReviews', reviewLike.$id),
  );
  await expectGone('reviewComments', comment.$id, all, () => asCora.delete('reviewComments', comment.$id));
  const second = await asCora.create('reviewComments', { reviewId: review.$id, body: 'Spam' });
  await expectGone('reviewComments', second.$id, all, async () => {
    const removed = await database.transaction((transaction) => removeComment(transaction, second.$id));
    if (removed) announceRemovedComment(backend.platform.bus, removed);
  });
  // With the new number of its comments.
  await expectEvents('reviews', review.$id, all);
  await expectGone('reviews', review.$id, all, async () => {
    const removed = await database.transaction((transaction) => removeReview(transaction, review.$id));
    if (removed) announceRemovedReview(backend.platform.bus, removed);
  });
  const report = { id: newId(), reporterId: ben.profileId, kind: 'plan', recordId: plan.$id } as const;
  const snapshot = { title: '', text: '', imageUrl: null, createdAt: nowDate().toISOString() };
  await database
    .insert(reports)
    .values({ ...report, memberId: ana.profileId, reason: 'spam', snapshot, decision: null });
  await expectGone('plans', plan.$id, all, () =>
    decideReport(
      backend.platform,
      { ...admin, labels: ['admin'] } as never,
      { id: report.id, decision: 'remove', note: '' } as never,
    ),
  );
  await expectGone('verifying', verification.$id, [...listeners.cora, ...listeners.admin], () =>
    asAdmin.delete('verifying', verification.$id),
  );
});
