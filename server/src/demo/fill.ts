import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { account, accounts as accountCalls } from '@tara/contract/accounts/accounts';
import { secondFactor } from '@tara/contract/accounts/second-factor';
import { profiles } from '@tara/contract/members/profiles';
import { reports } from '@tara/contract/members/reports';
import { verification } from '@tara/contract/members/verification';
import { posts } from '@tara/contract/posts/posts';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import { accounts, demoPassword, setAdmin } from '../features/accounts/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type Ages, setAges } from './ages.ts';
import { type Client, openClient, remoteAddress, signIn, until } from './client.ts';
import { fillConversations } from './conversations.ts';
import { fillRequests, publishPlans, readEndedChats } from './plans.ts';
import world from './world.json' with { type: 'json' };

export interface DemoContext extends Pick<Platform, 'config' | 'database' | 'log'> {
  /** The server of this process, which listens already: payments and mails go their usual way. */
  app: FastifyInstance;
  /** The newest mail to an address, from the mailbox that replaces a mail server. */
  latestMail(address: string): { id: string; text: string } | undefined;
}

type Member = (typeof world.members)[number];
/** Someone of the demo world with a session. */
export interface Person {
  key: string;
  email: string;
  profileId: string;
  client: Client;
}
/** The people by their key in `world.json`. */
export type People = (key: string) => Person;

/**
 * Fills an empty database with the demo world: its members sign up and do by calls what they would do in a browser, the
 * payment sandbox is paid, jobs run, an admin decides; then one pass sets the ages. Does nothing where anybody else has
 * an account. What a start that was cut off left undone is done by the next one.
 */
export async function fillDemoWorld(context: DemoContext): Promise<void> {
  const { config, database, log } = context;
  const file = join(config.dataDir, 'demo.json');
  const isEmpty = (await database.$count(accounts)) === 0;
  const journal = isEmpty ? await beginJournal(file) : await findJournal(file);
  if (journal === null) return;
  log.info('creating the demo world: the sign-in page offers its accounts as they come');
  const everyone = await Promise.all(world.members.map((_, index) => joinTara(context, journal, index)));
  const people: People = (key) => {
    const person = everyone.find((member) => member.key === key);
    if (!person) throw new Error(`The demo world has no member ${key}.`);
    return person;
  };
  await verifyMembers(journal, people);
  const [postIds, { planIds, requestIds }] = await Promise.all([
    publishPosts(journal, people, everyone),
    publishPlans(journal, people).then(async (planIds) => ({
      planIds,
      requestIds: await fillRequests(context, journal, people, planIds),
    })),
  ]);
  await reportPost(journal, people, postIds[4] ?? '');
  // After the plans: a paid request between two members changes whether their chat expires.
  const conversationIds = await fillConversations(journal, people);
  await readEndedChats(journal, people, requestIds);
  await setAges(database, demoAges({ everyone, postIds, planIds, requestIds, conversationIds }));
  await Promise.all(everyone.map(({ client }) => endOwnSessions(client)));
  await journal.close();
  log.info('the demo world is filled');
}

async function joinTara(context: DemoContext, { once }: Journal, index: number): Promise<Person> {
  const { app, database } = context;
  const member = world.members[index] as Member;
  const { key, name, identity, lookingFor, bio, city, hobby, education, gender, birthDate, workingAs } =
    member;
  const email = `${key}@demo.tara`;
  await once(`account ${key}`, async () => {
    const consent = { isAdult: true, acceptsTerms: true };
    const body = { email, password: demoPassword, name, username: key, ...consent };
    await openClient(app).attempt(accountCalls.signUp, { body }, 'user_already_exists');
    // Before the email is confirmed: no account of the demo world can act unmarked, and production refuses marked ones.
    await database.update(accounts).set({ demo: true }).where(eq(accounts.email, email));
    if (index === 0) await setAdmin(database, email, true);
  });
  const client = await signIn(app, email, demoPassword);
  await once(`email ${key}`, () => confirmEmail(context, client, email));
  if (index === 0) await showSecondFactor(client, email);
  await once(`profile ${key}`, async () => {
    const phoneNumber = identity === 'verified' ? `0917555${1000 + index}` : '';
    const body = { bio, city, hobby, education, lookingFor, gender, birthDate, workingAs, phoneNumber };
    await client.call(profiles.updateAbout, { body });
    const imageId = await client.upload('images', `portrait-${key}`);
    await client.call(profiles.updatePicture, { body: { imageId } });
  });
  const { profile } = await client.call(accountCalls.session);
  return { key, email, profileId: profile.id, client };
}

/** Sets up the admin’s second factor; after a start that was cut off, shows it by the code of the sign-in page. */
async function showSecondFactor(client: Client, email: string): Promise<void> {
  const { account: own } = await client.call(accountCalls.session);
  if (own.secondFactor?.isSetUp) {
    const code = await until('a new code of the admin', async () => {
      const { accounts: offered } = await client.call(accountCalls.demo);
      return offered.find((one) => one.email === email)?.code;
    });
    await client.call(secondFactor.confirm, { body: { code } });
    return;
  }
  const { secret, setup } = await client.call(secondFactor.begin);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await client.call(secondFactor.setUp, { body: { setup, code } });
}

/** Ends the sessions of this script, also of a start that was cut off; those of people who look around already stay. */
async function endOwnSessions(client: Client): Promise<void> {
  const { sessions } = await client.call(account.listSessions);
  const own = sessions.filter(({ ip }) => ip === remoteAddress);
  // Its present one last: nothing can be called after it.
  own.sort((a, b) => Number(a.current) - Number(b.current));
  for (const { $id: sessionId } of own) await client.call(account.deleteSession, { params: { sessionId } });
}

