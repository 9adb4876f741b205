import { account, accounts } from '@tara/contract/accounts';
import { admin, interactions } from '@tara/contract/interactions';
import { plans } from '@tara/contract/plans';
import { posts } from '@tara/contract/posts';
import { profiles } from '@tara/contract/profiles';
import { receipts } from '@tara/contract/receipts';
import { reviews } from '@tara/contract/reviews';
import { verification } from '@tara/contract/verification';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Client } from './client.ts';
import { linkInMail, payByCard } from './outside.ts';
import { photo } from './photos.ts';
import { openTara, type Tara } from './tara.ts';

let tara: Tara;
beforeAll(async () => {
  tara = await openTara();
}, 60_000);
afterAll(() => tara.remove());

const password = 'kape at pandesal 7';
const about = {
  bio: '',
  gender: '',
  lookingFor: '',
  hobby: '',
  workingAs: '',
  education: '',
  birthDate: '2001-05-04',
};

async function signUp(client: Client, name: string): Promise<string> {
  const email = `${name.toLowerCase()}@crash.test`;
  await client.call(account.create, { body: { userId: 'unique()', email, password, name, username: name } });
  await client.call(account.createEmailSession, { body: { email, password } });
  const url = `${tara.url}/confirming?username=${name}`;
  await client.call(account.createVerification, { body: { url } });
  return email;
}

async function confirmEmail(client: Client, email: string): Promise<void> {
  const link = await linkInMail(tara, email, '/confirming');
  const userId = link.searchParams.get('userId') ?? '';
  await client.call(account.confirmVerification, {
    body: { userId, secret: link.searchParams.get('secret') ?? '' },
  });
}

async function askToBeVerified(client: Client, seed: number): Promise<void> {
  const [front, back, face] = await Promise.all(
    [1, 2, 3].map(async (index) => client.upload('verificationFiles', await photo(seed * 10 + index))),
  );
  const body = {
    idFrontId: front?.$id ?? '',
    idBackId: back?.$id ?? '',
    photoId: face?.$id ?? '',
    address: '12 Mabini Street, Cebu City',
  };
  await client.call(verification.send, { body });
}

/** Polls until the condition holds, because jobs run after the reply. */
const soon = { timeout: 60_000, interval: 200 };

