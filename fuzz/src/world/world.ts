import { account, accounts } from '@tara/contract/accounts/accounts';
import { interactions } from '@tara/contract/interactions/interactions';
import { eachAboutText, profiles } from '@tara/contract/members/profiles';
import { verification } from '@tara/contract/members/verification';
import { conversations } from '@tara/contract/messages/conversations';
import { receipts } from '@tara/contract/messages/receipts';
import { admin } from '@tara/contract/money/confirmations';
import { plans } from '@tara/contract/plans/plans';
import { reviews } from '@tara/contract/plans/reviews';
import { posts } from '@tara/contract/posts/posts';
import { Client } from '@tara/e2e/src/client.ts';
import { linkInMail, payByCard, waitFor } from '@tara/e2e/src/outside.ts';
import { setUpSecondFactor } from '@tara/e2e/src/second-factor.ts';
import type { Connection } from '@tara/server/platform/database/connect';
import { pictureBytes } from '@tara/server/testing/features/pictures';
import type { ActorName } from '../inputs/input.ts';
import { type Actor, guest, password, spareEmail } from './actors.ts';
import { type Bystander, openBystander } from './bystander.ts';
import { Pools } from './pools.ts';

export interface World {
  actors: readonly Actor[];
  pools: Pools;
  bystander: Bystander;
}

type MemberName = Exclude<ActorName, 'guest'>;

/** Private data of each member. */
const own: Record<MemberName | 'bystander', { birthDate: string; phoneNumber: string; address: string }> = {
  member: { birthDate: '1991-07-03', phoneNumber: '09171112223', address: '31 Sampaguita Street, Cebu City' },
  other: { birthDate: '1992-08-04', phoneNumber: '09172223334', address: '32 Ilang-Ilang Street, Davao' },
  party: { birthDate: '1993-09-05', phoneNumber: '09173334445', address: '33 Rosal Street, Iloilo City' },
  admin: { birthDate: '1994-10-06', phoneNumber: '09174445556', address: '34 Gumamela Street, Manila' },
  bystander: { birthDate: '1995-11-07', phoneNumber: '09175556667', address: '35 Rosas Street, Baguio' },
};

const emailOf = (name: MemberName | 'bystander') => `private.${name}@fuzz.test`;

interface Person<Name = MemberName> {
  name: Name;
  client: Client;
  accountId: string;
  profileId: string;
}

/** A member with a confirmed email. */
async function join<Name extends MemberName | 'bystander'>(
  url: string,
  { sql }: Pick<Connection, 'sql'>,
  name: Name,
): Promise<Person<Name>> {
  const client = new Client(url);
  const email = emailOf(name);
  const consent = { isAdult: true, acceptsTerms: true };
  // Names that pass for Tara's own are reserved.
  const word = name === 'admin' ? 'boss' : name;
  const { id } = await client.call(accounts.signUp, {
    body: { email, password, name: `Fuzzer ${word}`, username: `fuzz ${word}`, ...consent },
  });
  // What `npm run admin grant` does; before the first sign-in, so that no cache holds another viewer.
  if (name === 'admin') await sql`update accounts set labels = '{admin}' where id = ${id}`;
  await client.call(account.createEmailSession, { body: { email, password } });
  await client.call(account.createVerification, { body: { url: `${url}/confirming` } });
  const { searchParams } = await linkInMail({ url }, email, '/confirming');
  const [userId = '', secret = ''] = ['userId', 'secret'].map((key) => searchParams.get(key) ?? '');
  await client.call(account.confirmVerification, { body: { userId, secret } });
  if (name === 'admin') await setUpSecondFactor(client);
  const { profile } = await client.call(accounts.session);
  const { birthDate, phoneNumber } = own[name];
  await client.call(profiles.updateAbout, {
    body: {
      ...eachAboutText(() => ''),
      bio: 'kape',
      lookingFor: 'friends',
      birthDate,
      phoneNumber,
    },
  });
  return { name, client, accountId: id, profileId: profile.id };
}

