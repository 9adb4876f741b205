import { account } from '@tara/contract/accounts/accounts';
import { verification } from '@tara/contract/members/verification';
import { receipts } from '@tara/contract/messages/receipts';
import { admin } from '@tara/contract/money/confirmations';
import { plans } from '@tara/contract/plans/plans';
import { reviews } from '@tara/contract/plans/reviews';
import { posts } from '@tara/contract/posts/posts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  acceptRequest,
  acceptVerifications,
  confirmEmail,
  confirmFulfilled,
  createPlan,
  createPost,
  createReview,
  makeAdmin,
  markDone,
  newPerson,
  openChat,
  payRequest,
  readProfile,
  readRequest,
  sendMessage,
  sendRequest,
  sendVerification,
  signUp,
} from './steps.ts';
import { openTara, type Tara } from './tara.ts';

let tara: Tara;
beforeAll(async () => {
  tara = await openTara();
}, 60_000);
afterAll(() => tara.remove());

/** Polls until the condition holds, because jobs run after the reply. */
const soon = { timeout: 120_000, interval: 200 };

test('nothing acknowledged is lost by kill -9 after any step of the journey (§4, threat-lost-data, threat-lost-answers)', {
  timeout: 600_000,
}, async () => {
  const [ana, ben, boss] = [newPerson(tara, 'Ana'), newPerson(tara, 'Ben'), newPerson(tara, 'Boss')];
  const ids = { post: '', plan: '', request: '', chat: '', review: '', ana: '' };

  const steps: Array<[name: string, act: () => Promise<unknown>, holds: () => Promise<unknown>]> = [
    [
      'sign up',
      async () => {
        for (const person of [ana, ben, boss]) await signUp(tara, person);
      },
      async () => expect((await readProfile(ana)).name).toBe('Ana'),
    ],
    [
      'confirm the email',
      async () => {
        for (const person of [ana, ben, boss]) await confirmEmail(tara, person);
      },
      async () => expect((await ben.client.call(account.get)).emailVerification).toBe(true),
    ],
    [
      'post',
      async () => {
        ids.post = await createPost(ana, 'First morning in Moalboal');
        ids.ana = (await readProfile(ana)).id;
      },
      async () => expect((await ben.client.call(posts.feed, { query: {} })).items[0]?.id).toBe(ids.post),
    ],
    [
      'like',
      () => ben.client.call(posts.like, { body: { postId: ids.post, totalLikes: 1 } }),
      async () =>
        expect(await ben.client.call(posts.get, { params: { id: ids.post } })).toMatchObject({
          totalLikes: 1,
          liked: true,
        }),
    ],
    [
      'ask to be verified',
      async () => {
        await sendVerification(ana, 1);
        await sendVerification(ben, 2);
        await makeAdmin(tara, boss);
      },
      () =>
        vi.waitFor(
          async () =>
            expect((await boss.client.call(verification.pending, { query: {} })).items).toHaveLength(2),
          soon,
        ),
    ],
    [
      'verify',
      () => acceptVerifications(boss),
      async () => expect((await readProfile(ana)).verified).toBe(true),
    ],
    [
      'publish a plan',
      async () => {
        ids.plan = await createPlan(ana, 'Island hopping');
      },
      async () => {
        const { items } = await ben.client.call(plans.byCreator, { params: { id: ids.ana }, query: {} });
        expect(items).toHaveLength(1);
      },
    ],
    [
      'send a request',
      async () => {
        ids.request = await sendRequest(ben, ids.plan);
      },
      () =>
        vi.waitFor(async () => expect((await readRequest(ben, ids.request)).checkoutUrl).toBeTruthy(), soon),
    ],
    [
      'pay',
      () => payRequest(ben, ids.request),
      () => vi.waitFor(async () => expect((await readRequest(ana, ids.request)).paid).toBe(true), soon),
    ],
    [
      'accept',
      () => acceptRequest(ana, ids.request),
      async () => expect((await readRequest(ben, ids.request)).accepted).toBe(true),
    ],
    [
      'open the chat',
      async () => {
        ids.chat = await openChat(ana, ids.request);
      },
      async () => {
        const { receipt } = await ben.client.call(receipts.receipt, { params: { id: ids.chat }, query: {} });
        expect(receipt.interactionId).toBe(ids.request);
      },
    ],
    [
      'write',
      async () => {
        await sendMessage(ana, ids.chat, 'See you at the pier');
        await sendMessage(ben, ids.chat, 'On my way');
      },
      async () => {
        const { messages } = await ana.client.call(receipts.receipt, { params: { id: ids.chat }, query: {} });
        const written = messages.items.filter(({ admin }) => !admin);
        expect(written.map(({ body }) => body).toSorted()).toEqual(['On my way', 'See you at the pier']);
      },
    ],
    [
      'fulfil',
      () => markDone(ben, ids.request),
      async () => expect((await boss.client.call(admin.awaitingPlans, { query: {} })).items).toHaveLength(1),
    ],
    [
      'confirm',
      () => confirmFulfilled(boss, ids.request),
      () =>
        vi.waitFor(async () => {
          const { money, completed } = await readRequest(ana, ids.request);
          expect({ state: money.state, amount: money.amount, completed }).toEqual({
            state: 'paid_out',
            amount: 750,
            completed: true,
          });
        }, soon),
    ],
    [
      'review',
      async () => {
        ids.review = await createReview(ben, ids.request);
      },
      async () => {
        const { items } = await ana.client.call(reviews.byOwner, { params: { id: ids.ana }, query: {} });
        expect(items).toEqual([expect.objectContaining({ id: ids.review, stars: 9 })]);
      },
    ],
  ];

  for (const [name, act, holds] of steps) {
    await act();
    await tara.kill();
    await tara.start();
    await holds().catch((error: unknown) => {
      throw new Error(`after '${name}' and kill -9`, { cause: error });
    });
  }
});
