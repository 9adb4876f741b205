import { personalData } from '@tara/contract/accounts/personal-data';
import { nowDate, nowMs } from '@tara/contract/clock';
import { eachAboutText } from '@tara/contract/members/profiles';
import type { CollectionId } from '@tara/contract/wire/documents';
import { signDelivery } from '@tara/paymongo';
import { Secret, TOTP } from 'otpauth';
import type { interactions } from '../../features/interactions/index.ts';
import { unsubscribeToken } from '../../features/notifications/unsubscribe.ts';
import { newId, newReferenceNumber } from '../../platform/ids.ts';
import type { schedule, TaskName, tasks } from '../../platform/tasks.ts';
import { insertCapture } from '../features/captures.ts';
import { insertConversation } from '../features/conversations.ts';
import { insertInteraction, insertPlan } from '../features/interactions.ts';
import { insertPicture } from '../features/pictures.ts';
import type { TestMember } from '../features/sessions.ts';
import { testBrowser } from '../push-service.ts';
import { idOf } from './fill.ts';
import { password, type World } from './world.ts';

/** How a call is made: once and again, each time with something of its own where it changes something. */
export interface Sample {
  /** Null: a guest. Without, the caller that its access asks for. */
  who?: TestMember | null;
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: object;
  /** A body that is not JSON, with its headers. */
  payload?: { bytes: Buffer; headers: Record<string, string> };
  /** A refusal that is the most that can be had here. */
  status?: number;
}

export type SampleMaker = (world: World, attempt: number) => Sample | Promise<Sample>;

const hourMs = 3_600_000;
const inDays = (days: number) => new Date(nowMs() + days * 24 * hourMs).toISOString();
const ago = (hours: number) => new Date(nowMs() - hours * hourMs);
const price = 250_00;

type State = Partial<typeof interactions.$inferInsert>;
const isPaid: State = { paidAt: ago(40) };
const isReady: State = { ...isPaid, acceptedAt: ago(30), dayStartsAt: ago(20) };
const isFulfilled: State = { ...isReady, userSetDoneAt: ago(10) };
const isCompleted: State = {
  ...isFulfilled,
  adminSetDoneAt: ago(9),
  completedAt: ago(9),
  releasedCentavos: price,
};

/** A new request of `other` for a plan of `me`, whose payment is held when it is paid. */
async function request({ database, me, other }: World, state: State = {}, client = other): Promise<string> {
  const planId = await insertPlan(database, me);
  const parties = { creator: me, client, planId };
  const id = await insertInteraction(database, parties, { referenceNumber: newReferenceNumber(), ...state });
  if (state.paidAt) await insertCapture(database, id, price);
  return id;
}
const onRequest =
  (state: State, more: object = {}, by: 'me' | 'other' | 'admin' = 'other'): SampleMaker =>
  async (world) => ({ who: world[by], body: { interactionId: await request(world, state), ...more } });

const upload = ({ database }: World, who: TestMember, bucket: 'images' | 'verificationFiles' = 'images') =>
  insertPicture(database, {
    ownerAccountId: who.accountId,
    bucket,
    variants: bucket === 'images' ? [96, 320] : [],
  });