/** Sends by header, not by cookie, so that one connection may carry everybody's requests. */
function actorOf(url: string, { sql }: Pick<Connection, 'sql'>, { name, accountId }: Person): Actor {
  const { birthDate, phoneNumber, address } = own[name];
  const email = emailOf(name);
  const actor: Actor = {
    name,
    session: null,
    owner: { accountId, privateTexts: [email, birthDate, phoneNumber, address], admin: name === 'admin' },
    renew: async () => {
      // An input may have changed it.
      await sql`update accounts set password_hash = spare.password_hash
        from accounts spare where spare.email = ${spareEmail} and accounts.id = ${accountId}`;
      const { secret } = await new Client(url).call(account.createEmailSession, {
        body: { email, password },
      });
      // What a code does; before the first call, so that no cache holds another viewer.
      await sql`update sessions set second_factor_shown_at = now() where account_id = ${accountId}`;
      actor.session = secret;
    },
  };
  return actor;
}

interface Setting {
  pools: Pools;
  picture: Buffer;
}

async function uploads({ name, client }: Person, { pools, picture }: Setting): Promise<void> {
  for (const bucket of [
    'images',
    'images',
    'images',
    'messageFiles',
    'verificationFiles',
    'verificationFiles',
    'verificationFiles',
  ] as const) {
    const stored = await client.upload(bucket, picture);
    pools.learn('files.create', name, stored);
  }
}

async function askForVerification({ name, client }: Person, { picture }: Setting): Promise<void> {
  const [front, back, photo] = await Promise.all(
    [1, 2, 3].map(() => client.upload('verificationFiles', picture)),
  );
  await client.call(verification.send, {
    body: {
      idFrontId: front?.$id ?? '',
      idBackId: back?.$id ?? '',
      photoId: photo?.$id ?? '',
      address: own[name].address,
    },
  });
}

/** Requests of the party for plans of the member: unpaid, accepted, paid with a chat, fulfilled, and reviewed. */
async function requests(people: Record<MemberName, Person>, { pools, picture }: Setting): Promise<void> {
  const { member, party, admin: adminPerson } = people;
  const publish = async (price: number) => {
    const { $id } = await member.client.upload('images', picture);
    const plan = await member.client.call(plans.create, {
      body: {
        title: `Hop ${price}`,
        desc: 'Islands',
        time: '6-9 am',
        price,
        terms: 'Meet in a public place, be kind.',
        imageId: $id,
      },
    });
    pools.add('plans', plan.id);
    return plan.id;
  };
  const request = async (price: number) => {
    const { id } = await party.client.call(interactions.createInteraction, {
      body: { planId: await publish(price) },
    });
    pools.add('interactions', id);
    return id;
  };
  const read = (id: string) => party.client.call(interactions.interaction, { params: { id } });
  const accept = (id: string) =>
    member.client.call(interactions.acceptRequest, { body: { interactionId: id } });
  const openChat = async (id: string) => {
    const receipt = await party.client.call(receipts.createConversationReceipt, {
      body: { interactionId: id },
    });
    pools.add('receipts', receipt.id);
    for (const { name, client } of [party, member]) {
      await client.call(receipts.sendMessage, {
        body: { conversation: receipt.id, message: 'See you', clientKey: `hello ${name}` },
      });
    }
  };

  const unpaid = await request(500);
  await accept(await request(0));
  const paid = await request(750);
  const fulfilled = await request(0);
  const done = await request(0);
  await waitFor('checkout', async () => (await read(unpaid)).checkoutUrl);
  await payByCard(await waitFor('second checkout', async () => (await read(paid)).checkoutUrl));
  await waitFor('payment', async () => {
    const { paid: isPaid } = await party.client.call(interactions.checkPayment, {
      body: { interactionId: paid },
    });
    return isPaid;
  });
  for (const id of [paid, fulfilled, done]) {
    await accept(id);
    await openChat(id);
  }
  for (const id of [fulfilled, done])
    await party.client.call(interactions.markDone, { body: { interactionId: id } });
  await adminPerson.client.call(admin.confirmPlans, { body: { interactionId: done } });
  const review = await party.client.call(reviews.create, {
    body: { interactionId: done, caption: 'A day to remember', location: 'Cebu', stars: 9 },
  });
  pools.add('reviews', review.id);
  const { comment } = await member.client.call(reviews.createComment, {
    body: { reviewId: review.id, body: 'Come again', clientKey: 'first comment' },
  });
  pools.add('comments', comment.id);
}

