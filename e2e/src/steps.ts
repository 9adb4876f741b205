import { account, accounts } from '@tara/contract/accounts/accounts';
import { interactions } from '@tara/contract/interactions/interactions';
import { eachAboutText, profiles } from '@tara/contract/members/profiles';
import { verification } from '@tara/contract/members/verification';
import { receipts } from '@tara/contract/messages/receipts';
import { admin as adminCalls } from '@tara/contract/money/confirmations';
import { plans } from '@tara/contract/plans/plans';
import { reviews } from '@tara/contract/plans/reviews';
import { posts } from '@tara/contract/posts/posts';
import { Client } from './client.ts';
import { linkInMail, payByCard, waitFor } from './outside.ts';
import { smallPhoto } from './photos.ts';
import { setUpSecondFactor } from './second-factor.ts';
import type { Tara } from './tara.ts';

/** The steps of the journey as API calls: the crash test makes each of them, browser specs begin from what they leave. */

/** The password of everyone that `signUp` makes. */
export const password = 'kape at pandesal 7';

/** Someone with a session. */
export interface Person {
  client: Client;
  name: string;
  email: string;
}

/** Signs in with an existing account. */
export async function signIn(url: string, email: string, secret: string): Promise<Person> {
  const client = new Client(url);
  await client.call(account.createEmailSession, { body: { email, password: secret } });
  const { name } = (await client.call(accounts.session)).profile;
  return { client, name, email };
}

/** Someone without an account; the name has to be unique on the server. */
export const newPerson = ({ url }: Pick<Tara, 'url'>, name: string): Person => ({
  client: new Client(url),
  name,
  email: `${name.replace(/ /g, '.').toLowerCase()}@e2e.test`,
});

/** Makes the account with a session, and has the confirmation mailed. */
export async function signUp({ url }: Pick<Tara, 'url'>, { client, name, email }: Person): Promise<void> {
  const username = name.slice(0, 15);
  const consent = { isAdult: true, acceptsTerms: true };
  await client.call(accounts.signUp, { body: { email, password, name, username, ...consent } });
  await client.call(account.createEmailSession, { body: { email, password } });
  const confirming = `${url}/confirming?username=${encodeURIComponent(username)}`;
  await client.call(account.createVerification, { body: { url: confirming } });
}

export async function confirmEmail(tara: Pick<Tara, 'url'>, { client, email }: Person): Promise<void> {
  const link = await linkInMail(tara, email, '/confirming');
  const [userId = '', secret = ''] = ['userId', 'secret'].map((key) => link.searchParams.get(key) ?? '');
  await client.call(account.confirmVerification, { body: { userId, secret } });
}

/** Makes somebody with a confirmed email an admin with a second factor. */
export async function makeAdmin(tara: Pick<Tara, 'admin'>, { client, email }: Person): Promise<void> {
  await tara.admin('grant', email);
  await setUpSecondFactor(client);
}

export const readProfile = async ({ client }: Person) => (await client.call(accounts.session)).profile;

/** Posts a picture and returns its id. */
export async function createPost({ client }: Person, caption: string): Promise<string> {
  const image = await client.upload('images', await smallPhoto(1));
  const body = { caption, imageId: image.$id, alt: 'The sea', location: 'Cebu', tags: 'sea, dive' };
  return (await client.call(posts.create, { body })).id;
}

const about = {
  ...eachAboutText(() => ''),
  birthDate: '1995-06-15',
  phoneNumber: '',
};

/** Sends three pictures and an address for the identity check; an admin accepts nobody without a birth date. */
export async function sendVerification({ client }: Person, seed: number): Promise<void> {
  await client.call(profiles.updateAbout, { body: about });
  const [front, back, face] = await Promise.all(
    [1, 2, 3].map(async (index) => client.upload('verificationFiles', await smallPhoto(seed * 10 + index))),
  );
  await client.call(verification.send, {
    body: {
      idFrontId: front?.$id ?? '',
      idBackId: back?.$id ?? '',
      photoId: face?.$id ?? '',
      address: '12 Mabini Street, Cebu City',
    },
  });
}