/** A picture as a browser's form sends it. */
async function form({ picture }: World): Promise<NonNullable<Sample['payload']>> {
  const fields = new FormData();
  fields.append('fileId', 'unique()');
  fields.append('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'sea.jpg');
  const sent = new Request('http://localhost', { method: 'POST', body: fields });
  const headers = { 'content-type': sent.headers.get('content-type') ?? '' };
  return { bytes: Buffer.from(await sent.arrayBuffer()), headers };
}

/** What a call of the world answers, for the preparation of another. */
async function call(
  world: World,
  who: TestMember | null,
  method: 'POST' | 'GET',
  url: string,
  body?: object,
) {
  const reply = await world.server.request(who, { method, url, ...(body ? { payload: body } : {}) });
  if (reply.statusCode >= 400) throw new Error(`${url}: ${reply.body}`);
  return reply.json();
}
const subscription = () => testBrowser(`https://fcm.googleapis.com/fcm/send/${newId()}`).target;
/** A member who joined for this attempt alone, with a browser that gets notifications. */
const withDevice = async (world: World) => {
  const who = await world.join();
  const { id } = await call(world, who, 'POST', '/api/device/register', subscription());
  return { who, deviceId: id as string };
};
const newPost = async (world: World): Promise<string> =>
  (await call(world, world.me, 'POST', '/api/post/quick', { caption: 'Hi' })).id;
const newReview = async (world: World): Promise<string> => {
  const interactionId = await request(world, isCompleted);
  const body = { interactionId, caption: 'Nice', location: '', stars: 9 };
  return (await call(world, world.other, 'POST', '/api/review/create', body)).id;
};
const planForm = async (world: World) => ({
  ...{ title: 'Tea', desc: 'An hour.', time: '3 pm', durationMinutes: 60, place: 'Makati', price: 250 },
  terms: 'We meet in a public place and share the bill.',
  imageId: await upload(world, world.me),
  imageIds: [],
});
const conversation = ({ me }: World, number: number) => idOf(`${me.profileId} conversation`, number);
const mixId = ({ me }: World, number: number) => me.accountId + idOf('account', number * 5 + 2);
/** A plan chat of a request in which `me` is the client: its stage is ready. */
const receipt = ({ me }: World) => `r${idOf(`${me.profileId} client`, 3)}`;
/** Members with whom `me` has nothing to do, and posts of others: another one at each attempt. */
const stranger = (attempt: number) => idOf('profile', 251 + attempt * 5);
const post = (attempt: number) => idOf('post', 50 + attempt);

/** Does the waiting jobs that send something; returns the text of the last message. */
async function lastMessage(world: World): Promise<string> {
  const sends = ['accounts.mail', 'accounts.sms', 'accounts.recovery', 'accounts.resend'];
  for (let jobs = await world.platform.takeJobs(); jobs.length > 0; jobs = await world.platform.takeJobs())
    for (const { task, payload } of jobs)
      if (sends.includes(task)) await world.jobs[task as keyof World['jobs']](payload, jobHelpers(world));
  return world.messages.splice(0).at(-1)?.text ?? '';
}

/** What a job is given. */
export const jobHelpers = ({ platform: { log } }: World) => ({
  ...{ log, attempt: 1, maxAttempts: 1 },
  signal: new AbortController().signal,
});

const page = 'http://localhost:3000/confirming';
/** The query of the link of a message, or its code. */
const linkOf = (text: string) => {
  const query = new URL(/https?:\S+/.exec(text)?.[0] ?? page).searchParams;
  return { userId: query.get('userId') ?? '', secret: query.get('secret') ?? '' };
};
const codeOf = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? '';
const newEmail = () => `${newId()}@example.com`;
const newPhone = (attempt: number) => `+6391700${String(10_000 + attempt)}`;

/** A member who joined for this attempt alone. */
const joined =
  (more: Omit<Sample, 'who'> = {}): SampleMaker =>
  async ({ join }) => ({ who: await join(), ...more });
/** The same with chats, which are on different shards of a Citus cluster. */
const withChats = async ({ join, database }: World): Promise<TestMember> => {
  const who = await join();
  for (const other of [await join(), await join(), await join()])
    await insertConversation(database, who, other);
  return who;
};
/** A call of a guest with what a message brought, sent by `begin`. */
const answered =
  (
    begin: { method?: 'POST'; url: string; body: (attempt: number) => object },
    read: (text: string) => object,
  ): SampleMaker =>
  async (world, attempt) => {
    await lastMessage(world);
    const begun = await call(world, null, 'POST', begin.url, begin.body(attempt));
    return { who: null, body: { userId: begun.userId, ...read(await lastMessage(world)) } };
  };

const about = {
  ...eachAboutText(() => 'Hi'),
  ...{ birthDate: '1995-06-15', phoneNumber: '09170000001' },
};
const withPost: SampleMaker = (_world, attempt) => ({ body: { postId: post(attempt) } });
const withOwnPost: SampleMaker = async (world) => ({ body: { postId: await newPost(world) } });
const withReview: SampleMaker = async (world) => ({ body: { reviewId: await newReview(world) } });
const withPlan: SampleMaker = async ({ database, me }) => ({
  body: { planId: await insertPlan(database, me) },
});
const byId =
  (id: (world: World, attempt: number) => string | Promise<string>): SampleMaker =>
  async (world, attempt) => ({ params: { id: await id(world, attempt) } });
/** Id of a picture that a member, `me` by default, uploads with its bytes. */
async function sendFile(world: World, who = world.me): Promise<string> {
  const { bytes: payload, headers } = await form(world);
  const sent = { method: 'POST', url: '/v1/storage/buckets/images/files', payload, headers } as const;
  const response = await world.server.request(who, sent);
  if (response.statusCode !== 201) throw new Error(`The upload was refused: ${response.body}`);
  return response.json().$id;
}
/** A public link of a member, `me` by default: of a plan, or the invitation. */
async function publicLink(world: World, planId?: string, who = world.me): Promise<Sample> {
  const { link } = await call(world, who, 'POST', '/api/publicLink/create', { planId });
  return { params: { id: link.url.split('/').at(-1) } };
}
const withPlanLink: SampleMaker = async (world) =>
  publicLink(world, await insertPlan(world.database, world.me));
const withFile =
  (more: Omit<Sample, 'params'> = {}): SampleMaker =>
  async (world) => ({ params: { bucketId: 'images', fileId: await sendFile(world) }, ...more });
const identityForm = async (world: World, who: TestMember) => ({
  idFrontId: await upload(world, who, 'verificationFiles'),
  idBackId: await upload(world, who, 'verificationFiles'),
  photoId: await upload(world, who, 'verificationFiles'),
  address: '1 Mabini Street, Cebu',
});
/** A member of this attempt who waits for an identity check. */
async function applied(world: World): Promise<{ who: TestMember; id: string }> {
  const who = await world.join();
  await world.sql`update profiles set verified = null where id = ${who.profileId}`;
  await call(world, who, 'POST', '/api/verification/send', await identityForm(world, who));
  const [row] = await world.sql<
    { id: string }[]
  >`select id from verifications where user_id = ${who.profileId}`;
  return { who, id: row?.id ?? '' };
}
/** A report of `other` about something of a member of this attempt. */
async function reported(world: World, kind: 'post' | 'message'): Promise<string> {
  const about = await world.join();
  const record = { reason: 'spam', detail: '', kind };
  if (kind === 'post') {
    const { id } = await call(world, about, 'POST', '/api/post/quick', { caption: 'Rude' });
    await call(world, world.other, 'POST', '/api/report/create', { ...record, recordId: id });
  } else {
    const interactionId = await request(world, isReady, about);
    const { id: chatId } = await call(world, about, 'POST', '/api/plan/createConversationReceipt', {
      interactionId,
    });
    const sent = { conversation: chatId, message: 'Rude', clientKey: newId() };
    const { id } = await call(world, about, 'POST', '/api/plan/sendMessage', sent);
    await call(world, world.me, 'POST', '/api/report/create', { ...record, recordId: id, chatId });
    await call(world, about, 'POST', '/api/chat/unsend', { chatId, messageId: id });
  }
  const [row] = await world.sql<{ id: string }[]>`
    select id from reports where member_id = ${about.profileId} and decided_at is null`;
  return row?.id ?? '';
}
const onReport =
  (kind: 'post' | 'message', more: object = {}): SampleMaker =>
  async (world) => ({ body: { id: await reported(world, kind), ...more } });
const dispute = async (world: World): Promise<string> => {
  const interactionId = await request(world, isReady);
  const body = { interactionId, reason: 'absent', story: 'Nobody came.', imageIds: [] };
  await call(world, world.other, 'POST', '/api/dispute/open', body);
  return interactionId;
};
const proposal: SampleMaker = async (world) => {
  const interactionId = await request(world, isReady);
  const body = { interactionId, meetsAt: inDays(99), place: 'Luneta' };
  const { proposal } = await call(world, world.me, 'POST', '/api/plan/proposeDay', body);
  return { who: world.other, body: { interactionId, proposalId: proposal.id, answer: 'decline' } };
};
/** A payout of `me` that an admin is to send by hand. */
const owedPayout: SampleMaker = async (world) => {
  const interactionId = await request(world, isFulfilled);
  await call(world, world.admin, 'POST', '/api/admin/confirmPlans', { interactionId });
  const id = await disbursementId(world, interactionId);
  return { body: { id, reference: `GC-${interactionId}`, amountCentavos: price } };
};

async function disbursementId({ sql }: World, interactionId: string): Promise<string> {
  const [row] = await sql<
    { id: string }[]
  >`select id from disbursements where interaction_id = ${interactionId}`;
  return row?.id ?? '';
}

/** An admin of this attempt without a second factor, and what setting one up begins with. */
async function newAdmin(world: World): Promise<{ who: TestMember; setUp: { setup: string; code: string } }> {
  const who = await world.join({ labels: ['admin'] });
  await world.sql`delete from second_factors where account_id = ${who.accountId}`;
  const { setup, secret } = await call(world, who, 'POST', '/api/secondFactor/begin');
  return { who, setUp: { setup, code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() } };
}
/** What the mail of a confirmation says to a member of this attempt. */
async function confirmation(world: World): Promise<{ userId: string; secret: string }> {
  const who = await world.join({ emailVerified: false });
  await lastMessage(world);
  await call(world, who, 'POST', '/v1/account/verification', { url: page });
  return linkOf(await lastMessage(world));
}

/** A sample for each call of the contract that needs more than its caller. */
export const samples: Record<string, SampleMaker> = {
  'account.create': (_world, attempt) => ({
    body: { userId: 'unique()', email: newEmail(), password, name: 'Ana Cruz', username: `ana${attempt}` },
  }),
  'account.createEmailSession': async ({ join }) => ({
    who: null,
    body: { email: (await join()).email, password },
  }),
  'account.createAnonymousSession': () => ({ who: null }),
  'account.createMagicUrl': () => ({ body: { userId: 'unique()', email: newEmail(), url: page } }),
  'account.confirmMagicUrl': answered(
    {
      url: '/v1/account/sessions/magic-url',
      body: () => ({ userId: 'unique()', email: newEmail(), url: page }),
    },
    linkOf,
  ),
  'account.createPhoneCode': (_world, attempt) => ({
    body: { userId: 'unique()', phone: newPhone(attempt) },
  }),
  'account.confirmPhoneCode': answered(
    {
      url: '/v1/account/sessions/phone',
      body: (attempt) => ({ userId: 'unique()', phone: newPhone(100 + attempt) }),
    },
    (text) => ({ secret: codeOf(text) }),
  ),
  'account.createPhoneVerification': async (world, attempt) => {
    const who = await world.join();
    await world.sql`update accounts set phone = ${newPhone(200 + attempt)} where id = ${who.accountId}`;
    return { who };
  },
  'account.confirmPhoneVerification': async (world, attempt) => {
    const who = await world.join();
    await world.sql`update accounts set phone = ${newPhone(300 + attempt)} where id = ${who.accountId}`;
    await lastMessage(world);
    const { userId } = await call(world, who, 'POST', '/v1/account/verification/phone');
    return { who, body: { userId, secret: codeOf(await lastMessage(world)) } };
  },
  'account.getSession': () => ({ params: { sessionId: 'current' } }),
  'account.deleteSession': joined({ params: { sessionId: 'current' } }),
  'account.deleteSessions': joined(),
  'account.updatePassword': joined({ body: { password: 'another long password', oldPassword: password } }),
  'account.updateName': joined({ body: { name: 'Ana Reyes' } }),
  'account.updateEmail': async ({ join }) => ({ who: await join(), body: { email: newEmail(), password } }),
  'account.updatePhone': async ({ join }, attempt) => ({
    who: await join(),
    body: { phone: newPhone(400 + attempt), password },
  }),
  'account.updatePrefs': () => ({ body: { prefs: { theme: 'dark' } } }),
  'account.createJwt': () => ({ body: {} }),
  'account.updateStatus': async (world) => ({ who: await withChats(world) }),
  'account.createVerification': async ({ join }) => ({
    who: await join({ emailVerified: false }),
    body: { url: page },
  }),
  'account.confirmVerification': async (world) => {
    const who = await world.join({ emailVerified: false });
    await lastMessage(world);
    await call(world, who, 'POST', '/v1/account/verification', { url: page });
    return { who, body: linkOf(await lastMessage(world)) };
  },
  'account.createRecovery': async ({ join }) => ({ body: { email: (await join()).email, url: page } }),
  'account.confirmRecovery': async (world) => {
    const who = await world.join();
    await lastMessage(world);
    await call(world, null, 'POST', '/v1/account/recovery', { email: who.email, url: page });
    return { who: null, body: { ...linkOf(await lastMessage(world)), password: 'another long password' } };
  },
  'accountTokens.createEmailCode': () => ({ body: { userId: 'unique()', email: newEmail() } }),
  'accountTokens.createSession': answered(
    { url: '/v1/account/tokens/email', body: () => ({ userId: 'unique()', email: newEmail() }) },
    (text) => ({ secret: codeOf(text) }),
  ),
  'accountTokens.extendSession': () => ({ params: { sessionId: 'current' } }),
  // No provider is configured: signing in by one is a sign-up or sign-in of the calls above.
  'oauth2.startSession': () => ({ params: { provider: 'google' }, status: 501 }),
  'oauth2.startToken': () => ({ params: { provider: 'google' }, status: 501 }),
  'oauth2.callback': () => ({ params: { provider: 'google', projectId: 'tara' }, status: 501 }),
  'oauth2.postCallback': () => ({ params: { provider: 'google', projectId: 'tara' } }),
  'oauth2.deleteIdentity': async (world, attempt) => {
    const identityId = newId();
    await world.sql`insert into identities (id, account_id, provider, issuer, provider_uid)
      values (${identityId}, ${world.me.accountId}, 'github', 'https://github.com', ${`own${attempt}`})`;
    return { params: { identityId } };
  },
  'accounts.signUp': (_world, attempt) => ({
    body: {
      ...{ email: newEmail(), password, name: 'Ana Cruz', username: `ana${attempt}` },
      ...{ isAdult: true, acceptsTerms: true },
    },
  }),
  'accounts.consent': () => ({ body: { isAdult: true, acceptsTerms: true } }),
  'accounts.updateUsername': (_world, attempt) => ({ body: { username: `ana${attempt}` } }),
  'accounts.endOtherSessions': joined(),
  'accounts.resendVerification': () => ({ body: { username: 'member77' } }),
  'accounts.confirmPassword': joined({ body: { password } }),
  'accounts.readConfirmation': async (world) => ({ body: await confirmation(world) }),
  'accounts.claim': async (world) => ({ body: { ...(await confirmation(world)), password } }),
  'secondFactor.begin': async ({ join, sql }) => {
    const who = await join({ labels: ['admin'] });
    await sql`delete from second_factors where account_id = ${who.accountId}`;
    return { who };
  },
  'secondFactor.setUp': async (world) => {
    const { who, setUp: body } = await newAdmin(world);
    return { who, body };
  },
  'secondFactor.confirm': async (world) => {
    const { who, setUp } = await newAdmin(world);
    const { recoveryCodes } = await call(world, who, 'POST', '/api/secondFactor/setUp', setUp);
    return { who, body: { code: recoveryCodes[0] } };
  },
  'devices.register': async ({ join }) => ({ who: await join(), body: subscription() }),
  'devices.renew': async (world) => ({ who: (await withDevice(world)).who, body: subscription() }),
  'devices.update': async (world) => {
    const { who, deviceId } = await withDevice(world);
    return { who, body: { deviceId, showsText: true } };
  },
  'devices.remove': async (world) => {
    const { who, deviceId } = await withDevice(world);
    return { who, body: { deviceId } };
  },
  'devices.test': async (world) => {
    const { who, deviceId } = await withDevice(world);
    return { who, body: { deviceId } };
  },
  'personalData.requestExport': joined(),
  // Its file is encrypted by a key of its own: only the row is looked for.
  'personalData.prepareDownload': () => ({ body: { id: newId() }, status: 404 }),
  'personalData.download': () => ({ params: { id: newId() }, status: 404 }),
  'personalData.delete': async (world) => ({ who: await withChats(world), body: { password } }),
  'personalData.keep': async (world) => {
    const who = await withChats(world);
    await call(world, who, 'POST', '/api/account/delete', { password });
    const body = { email: who.email, password };
    const reply = await world.server.request(null, {
      method: 'POST',
      url: '/v1/account/sessions/email',
      payload: body,
    });
    return { who: { ...who, secret: reply.json().secret } };
  },
  'profiles.get': byId((_world, attempt) => stranger(attempt)),
  'profiles.people': () => ({ query: { search: 'hobby77z' } }),
  'profiles.removeFriend': async (world, attempt) => {
    await world.sql`insert into friends (owner_id, friend_id) values (${world.me.profileId}, ${stranger(attempt)})`;
    return { body: { friendId: stranger(attempt) } };
  },
  'profiles.updateAbout': () => ({ body: about }),
  'profiles.updatePicture': async (world) => ({ body: { imageId: await upload(world, world.me) } }),
  'profiles.updateSharing': () => ({ body: { sharesPosts: true } }),
  'blocks.block': async ({ join }, attempt) => ({
    who: await join(),
    body: { profileId: stranger(attempt) },
  }),
  'blocks.unblock': (_world, attempt) => ({ body: { profileId: stranger(attempt) } }),
  'blocks.mute': async ({ join }, attempt) => ({ who: await join(), body: { profileId: stranger(attempt) } }),
  'blocks.unmute': (_world, attempt) => ({ body: { profileId: stranger(attempt) } }),
  'posts.search': (_world, attempt) => ({ query: { search: `day${100 + attempt}z` } }),
  'search.all': (_world, attempt) => ({ query: { search: `day${100 + attempt}z` } }),
  'posts.likers': byId(newPost),
  'posts.byCreator': byId((_world, attempt) => stranger(attempt)),
  'posts.get': byId((_world, attempt) => post(attempt)),
  'posts.sharedPicture': byId(async (world) => {
    await world.sql`update profiles set shares_posts = true where id = ${world.me.profileId}`;
    const body = { caption: 'Hi', location: '', tags: '', imageId: await sendFile(world), alt: '' };
    return (await call(world, world.me, 'POST', '/api/post/create', body)).id;
  }),
  'posts.create': async (world) => ({
    body: { caption: 'Hi', location: 'Cebu', tags: 'sea', imageId: await upload(world, world.me), alt: '' },
  }),
  'posts.quick': () => ({ body: { caption: 'Hi' } }),
  'posts.update': async (world) => ({
    body: { postId: await newPost(world), caption: 'Hello', location: '', tags: '' },
  }),
  'posts.delete': withOwnPost,
  'posts.like': withPost,
  'posts.unlike': withPost,
  'posts.updateLikes': withPost,
  'posts.save': withOwnPost,
  'posts.unsave': withPost,
  'files.create': async (world) => ({ params: { bucketId: 'images' }, payload: await form(world) }),
  'files.delete': withFile(),
  'storage.list': () => ({ params: { bucketId: 'images' } }),
  'storage.get': withFile(),
  'storage.update': withFile({ body: { name: 'lake.jpg' } }),
  'storage.view': withFile(),
  'storage.download': withFile(),
  'storage.preview': withFile({ query: { width: 96 } }),
  'verification.send': async (world) => {
    const who = await world.join();
    await world.sql`update profiles set verified = null where id = ${who.profileId}`;
    return { who, body: await identityForm(world, who) };
  },
  'verification.pictures': byId(() => idOf('pending', 3)),
  // The bytes are in no store: only the link is checked.
  'verification.picture': () => ({
    params: { fileId: idOf('identity', 3) },
    query: { until: nowMs() + hourMs, signature: 'none' },
    status: 404,
  }),
  'verification.accept': async (world) => ({ body: { id: (await applied(world)).id } }),
  'verification.decline': async (world) => ({ body: { id: (await applied(world)).id } }),
  'verification.correctBirthDate': async ({ join }) => ({
    body: { userId: (await join()).profileId, birthDate: '1994-06-15' },
  }),
  'plans.create': async (world) => ({ body: await planForm(world) }),
  'plans.update': async (world) => ({
    body: { ...(await planForm(world)), planId: await insertPlan(world.database, world.me) },
  }),
  'plans.close': withPlan,
  'plans.reopen': withPlan,
  'plans.search': (_world, attempt) => ({ query: { search: `talk ${100 + attempt}z` } }),
  'plans.byCreator': byId(({ me }) => me.profileId),
  'plans.get': byId((_world, attempt) => idOf('plan', 20 + attempt)),
  'interactions.createInteraction': (_world, attempt) => ({ body: { planId: idOf('plan', 150 + attempt) } }),
  'interactions.interaction': byId(({ me }, attempt) => idOf(`${me.profileId} client`, attempt % 40)),
  'interactions.interactionList': () => ({ params: { list: 'history' } }),
  'interactions.acceptRequest': onRequest(isPaid, {}, 'me'),
  'interactions.cancelRequest': onRequest(isPaid),
  'interactions.proposeDay': async (world, attempt) => ({
    who: world.other,
    body: { interactionId: await request(world, isPaid), meetsAt: inDays(50 + attempt), place: 'Luneta' },
  }),
  'interactions.answerProposal': proposal,
  'interactions.sayMet': onRequest(isReady, {}, 'me'),
  'interactions.markDone': onRequest(isReady),
  'interactions.cardDown': onRequest(isReady),
  'interactions.setRefundNumber': onRequest({}, { number: '09170000002' }),
  'interactions.checkPayment': onRequest(isPaid),
  'disputes.get': byId(dispute),
  'disputes.ownMessages': async (world) => {
    const who = world.other;
    const id = await request(world, isReady);
    const body = { interactionId: id };
    const { id: conversation } = await call(world, who, 'POST', '/api/plan/createConversationReceipt', body);
    const sent = { conversation, message: 'Are you there?', clientKey: newId() };
    await call(world, who, 'POST', '/api/plan/sendMessage', sent);
    return { who, params: { id } };
  },
  'disputes.open': onRequest(isReady, { reason: 'absent', story: 'Nobody came.', imageIds: [] }),
  'disputes.answer': async (world) => ({
    body: { interactionId: await dispute(world), story: 'I waited.', imageIds: [] },
  }),
  'receipts.createConversationReceipt': onRequest(isReady),
  'receipts.receipt': byId(receipt),
  'receipts.sendMessage': (world) => ({
    body: { conversation: receipt(world), message: 'See you', clientKey: newId() },
  }),
  'conversations.createConversation': async ({ join }, attempt) => {
    const who = await join();
    return { who, body: { creator1: who.profileId, creator2: stranger(attempt) } };
  },
  'conversations.sendMessage': (world) => ({
    body: { convoId: conversation(world, 1), body: 'See you', clientKey: newId() },
  }),
  'conversations.conversation': (world) => ({ params: { mixId: mixId(world, 2) } }),
  'conversations.markRead': (world, attempt) => ({ body: { mixId: mixId(world, attempt) } }),
  'conversations.deleteChat': (world, attempt) => ({ body: { convoId: conversation(world, 20 + attempt) } }),
  'conversations.answerRequest': async (world) => {
    const [who, from] = [await world.join(), await world.join()];
    const { id } = await insertConversation(world.database, from, who, { awaitsId: who.profileId });
    return { who, body: { convoId: id, answer: 'accept' } };
  },
  'conversations.updateSettings': async (world) => ({
    who: await withChats(world),
    body: { showLastSeen: true, showReadMarks: false },
  }),
  'notifications.markRead': async (world) => ({ body: { ids: await notified(world) } }),
  'notifications.findRead': async (world) => ({
    body: {
      tags: [
        ...(await notified(world)).map((id) => `notification-${id}`),
        ...[1, 2, 3].map((index) => `chat-${conversation(world, index)}`),
      ],
    },
  }),
  'notifications.markAllRead': () => ({ body: { until: nowDate().toISOString() } }),
  'notificationSettings.choose': () => ({ body: { group: 'posts', channel: 'email', isOn: false } }),
  'notificationSettings.update': () => ({ body: { quietHours: { from: 22, until: 7 } } }),
  'notificationSettings.pause': () => ({ body: { hours: 8 } }),
  'unsubscribe.open': (world) => ({ who: null, params: { token: unsubscribeLink(world) } }),
  'unsubscribe.topics': (world) => ({ who: null, params: { token: unsubscribeLink(world) } }),
  'unsubscribe.confirm': (world) => ({ who: null, params: { token: unsubscribeLink(world) } }),
  'messages.list': (world) => ({ params: { chatId: conversation(world, 3) }, query: { pages: 3 } }),
  'messages.unsend': async (world) => {
    const convoId = conversation(world, 4);
    const sent = { convoId, body: 'Oops', clientKey: newId() };
    const { id: messageId } = await call(world, world.me, 'POST', '/api/message/sendMessage', sent);
    return { body: { chatId: convoId, messageId } };
  },
  'messages.mark': (world, attempt) => ({ body: { chatId: conversation(world, 10 + attempt), read: 3 } }),
  'reviews.create': onRequest(isCompleted, { caption: 'Nice', location: '', stars: 9 }),
  'reviews.update': async (world) => ({
    who: world.other,
    body: { reviewId: await newReview(world), caption: 'Good', location: '', stars: 8 },
  }),
  'reviews.byOwner': byId(({ me }) => me.profileId),
  'reviews.get': byId(newReview),
  'reviews.like': withReview,
  'reviews.unlike': withReview,
  'reviews.updateLikes': withReview,
  'reviews.comments': byId(newReview),
  'reviews.createComment': async (world) => ({
    body: { reviewId: await newReview(world), body: 'Nice', clientKey: newId() },
  }),
  'reviews.deleteComment': async (world) => {
    const body = { reviewId: await newReview(world), body: 'Nice', clientKey: newId() };
    const { comment } = await call(world, world.me, 'POST', '/api/review/createComment', body);
    return { body: { commentId: comment.id } };
  },
  'reports.create': async ({ join }, attempt) => ({
    who: await join(),
    body: { kind: 'post', recordId: post(attempt), reason: 'spam', detail: '' },
  }),
  'reports.decide': onReport('post', { decision: 'dismiss' }),
  'reports.original': onReport('message'),
  'reports.planChat': onReport('message'),
  'sharedPlans.open': async (world) => {
    const interactionId = await request(world, isReady);
    const { url } = await call(world, world.me, 'POST', '/api/sharedPlan/create', { interactionId });
    return { query: { token: url.split(/[#/=]/).at(-1) } };
  },
  'sharedPlans.own': byId((world) => request(world, isReady)),
  'sharedPlans.create': onRequest(isReady),
  'sharedPlans.revoke': onRequest(isReady),
  'publicLinks.invitation': (world) => publicLink(world),
  'publicLinks.plan': withPlanLink,
  'publicLinks.picture': async (world) => {
    // Of a member of their own: what `me` uploads and does not use is limited.
    const who = await world.join();
    const imageId = await sendFile(world, who);
    await world.sql`update profiles set image_id = ${imageId} where id = ${who.profileId}`;
    return publicLink(world, undefined, who);
  },
  'publicLinks.planId': withPlanLink,
  'publicLinks.create': withPlan,
  'publicLinks.revoke': withPlan,
  'admin.confirmPlans': onRequest(isFulfilled, {}, 'admin'),
  'requestCases.decideRequest': async (world) => ({
    body: { interactionId: await dispute(world), outcome: 'refund', note: 'They did not meet.' },
  }),
  'requestCases.planChat': () => ({ body: { interactionId: idOf('queued', 40) } }),
  'adminMoney.openMoney': () => ({ params: { list: 'failed' } }),
  'adminMoney.refundRequest': onRequest(isReady, { reason: 'They asked for it.' }, 'admin'),
  'adminMoney.retryMoney': async (world, attempt) => {
    const [row] = await world.sql<{ id: string }[]>`
      select id from disbursements where state = 'owed' and problem is not null order by id offset ${attempt} limit 1`;
    return { body: { id: row?.id, reason: 'The number was wrong.' } };
  },
  // The provider, which is away here, is asked for transfers.
  'adminMoney.decideSending': async ({ sql }, attempt) => {
    const [row] = await sql<{ id: string }[]>`
      select id from disbursements where state = 'owed' and way = 'provider' order by id offset ${attempt} limit 1`;
    await sql`insert into attempts (disbursement_id, number, way, key, amount_centavos, sent_at)
      select id, 1000, way, id || ':1000', amount_centavos, now() - interval '25 hours' from disbursements where id = ${row?.id ?? ''}`;
    await sql`update disbursements set state = 'sending' where id = ${row?.id ?? ''}`;
    return { body: { id: row?.id, reason: 'The dashboard does not have it.' } };
  },
  'adminMoney.assignDispute': async (world, attempt) => {
    const [row] = await world.sql<{ disputeId: string; paymentId: string }[]>`
      select id as "disputeId", payment_ids ->> 0 as "paymentId" from unassigned_disputes
      where state = 'open' order by id offset ${attempt} limit 1`;
    return { body: { ...row, reason: 'The amount and the day agree.' } };
  },
  'adminMoney.recordPayout': owedPayout,
  'adminMoney.settleManualTransfer': async ({ sql }, attempt) => {
    const [row] = await sql<{ reference: string }[]>`
      insert into manual_transfers (reference, disbursement_id, interaction_id, amount_centavos, state, problem)
      select 'GC-' || id, id, interaction_id, amount_centavos, 'refused', 'It was not recorded.'
      from disbursements where state = 'arrived' order by id offset ${attempt} limit 1 returning reference`;
    const reference = row?.reference;
    return { body: { reference, hasLeft: true, reason: 'The bank says so.' } };
  },
  'caseFiles.findMoney': ({ me }) => ({ query: { search: me.profileId } }),
  'caseFiles.timeline': async (world) => ({ params: { id: await request(world, isPaid) } }),
  'caseFiles.openCaseFile': async ({ sql }, attempt) => {
    const [row] = await sql<
      { id: string }[]
    >`select id from chargebacks order by id offset ${attempt} limit 1`;
    return { body: { chargebackId: row?.id } };
  },
  'payments.confirmation': async (world) => ({
    who: world.other,
    params: { kind: 'payment', id: await request(world, isPaid) },
  }),
  'payments.webhook': async (world, attempt) => {
    const secret = 'whsk_growth';
    await world.sql`insert into provider_webhooks (url, webhook_id, secret)
      values ('http://localhost', 'hook_1', ${secret}) on conflict do nothing`;
    const attributes = {
      type: 'payment.failed',
      livemode: false,
      data: {},
      previous_data: {},
      created_at: 1,
    };
    const event = { data: { id: `evt_growth${attempt}${newId()}`, type: 'event', attributes } };
    const rawBody = JSON.stringify(event);
    const signature = signDelivery({ rawBody, secret, now: nowMs(), live: false });
    const headers = { 'content-type': 'application/json', 'paymongo-signature': signature };
    return { who: null, payload: { bytes: Buffer.from(rawBody), headers } };
  },
};

/** The payload of the job of a task that something enqueues. */
async function enqueued(world: World, task: TaskName, act: () => Promise<unknown>): Promise<object> {
  await world.platform.takeJobs();
  await act();
  const job = (await world.platform.takeJobs()).find((other) => other.task === task);
  if (!job) throw new Error(`no job of ${task} was enqueued`);
  return job.payload;
}

/** Ids of notifications of a payment, one for each party. */
async function notified(world: World, interactionId?: string): Promise<string[]> {
  const rows = await world.sql<{ id: string }[]>`
    insert into notifications (interaction_id, event, group_name, in_app, profile_id)
    select ${interactionId ?? (await request(world, isPaid))}, 'paid', 'plans', true,
      unnest(array[${world.me.profileId}, ${world.other.profileId}])
    on conflict do nothing returning id`;
  return rows.map(({ id }) => id);
}

const unsubscribeLink = ({ platform: { sealer }, me }: World): string =>
  unsubscribeToken(sealer, me.profileId, ['posts']);

/** The id of a record that most members like, whose author was not notified of it. */
async function likedRecord({ sql }: World, table: 'posts' | 'reviews'): Promise<string> {
  const [row] = await sql<
    { id: string }[]
  >`select id from ${sql(table)} order by total_likes desc, id limit 1`;
  const id = row?.id ?? '';
  await sql`delete from notifications where record_id = ${id}`;
  return id;
}

type Enqueued = Exclude<TaskName, keyof typeof schedule | typeof tasks.reconcilePayments.name>;

/** The payload of a job of each task that is in no schedule, about something of its own where it changes something. */
export const jobSamples: Record<Enqueued, (world: World, attempt: number) => Promise<object>> = {
  'accounts.mail': (world) =>
    enqueued(world, 'accounts.mail', () =>
      call(world, null, 'POST', '/v1/account/tokens/email', { userId: 'unique()', email: newEmail() }),
    ),
  'accounts.sms': (world, attempt) =>
    enqueued(world, 'accounts.sms', () =>
      call(world, null, 'POST', '/v1/account/sessions/phone', {
        userId: 'unique()',
        phone: newPhone(500 + attempt),
      }),
    ),
  'accounts.resend': async () => ({ username: 'member77' }),
  'accounts.recovery': async (world) => {
    const { email } = await world.join();
    return enqueued(world, 'accounts.recovery', () =>
      call(world, null, 'POST', '/v1/account/recovery', { email, url: page }),
    );
  },
  'personalData.delete': async (world) => {
    const { accountId } = await world.join();
    await world.sql`update accounts set deletes_at = now() - interval '1 hour' where id = ${accountId}`;
    return { accountId };
  },
  'personalData.export': async (world) => {
    await world.sql`delete from data_exports where account_id = ${world.me.accountId}`;
    return enqueued(world, 'personalData.export', () =>
      call(world, world.me, 'POST', personalData.requestExport.path),
    );
  },
  'personalData.removeClaimed': async ({ join }) => ({ accountId: (await join()).accountId }),
  'messages.repairLists': async ({ sql }) => {
    // As if the node had died just before the newest messages: it looks a minute further back.
    const [row] = await sql<
      { at: string }[]
    >`select to_json(max(created_at) + interval '59 seconds') #>> '{}' as at from messages`;
    if (row === undefined) throw new Error('There are no messages.');
    return { lastNotedAt: new Date(row.at).toISOString() };
  },
  'messages.stopChats': async (world) => ({ profileId: (await withChats(world)).profileId }),
  'files.remove': async (world) => ({ id: await upload(world, world.me) }),
  'conversations.expiryLifted': async (world) => ({ conversationId: conversation(world, 1) }),
  'posts.notifyLikes': async (world) => ({ recordId: await likedRecord(world, 'posts') }),
  'reviews.notifyLikes': async (world) => ({ recordId: await likedRecord(world, 'reviews') }),
  'notifications.deliver': async (world) => ({ ids: await notified(world) }),
  'notifications.mail': async (world) => ({ id: (await notified(world))[0] }),
  'notifications.mailDaily': async (world) => {
    await world.sql`insert into notifications (event, group_name, in_app, profile_id, actor_id, record_id)
      values ('review', 'posts', true, ${world.me.profileId}, ${world.other.profileId}, ${newId()})`;
    return { profileId: world.me.profileId };
  },
  'notifications.deliverHeld': async (world) => {
    const [id = ''] = await notified(world);
    await world.sql`update notifications set mail_held_until = now() where id = ${id}`;
    return { profileId: world.me.profileId };
  },
  'notifications.push': async (world) => {
    const { deviceId } = await withDevice(world);
    return { id: (await notified(world))[0], deviceId };
  },
  'notifications.pushHeld': async (world) => {
    const { deviceId } = await withDevice(world);
    return {
      ...{ profileId: world.me.profileId, deviceId, ids: await notified(world) },
      chatIds: [1, 2, 3].map((index) => conversation(world, index)),
    };
  },
  'notifications.pushChat': async (world) => ({
    chatId: conversation(world, 1),
    profileId: (await withDevice(world)).who.profileId,
  }),
  'notifications.pushChatToDevice': async (world) => {
    const { deviceId } = await withDevice(world);
    const chatId = conversation(world, 1);
    // Unread, as after a message of the other.
    await world.sql`update chat_entries set read = 0, incoming_read = 0
      where chat_id = ${chatId} and member_id = ${world.me.profileId}`;
    return { chatId, profileId: world.me.profileId, deviceId };
  },
  'notifications.markRead': async ({ me }) => ({
    profileId: me.profileId,
    until: nowDate().toISOString(),
  }),
  'receipts.writeLines': async (world) => {
    const interactionId = await request(world, isPaid);
    await notified(world, interactionId);
    return { interactionId };
  },
  'payments.createLink': async (world) => ({ interactionId: await request(world) }),
  'payments.archiveLink': async (world) => ({
    interactionId: await request(world, { linkId: newId(), cancelledAt: ago(1), cancelReason: 'unpaid' }),
  }),
  'payments.disburse': async ({ sql }, attempt) => {
    const [row] = await sql<{ id: string }[]>`
      select id from disbursements where state = 'owed' order by id offset ${attempt} limit 1`;
    return { disbursementId: row?.id };
  },
  'payments.event': async (world, attempt) => {
    const sample = await samples['payments.webhook']?.(world, 100 + attempt);
    if (!sample?.payload) throw new Error('no event was made');
    const { bytes, headers } = sample.payload;
    return enqueued(world, 'payments.event', () =>
      world.server.request(null, { method: 'POST', url: '/api/payment/webhook', payload: bytes, headers }),
    );
  },
  'payments.payoutsOf': async ({ me }) => ({ profileId: me.profileId }),
};

/** What is sent about the documents of a collection; without `create` it is made of what there is. */
interface DocumentSample {
  /** A filter to the caller's own, or to few records. */
  filter: (world: World) => [attribute: string, value: string];
  who?: (world: World) => TestMember;
  create?: (
    world: World,
    attempt: number,
  ) => { who?: TestMember; data: object } | Promise<{ who?: TestMember; data: object }>;
  update?: object;
}

export const documentSamples: Record<CollectionId, DocumentSample> = {
  users: {
    filter: ({ me }) => ['$id', me.profileId],
    create: async ({ join }) => ({
      who: await join({ username: 'User025' }),
      data: { username: 'newcomer' },
    }),
    update: { hobby: 'chess' },
  },
  posts: {
    filter: ({ me }) => ['creatorId', me.profileId],
    create: () => ({ data: { caption: 'Hello' } }),
    update: { caption: 'Changed' },
  },
  likedPosts: {
    filter: ({ me }) => ['whoLiked', me.profileId],
    create: async (world) => ({ data: { postId: await newPost(world) } }),
  },
  saves: {
    filter: ({ me }) => ['userId', me.profileId],
    create: async (world) => ({ data: { postId: await newPost(world) } }),
  },
  plans: {
    filter: ({ me }) => ['creatorId', me.profileId],
    create: async (world) => {
      const { durationMinutes: _minutes, place: _place, imageIds: _images, ...data } = await planForm(world);
      return { data };
    },
    update: { title: 'Tea' },
  },
  planInteractions: {
    filter: ({ me }) => ['creator', me.profileId],
    create: async (world) => {
      const creator = await world.join();
      return { data: { planId: await insertPlan(world.database, creator) } };
    },
    update: { cancelled: true },
  },
  conversationReceipts: {
    filter: ({ me }) => ['clientAccountId', me.accountId],
    create: async (world) => ({ data: { interactionId: await request(world, isReady) } }),
    update: { read: 1 },
  },
  chatReceipts: {
    filter: (world) => ['conversationReceiptId', receipt(world)],
    create: (world) => ({ data: { conversationReceiptId: receipt(world), body: 'Hello' } }),
    update: { body: 'message unsent' },
  },
  conversations: {
    filter: (world) => ['mixId', mixId(world, 3)],
    create: async ({ join }, attempt) => {
      const who = await join();
      return { who, data: { creators: [who.profileId, stranger(30 + attempt)] } };
    },
    update: { read: 1 },
  },
  chats: {
    filter: (world) => ['convoId', conversation(world, 3)],
    create: (world) => ({ data: { convoId: conversation(world, 3), body: 'Hello' } }),
    update: { body: 'message unsent' },
  },
  conversationOwners: {
    filter: ({ me }) => ['$id', me.profileId],
    create: async ({ me }) => ({ data: { owner: me.profileId } }),
  },
  verifying: {
    who: ({ admin }) => admin,
    filter: () => ['userId', idOf('profile', 6)],
    create: async (world) => {
      const who = await world.join();
      await world.sql`update profiles set verified = null where id = ${who.profileId}`;
      return { who, data: await identityForm(world, who) };
    },
    update: { valid: true },
  },
  reviews: {
    filter: ({ me }) => ['ownerId', me.profileId],
    create: async (world) => ({
      who: world.other,
      data: { interactionId: await request(world, isCompleted), caption: 'Nice', location: '', stars: 9 },
    }),
    update: { caption: 'Changed' },
  },
  likedReviews: {
    filter: ({ me }) => ['whoLiked', me.profileId],
    create: async (world) => ({ data: { reviewId: await newReview(world) } }),
  },
  reviewComments: {
    filter: () => ['reviewId', idOf('review', 1)],
    create: async (world) => ({ data: { reviewId: await newReview(world), body: 'Hello' } }),
  },
  friendLists: {
    filter: ({ me }) => ['$id', me.profileId],
    create: async ({ me }) => ({ data: { owner: me.profileId } }),
  },
};