/** Opens the link of the mail, as its receiver would. */
async function confirmEmail(
  { config, latestMail }: DemoContext,
  client: Client,
  email: string,
): Promise<void> {
  const before = latestMail(email)?.id;
  const body = { url: `${config.publicUrl}/confirming` };
  const sent = await client.attempt(account.createVerification, { body }, 'user_email_already_verified');
  if (sent === null) return;
  const mail = await until(`the mail to ${email}`, () => {
    const latest = latestMail(email);
    return latest?.id === before ? null : latest;
  });
  const link = new URL(/^http\S+$/m.exec(mail.text)?.[0] ?? '');
  const secret = link.searchParams.get('secret') ?? '';
  await client.call(account.confirmVerification, { body: { userId: sent.userId, secret } });
}

/** Everybody whose identity is not `none` sends the request; the admin accepts all but those that shall wait. */
async function verifyMembers({ once }: Journal, people: People): Promise<void> {
  const applicants = world.members.filter(({ identity }) => identity !== 'none');
  await Promise.all(
    applicants.map(({ key }, index) =>
      once(`verification ${key}`, async () => {
        const { client } = people(key);
        const upload = (picture: string) => client.upload('verificationFiles', picture);
        const idFrontId = await upload(`id-front-${key}`);
        const idBackId = await upload('id-back');
        const photoId = await upload(`portrait-${key}`);
        const address = `${11 + index} Sampaguita Street, Quezon City`;
        const body = { idFrontId, idBackId, photoId, address };
        await client.attempt(verification.send, { body }, 'verification_already_sent');
      }),
    ),
  );
  await once('verifications accepted', async () => {
    const { client } = people('tala');
    const accepted = applicants
      .filter(({ identity }) => identity === 'verified')
      .map(({ key }) => people(key));
    const { items } = await client.call(verification.pending);
    for (const { id, userId } of items) {
      if (!accepted.some(({ profileId }) => profileId === userId)) continue;
      await client.call(verification.accept, { body: { id } });
    }
  });
}

/** About half of the others like each post, and one of them saves it. Returns the ids, newest first. */
function publishPosts({ once }: Journal, people: People, everyone: readonly Person[]): Promise<string[]> {
  return Promise.all(
    world.posts.map(async ({ by, picture, ...form }, index) => {
      const { client } = people(by);
      const postId = await once(`post ${index}`, async () => {
        const imageId = await client.upload('images', picture);
        return (await client.call(posts.create, { body: { ...form, imageId } })).id;
      });
      await once(`likes of post ${index}`, async () => {
        const fans = everyone.filter(({ key }, other) => key !== by && (other * 5 + index * 3) % 9 < 5);
        for (const fan of fans) await fan.client.call(posts.like, { body: { postId } });
        await fans[0]?.client.attempt(posts.save, { body: { postId } }, 'post_already_saved');
      });
      return postId;
    }),
  );
}

/** One report, so that the admin has one to decide. */
async function reportPost({ once }: Journal, people: People, recordId: string): Promise<void> {
  await once('report', async () => {
    const detail = 'This is my photo. Please ask before you use it.';
    const body = { kind: 'post', recordId, reason: 'other', detail } as const;
    await people('ana').client.attempt(reports.create, { body }, 'report_already_sent');
  });
}

interface Filled {
  everyone: Person[];
  postIds: string[];
  planIds: string[];
  requestIds: string[];
  conversationIds: string[];
}

/** Members in the order in which they joined; posts are 7 hours apart, plans a day. */
function demoAges({ everyone, postIds, planIds, requestIds, conversationIds }: Filled): Ages {
  const joinedHours = (index: number) => (60 - index * 3) * 24;
  return {
    members: everyone.map(({ profileId: id }, index) => ({
      id,
      joinedHours: joinedHours(index),
      seenHours: index * 5 + 1,
    })),
    verifications: everyone.map(({ profileId, key }, index) => {
      const waits = world.members.some((member) => member.key === key && member.identity === 'waiting');
      return { profileId, hours: waits ? (10 - index) * 24 + 3 : joinedHours(index) - 24 };
    }),
    posts: postIds.map((id, index) => ({ id, hours: index * 7 + 0.4 })),
    plans: planIds.map((id, index) => ({ id, hours: (20 - index) * 24 + index })),
    requests: requestIds.map((id, index) => ({ id, hours: (world.requests[index]?.days ?? 0) * 24 + 0.9 })),
    conversations: conversationIds.map((id, index) => ({
      id,
      hours: world.conversations[index]?.hours ?? 0,
    })),
  };
}

/** Which steps are done, each with its result, on disk: a start that was cut off is continued by the next one. */
export interface Journal {
  /** Does a step that is not done yet; returns its result where that is an id. A step that fails is not done. */
  once(step: string, work: () => Promise<unknown>): Promise<string>;
  /** Removes the file, once all steps are done. */
  close(): Promise<void>;
}

const Steps = z.record(z.string(), z.string());

/** Opens the journal in `file`; null when there is none. */
async function findJournal(file: string): Promise<Journal | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : createJournal(file, Steps.parse(JSON.parse(text)));
}

/** Begins a journal in `file`. */
async function beginJournal(file: string): Promise<Journal> {
  await writeFile(file, '{}');
  return createJournal(file, {});
}

function createJournal(file: string, steps: z.infer<typeof Steps>): Journal {
  let written = Promise.resolve();
  return {
    async once(step, work) {
      const stored = steps[step];
      if (stored !== undefined) return stored;
      const answer = await work();
      const result = typeof answer === 'string' ? answer : '';
      steps[step] = result;
      written = written.then(async () => {
        await writeFile(`${file}.new`, JSON.stringify(steps));
        await rename(`${file}.new`, file);
      });
      await written;
      return result;
    },
    close: () => rm(file, { force: true }),
  };
}