test('nothing acknowledged is lost by kill -9 after any step of the journey (§4)', {
  timeout: 600_000,
}, async () => {
  const ana = new Client(tara.url);
  const ben = new Client(tara.url);
  const adminClient = new Client(tara.url);
  const ids = { post: '', plan: '', request: '', receipt: '', review: '', ana: '' };
  const mails: Record<string, string> = {};

  const steps: Array<[name: string, act: () => Promise<unknown>, holds: () => Promise<unknown>]> = [
    [
      'sign up',
      async () => {
        mails.ana = await signUp(ana, 'Ana');
        mails.ben = await signUp(ben, 'Ben');
        mails.admin = await signUp(adminClient, 'Boss');
      },
      async () => expect((await ana.call(accounts.session)).profile.name).toBe('Ana'),
    ],
    [
      'confirm the email',
      async () => {
        await confirmEmail(ana, mails.ana ?? '');
        await confirmEmail(ben, mails.ben ?? '');
        await confirmEmail(adminClient, mails.admin ?? '');
      },
      async () => expect((await ben.call(account.get)).emailVerification).toBe(true),
    ],
    [
      'post',
      async () => {
        const image = await ana.upload('images', await photo(1));
        const body = {
          caption: 'First morning in Moalboal',
          imageId: image.$id,
          alt: 'The sea',
          location: 'Cebu',
          tags: 'sea, dive',
        };
        ids.post = (await ana.call(posts.create, { body })).id;
        ids.ana = (await ana.call(accounts.session)).profile.id;
      },
      async () => expect((await ben.call(posts.feed, { query: {} })).items[0]?.id).toBe(ids.post),
    ],
    [
      'like',
      () => ben.call(posts.like, { body: { postId: ids.post, totalLikes: 1 } }),
      async () =>
        expect(await ben.call(posts.get, { params: { id: ids.post } })).toMatchObject({
          totalLikes: 1,
          liked: true,
        }),
    ],
    [
      'ask to be verified',
      async () => {
        await askToBeVerified(ana, 1);
        await askToBeVerified(ben, 2);
        await tara.admin('grant', mails.admin ?? '');
      },
      () =>
        vi.waitFor(
          async () =>
            expect((await adminClient.call(verification.pending, { query: {} })).items).toHaveLength(2),
          soon,
        ),
    ],
    [
      'verify',
      async () => {
        for (const { id } of (await adminClient.call(verification.pending, { query: {} })).items) {
          await adminClient.call(verification.accept, { body: { id } });
        }
      },
      async () => expect((await ana.call(accounts.session)).profile.verified).toBe(true),
    ],
    [
      'publish a plan',
      async () => {
        await ana.call(profiles.updateAbout, { body: { ...about, phoneNumber: '09171234567' } });
        const cover = await ana.upload('images', await photo(2));
        const terms = 'Meet in a public place, be kind, be on time.';
        const body = {
          title: 'Island hopping',
          desc: 'Three islands',
          time: '6am-4pm',
          price: 750,
          terms,
          imageId: cover.$id,
        };
        ids.plan = (await ana.call(plans.create, { body })).id;
      },
      async () =>
        expect((await ben.call(plans.byCreator, { params: { id: ids.ana }, query: {} })).items).toHaveLength(
          1,
        ),
    ],
    [
      'send a request',
      async () => {
        ids.request = (await ben.call(interactions.createInteraction, { body: { planId: ids.plan } })).id;
      },
      () =>
        vi.waitFor(
          async () =>
            expect(
              (await ben.call(interactions.interaction, { params: { id: ids.request } })).checkoutUrl,
            ).toBeTruthy(),
          soon,
        ),
    ],
    [
      'pay',
      async () => {
        const { checkoutUrl } = await ben.call(interactions.interaction, { params: { id: ids.request } });
        await payByCard(checkoutUrl ?? '');
      },
      () =>
        vi.waitFor(
          async () =>
            expect((await ana.call(interactions.interaction, { params: { id: ids.request } })).paid).toBe(
              true,
            ),
          soon,
        ),
    ],
    [
      'accept',
      () => ana.call(interactions.acceptRequest, { body: { interactionId: ids.request } }),
      async () =>
        expect((await ben.call(interactions.interaction, { params: { id: ids.request } })).accepted).toBe(
          true,
        ),
    ],
    [
      'open the chat',
      async () => {
        ids.receipt = (
          await ana.call(receipts.createConversationReceipt, { body: { interactionId: ids.request } })
        ).id;
      },
      async () =>
        expect(
          (await ben.call(receipts.receipt, { params: { id: ids.receipt }, query: {} })).receipt
            .interactionId,
        ).toBe(ids.request),
    ],
    [
      'write',
      async () => {
        const say = (client: Client, message: string) =>
          client.call(receipts.sendMessage, {
            body: { conversation: ids.receipt, message, clientKey: `key-${message}` },
          });
        await say(ana, 'See you at the pier');
        await say(ben, 'On my way');
      },
      async () => {
        const { messages } = await ana.call(receipts.receipt, { params: { id: ids.receipt }, query: {} });
        expect(messages.items.map(({ body }) => body).toSorted()).toEqual([
          'On my way',
          'See you at the pier',
        ]);
      },
    ],
    [
      'fulfil',
      () => ben.call(interactions.markDone, { body: { interactionId: ids.request } }),
      async () => expect((await adminClient.call(admin.awaitingPlans, { query: {} })).items).toHaveLength(1),
    ],
    [
      'confirm',
      () => adminClient.call(admin.confirmPlans, { body: { interactionId: ids.request } }),
      () =>
        vi.waitFor(async () => {
          const { money, completed } = await ana.call(interactions.interaction, {
            params: { id: ids.request },
          });
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
        const image = await ben.upload('images', await photo(3));
        const body = {
          interactionId: ids.request,
          caption: 'A day to remember',
          location: 'Mactan',
          stars: 9,
          imageId: image.$id,
        };
        ids.review = (await ben.call(reviews.create, { body })).id;
      },
      async () => {
        const { items } = await ana.call(reviews.byOwner, { params: { id: ids.ana }, query: {} });
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