/** A conversation of two who have a plan together, and a message request of a stranger. */
async function beginConversations(people: Record<MemberName, Person>, pools: Pools): Promise<void> {
  const { member, party, other } = people;
  for (const [first, second] of [
    [party, member],
    [other, member],
  ] as const) {
    const conversation = await first.client.call(conversations.createConversation, {
      body: { creator1: first.profileId, creator2: second.profileId },
    });
    pools.learn('conversations.createConversation', first.name, conversation);
    const message = await first.client.call(conversations.sendMessage, {
      body: { convoId: conversation.id, body: 'Kumusta', clientKey: `hello ${first.name}` },
    });
    pools.learn('conversations.sendMessage', first.name, message);
  }
}

/** A member with a post, of whom no input knows. */
async function joinBystander(port: number, connection: Pick<Connection, 'sql'>): Promise<Bystander> {
  const url = `http://localhost:${port}`;
  const { client, profileId } = await join(url, connection, 'bystander');
  const { id: postId } = await client.call(posts.quick, { body: { caption: 'First' } });
  const credentials = { email: emailOf('bystander'), password };
  const signIn = async () =>
    (await new Client(url).call(account.createEmailSession, { body: credentials })).secret;
  return openBystander({ port, signIn, postId, profileId });
}

/** Creates the test data through the API: four members, posts, plans, and requests in every stage. */
export async function makeWorld(port: number, connection: Pick<Connection, 'sql'>): Promise<World> {
  const url = `http://localhost:${port}`;
  const pools = new Pools(url, (name) => own[name === 'guest' ? 'other' : name]);
  const setting: Setting = { pools, picture: await pictureBytes({ width: 64, height: 48 }) };
  const names: MemberName[] = ['member', 'other', 'party', 'admin'];
  const joined = await Promise.all(names.map((name) => join(url, connection, name)));
  const people = Object.fromEntries(joined.map((person) => [person.name, person])) as Record<
    MemberName,
    Person
  >;
  await new Client(url).call(account.create, {
    body: { userId: 'unique()', email: spareEmail, password, name: 'Spare', username: 'spare' },
  });

  const addRecords = async (person: Person) => {
    pools.add('profiles', person.profileId);
    pools.add('accounts', person.accountId);
    await uploads(person, setting);
    const { id } = await person.client.call(posts.quick, { body: { caption: 'First' } });
    pools.add('posts', id);
    if (person.name !== 'admin') await askForVerification(person, setting);
  };
  await Promise.all(joined.map(addRecords));
  const { items } = await people.admin.client.call(verification.pending, { query: {} });
  for (const { id, creator } of items) {
    // The request of `other` waits on.
    if (creator.id === people.other.profileId) continue;
    await people.admin.client.call(verification.accept, { body: { id } });
  }
  await requests(people, setting);
  await beginConversations(people, pools);
  pools.learn(
    'verification.pending',
    'admin',
    await people.admin.client.call(verification.pending, { query: {} }),
  );

  const actors = [guest, ...joined.map((person) => actorOf(url, connection, person))];
  for (const actor of actors) await actor.renew();
  return { actors, pools, bystander: await joinBystander(port, connection) };
}