/** Accepts all waiting identity checks. */
export async function acceptVerifications({ client }: Person): Promise<void> {
  const { items } = await client.call(verification.pending, { query: {} });
  for (const { id } of items) await client.call(verification.accept, { body: { id } });
}

/** Offers a plan, for 750 pesos unless given, and returns its id; the creator needs a phone number for it. */
export async function createPlan({ client }: Person, title: string, price = 750): Promise<string> {
  await client.call(profiles.updateAbout, { body: { ...about, phoneNumber: '09171234567' } });
  const cover = await client.upload('images', await smallPhoto(2));
  const body = {
    title,
    desc: 'Three islands',
    time: '6am-4pm',
    price,
    terms: 'Meet in a public place, be kind, be on time.',
    imageId: cover.$id,
  };
  return (await client.call(plans.create, { body })).id;
}

/** Requests a plan and returns the request's id. */
export const sendRequest = async ({ client }: Person, planId: string): Promise<string> =>
  (await client.call(interactions.createInteraction, { body: { planId } })).id;

export const readRequest = ({ client }: Person, id: string) =>
  client.call(interactions.interaction, { params: { id } });

/** Pays as the client; the payment is booked by a job shortly after. */
export async function payRequest(client: Person, id: string): Promise<void> {
  await payByCard(await waitFor('checkout', async () => (await readRequest(client, id)).checkoutUrl));
}

export const acceptRequest = ({ client }: Person, interactionId: string) =>
  client.call(interactions.acceptRequest, { body: { interactionId } });

/** Opens the chat of an accepted request and returns its id. */
export const openChat = async ({ client }: Person, interactionId: string): Promise<string> =>
  (await client.call(receipts.createConversationReceipt, { body: { interactionId } })).id;

export const sendMessage = ({ client }: Person, conversation: string, message: string) =>
  client.call(receipts.sendMessage, {
    body: { conversation, message, clientKey: `key-${conversation}-${message}`.slice(0, 64) },
  });

export const markDone = ({ client }: Person, interactionId: string) =>
  client.call(interactions.markDone, { body: { interactionId } });

export const confirmFulfilled = ({ client }: Person, interactionId: string) =>
  client.call(adminCalls.confirmPlans, { body: { interactionId } });

/** Reviews a confirmed request and returns the review's id. */
export async function createReview({ client }: Person, interactionId: string): Promise<string> {
  const image = await client.upload('images', await smallPhoto(3));
  const words = { caption: 'A day to remember', location: 'Mactan' };
  const body = { interactionId, ...words, stars: 9, imageIds: [image.$id] };
  return (await client.call(reviews.create, { body })).id;
}

const stages = ['offered', 'requested', 'paid', 'accepted', 'chatting', 'fulfilled', 'confirmed'] as const;

interface Parties {
  creator: Person;
  client: Person;
  admin: Person;
}

/** A plan and a request of `client` for it, taken to a stage by the calls of its parties. Ids of later stages are empty. */
export async function reachStage(
  { creator, client, admin }: Parties,
  stage: (typeof stages)[number],
  title = 'Island hopping',
): Promise<{ planId: string; requestId: string; chatId: string }> {
  const ids = { planId: '', requestId: '', chatId: '' };
  const steps: Record<(typeof stages)[number], () => Promise<unknown>> = {
    offered: async () => {
      ids.planId = await createPlan(creator, title);
    },
    requested: async () => {
      ids.requestId = await sendRequest(client, ids.planId);
      await waitFor('checkout', async () => (await readRequest(client, ids.requestId)).checkoutUrl);
    },
    paid: async () => {
      await payRequest(client, ids.requestId);
      await waitFor('payment', async () => (await readRequest(client, ids.requestId)).paid);
    },
    accepted: () => acceptRequest(creator, ids.requestId),
    chatting: async () => {
      ids.chatId = await openChat(creator, ids.requestId);
    },
    fulfilled: () => markDone(client, ids.requestId),
    confirmed: () => confirmFulfilled(admin, ids.requestId),
  };
  for (const name of stages.slice(0, stages.indexOf(stage) + 1)) await steps[name]();
  return ids;
}
