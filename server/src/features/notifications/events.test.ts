import { nowDate, nowMs } from '@tara/contract/clock';
import { counts } from '@tara/contract/counts';
import {
  type AdminEventName,
  type EventName,
  eventsByMembers,
  findEvent,
  type MemberEventName,
  notificationEvents,
  type RequestEventName,
} from '@tara/contract/notifications/events';
import { notificationGroups } from '@tara/contract/notifications/groups';
import { notifications as calls, type Notification } from '@tara/contract/notifications/notifications';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { openMail } from '../../platform/mail/queue.ts';
import { tasks } from '../../platform/tasks.ts';
import { insertDevice } from '../../testing/features/devices.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertBlock, insertMember, type Member } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { accounts } from '../accounts/index.ts';
import { countRoutes } from '../counts/index.ts';
import { devices } from '../devices/index.ts';
import { blocks, mutes } from '../visibility/index.ts';
import { readLines } from './lines.ts';
import { type NotifyArgs, notify } from './notify.ts';
import { notificationCan } from './policy.ts';
import { notificationRoutes } from './routes.ts';
import { notifications } from './tables.ts';
import { notificationTasks } from './tasks.ts';

/** What a person reads, and where it leads. */
type Expected = [title: string, link: string];

/** Ben asks for Ana's plan Coffee, ₱250: what each of the two reads of an event; nothing: only the plan chat has a line. */
const requestTexts: Record<RequestEventName, { client?: Expected; creator?: Expected }> = {
  requested: { creator: ['Ben sent a request for Coffee', '/manage-plans?tab=friendRequest'] },
  paid: {
    client: ['We received ₱250.00 for Coffee', '/confirmation/payment/REQUEST'],
    creator: ['Ben paid for Coffee', '/manage-plans'],
  },
  free: {},
  accepted: { client: ['Ana accepted your request', '/manage-plans'] },
  dayProposed: {
    client: ['Ana proposes another day for Coffee', '/manage-plans'],
    creator: ['Ben proposes another day for Coffee', '/manage-plans'],
  },
  dayChanged: { creator: ['Ben changed the day for Coffee', '/manage-plans?tab=friendRequest'] },
  dayAgreed: {
    client: ['Ana agreed to your day for Coffee', '/manage-plans'],
    creator: ['Ben agreed to your day for Coffee', '/manage-plans'],
  },
  dayDeclined: {
    client: ['Ana cannot meet on another day', '/manage-plans'],
    creator: ['Ben cannot meet on another day', '/manage-plans'],
  },
  creatorMet: { client: ['Ana says that you met', '/manage-plans'] },
  cancelled: {
    client: ['Ana declined your request for Coffee', '/profile/history/OWN'],
    creator: ['The request of Ben is cancelled', '/profile/history/OWN'],
  },
  upcoming: {
    client: ['You meet Ana soon', '/manage-plans'],
    creator: ['You meet Ben soon', '/manage-plans'],
  },
  reminder: { client: ['Did you meet Ana?', '/manage-plans'] },
  fulfilled: { creator: ['Ben says that you met', '/manage-plans'] },
  noAnswer: {
    client: ['An admin looks at Coffee', '/manage-plans'],
    creator: ['An admin looks at Coffee', '/manage-plans'],
  },
  paidTooLate: {
    client: ['Your late payment for Coffee goes back to you', '/confirmation/payment/REQUEST'],
  },
  paymentFrozen: {
    client: ['The money for Coffee waits for your card issuer', '/manage-plans'],
    creator: ['The money for Coffee waits for a card issuer', '/manage-plans'],
  },
  paymentUnfrozen: {
    client: ['The money for Coffee waits no more', '/manage-plans'],
    creator: ['The money for Coffee waits no more', '/manage-plans'],
  },
  chargedBack: {
    client: ['Your card issuer took back the money for Coffee', '/profile/history/OWN'],
    creator: ['The card issuer took back money for Coffee', '/profile/history/OWN'],
  },
  chargebackCorrected: {
    client: ['A card dispute about Coffee was corrected', '/profile/history/OWN'],
    creator: ['A card dispute about Coffee was corrected', '/profile/history/OWN'],
  },
  refundCovered: { client: ['Your refund for Coffee came from your card issuer', '/profile/history/OWN'] },
  disputed: {
    client: ['An admin looks at your plan Coffee', '/dispute/REQUEST'],
    creator: ['Ben says that there was a problem', '/dispute/REQUEST'],
  },
  disputeAnswered: { client: ['Ana answered your dispute', '/dispute/REQUEST'] },
  decided: {
    client: ['An admin decided about Coffee', '/dispute/REQUEST'],
    creator: ['An admin decided about Coffee', '/dispute/REQUEST'],
  },
  confirmed: {
    client: ['Coffee is confirmed', '/profile/history/OWN'],
    creator: ['Coffee is confirmed', '/profile/history/OWN'],
  },
  payoutSent: { creator: ['Your payout for Coffee is on its way', '/profile/history/OWN'] },
  paidOut: { creator: ['Your payout for Coffee arrived', '/confirmation/payout/REQUEST'] },
  payoutNumber: {
    creator: ['₱100.00 for Coffee waits for your GCash number', '/update-profile?tab=info'],
  },
  payoutRefused: { creator: ['Your payout for Coffee was refused', '/update-profile?tab=info'] },
  refundNumber: { client: ['Name a number for your refund of Coffee', '/profile/history/OWN'] },
  refunded: { client: ['Your money for Coffee is on its way back', '/confirmation/refund/REQUEST'] },
};

/** What Ana reads of an event about the record 'r1', with what its caller says; Ben did what another member did. */
const memberTexts: Record<MemberEventName, { details?: Record<string, string>; expected: Expected }> = {
  verificationAccepted: { expected: ['You are verified on Tara', '/explore'] },
  verificationDeclined: {
    details: { reason: 'unreadable', note: 'Once more.' },
    expected: ['Your verification on Tara needs another try', '/verifying-identity'],
  },
  messageRequest: { expected: ['Ben would like to chat with you', '/chats?show=requests'] },
  conversationExpiring: {
    details: { mixId: 'AnaBen' },
    expected: ['Your chat with Ben ends soon', '/chats/r1?mixId=AnaBen'],
  },
  review: {
    details: { title: 'Coffee', stars: '9' },
    expected: ['Ben reviewed your plan Coffee', '/review-details/r1'],
  },
  comment: {
    details: { reviewId: 'r2', side: 'owner' },
    expected: ['Ben commented on a review about you', '/review-details/r2'],
  },
  postLiked: { details: { others: '4' }, expected: ['Ben and 4 others liked your post', '/post/r1'] },
  reviewLiked: { expected: ['Ben liked your review', '/review-details/r1'] },
  reportDecided: {
    details: { decision: 'dismiss' },
    expected: ['An admin decided about your report', '/safety'],
  },
  sanctioned: {
    details: { decision: 'suspend', until: '1 June 2027' },
    expected: ['An admin suspended your account', '/safety'],
  },
  planPriceAboveLimit: {
    details: { title: 'Coffee', limit: '5000000' },
    expected: ['Your plan Coffee takes no new requests', '/update-plan/r1'],
  },
  signedIn: {
    details: { device: 'Chrome on Android' },
    expected: ['A new device signed in to your account', '/settings'],
  },
  emailChanging: {
    details: { email: 'new@example.com' },
    expected: ['Your email for Tara is about to change', '/settings'],
  },
  emailChanged: { expected: ['Your email for Tara changed', '/settings'] },
  phoneChanged: { expected: ['Your phone number for Tara changed', '/settings'] },
  identityAdded: {
    details: { provider: 'Google' },
    expected: ['You can now sign in to Tara with Google', '/settings'],
  },
  secondFactorAdded: { expected: ['A second factor was set up for your Tara account', '/second-factor'] },
  payoutNumberChanged: {
    details: { from: '1 May 2027' },
    expected: ['Your phone number for payouts changed', '/update-profile?tab=info'],
  },
  exportReady: { details: { until: '1 May 2027' }, expected: ['Your data from Tara is ready', '/settings'] },
  leaving: {
    details: { on: '1 May 2027' },
    expected: ['Your Tara account will be deleted', '/leaving'],
  },
};

/** What every admin reads. */
const adminTexts: Record<AdminEventName, { recordId: string; expected: Expected }> = {
  workWaits: { recordId: 'disputes', expected: ['3 disputes wait', '/disputes'] },
  ledgerDiffers: { recordId: '', expected: ['The books do not add up', '/money'] },
  chargebackOpened: {
    recordId: 'dsp_2',
    expected: ['3 payments are disputed by a card issuer', '/chargebacks'],
  },
  disbursementStuck: { recordId: '', expected: ['3 payouts and refunds are stuck', '/money'] },
  transferRefused: { recordId: '', expected: ['3 transfers by hand were not recorded', '/money'] },
  balanceShort: { recordId: '', expected: ['The wallet holds less than is owed', '/money'] },
  webhookDisabled: { recordId: 'hook_1', expected: ['The provider stopped its deliveries', '/money'] },
  proofOverdue: { recordId: '', expected: ['The books were not checked for 36 hours', '/money'] },
  chargebackDecided: {
    recordId: 'dsp_3',
    expected: ['A card issuer decided about a payment, against Tara', '/chargebacks'],
  },
  disputeUnassigned: { recordId: 'dsp_1', expected: ['A card dispute needs its payment', '/money'] },
};

/** Of which nobody gets an email of its own, and which are mailed at once whatever was seen; all others five minutes later. */
const notMailed: readonly EventName[] = [
  ...(['free', 'payoutSent', 'messageRequest', 'conversationExpiring', 'review', 'comment'] as const),
  ...(['postLiked', 'reviewLiked', 'reportDecided', 'workWaits'] as const),
];
const mailedAtOnce: readonly EventName[] = [
  ...(['signedIn', 'emailChanging', 'emailChanged', 'phoneChanged', 'identityAdded'] as const),
  ...(['secondFactorAdded', 'payoutNumberChanged', 'exportReady', 'leaving'] as const),
];
/** Of which no device gets a push: what others do, such as likes and message requests, and a line of a plan chat alone. */
const notPushed: readonly EventName[] = [
  ...(['free', 'messageRequest', 'conversationExpiring', 'review', 'comment'] as const),
  ...(['postLiked', 'reviewLiked'] as const),
];
/** Of which nobody hears who blocked or muted Ben. */
const doneByMembers: readonly EventName[] = [
  ...(['messageRequest', 'conversationExpiring', 'review', 'comment', 'postLiked', 'reviewLiked'] as const),
];

const requestDetails = {
  ...{
    day: 'Monday',
    place: 'Luneta',
    reason: 'declined',
    note: 'Sorry.',
    way: 'transfer',
    outcome: 'split',
  },
  ...{ amount: '10000', rest: '0', earned: '15000', fee: '0', refunded: '10000' },
};

const test = serverTest((app, platform) => {
  notificationRoutes(app, platform);
  countRoutes(app, platform);
})
  .extend('admins', { scope: 'file' }, async ({ database }) => [
    await insertMember(database, { name: 'Dan', admin: true }),
    await insertMember(database, { name: 'Fe', admin: true }),
  ])
  .extend('ana', { scope: 'file' }, ({ database }) => insertMember(database, { name: 'Ana', verified: true }))
  .extend('ben', { scope: 'file' }, ({ database }) => insertMember(database, { name: 'Ben' }))
  .extend('stranger', { scope: 'file' }, ({ database }) => insertMember(database, { name: 'Cora' }))
  .extend('interactionId', { scope: 'file' }, async ({ database, ana, ben }) => {
    const planId = await insertPlan(database, ana);
    const state = { planTitle: 'Coffee', priceCentavos: 250_00, paidAt: nowDate() };
    return insertInteraction(database, { creator: ana, client: ben, planId }, state);
  })
  /** Of each event: who is to read what, and what its caller says on an occasion. */
  .extend('cases', { scope: 'file' }, ({ ana, ben, admins, interactionId }) =>
    events.map((event) => ({
      event,
      ...eventCase(event, { ana, ben, admins, interactionId }),
    })),
  )
  /** Notifies of every event, of each twice at once, as by a repeated cause. */
  .extend('notifyAll', ({ database, cases }) => async (occasion: string) => {
    for (const { args } of cases)
      await Promise.all(
        [1, 2].map(() => database.transaction((transaction) => notify(transaction, args(occasion)))),
      );
  })
  /** Does the jobs that wait, twice each, as in their last try, but for the daily ones; returns all with the minutes until their time. */
  .extend('work', ({ database, platform }) => async () => {
    const handlers: Record<string, (payload: unknown, helpers: never) => Promise<void>> =
      notificationTasks(platform);
    const jobs = await database.execute<{
      task: string;
      payload: Record<string, unknown>;
      minutes: number;
    }>(sql`
      with taken as (delete from graphile_worker._private_jobs returning *)
      select identifier as task, payload, round(extract(epoch from run_at - taken.created_at) / 60)::int as minutes
      from taken join graphile_worker._private_tasks tasks on tasks.id = task_id order by taken.id`);
    const lastTry = { attempt: 6, maxAttempts: 6 };
    const due = jobs.filter(({ task }) => task !== tasks.mailDaily.name);
    for (const { task, payload } of [...due, ...due]) await handlers[task]?.(payload, lastTry as never);
    return [...jobs];
  })
  /** The emails that are queued. */
  .extend('takeMails', ({ platform }) => async () => {
    const jobs = await platform.takeJobs();
    return jobs
      .filter(({ task }) => task === tasks.sendMail.name)
      .map(({ payload }) => openMail(String(payload.sealed), platform.sealer));
  })
  /** The same by event, as 'to: subject'. */
  .extend('mailsByEvent', ({ database, takeMails }) => async () => {
    const [rows, mails] = [await database.select().from(notifications), await takeMails()];
    return byEvent(
      mails.map(({ id, to, subject }) => [
        rows.find((row) => row.id === id)?.event ?? 'unknown',
        `${to}: ${subject}`,
      ]),
    );
  })
  /** Does all the jobs, and returns the emails that come of them. */
  .extend('deliver', ({ work, mailsByEvent }) => async () => {
    await work();
    await work();
    return mailsByEvent();
  })
  /** What a member's list has, by event. */
  .extend('list', ({ server }) => async (who: Member) => {
    const read = async (cursor?: string): Promise<Notification[]> => {
      const { items, next } = (await server.call(who, calls.list, { query: cursor ? { cursor } : {} })).reply;
      return next === null ? items : [...items, ...(await read(next))];
    };
    return read();
  })
  .extend(
    'unread',
    ({ server }) =>
      async (who: Member) =>
        (await server.call(who, counts.own)).reply.notifications,
  );

test.beforeEach(async ({ database, platform }) => {
  await platform.takeJobs();
  for (const table of [notifications, blocks, mutes, devices]) await database.delete(table);
  platform.pushes.length = 0;
  platform.pushOutcome.current = { kind: 'accepted' };
});

const events = Object.keys(notificationEvents) as EventName[];

/** Texts by event, sorted. */
function byEvent(entries: (readonly [event: string, text: string])[]): Record<string, string[]> {
  const groups = Map.groupBy(entries, ([event]) => event);
  return Object.fromEntries([...groups].map(([event, list]) => [event, list.map(([, text]) => text).sort()]));
}

interface People {
  ana: Member;
  ben: Member;
  admins: Member[];
  interactionId: string;
}

function eventCase(event: EventName, { ana, ben, admins, interactionId }: People) {
  const reading = (who: Member, [title, link]: Expected) => ({
    who,
    title,
    link: link.replace('OWN', who.profileId).replace('REQUEST', interactionId),
  });
  if (isOneOf(event, requestTexts)) {
    const { client, creator } = requestTexts[event];
    return {
      recipients: [...(client ? [reading(ben, client)] : []), ...(creator ? [reading(ana, creator)] : [])],
      args: (occasion: string): NotifyArgs => ({
        ...{ event, interactionId, to: ['client', 'creator'], occasion, details: requestDetails },
      }),
    };
  }
  if (isOneOf(event, adminTexts)) {
    const { recordId, expected } = adminTexts[event];
    return {
      recipients: admins.map((who) => reading(who, expected)),
      args: (occasion: string): NotifyArgs => ({
        ...{ event, to: 'admins', recordId, occasion, details: { count: '3' } },
      }),
    };
  }
  const { details = {}, expected } = memberTexts[event];
  const actor = doneByMembers.includes(event) ? { actorId: ben.profileId } : {};
  return {
    recipients: [reading(ana, expected)],
    args: (occasion: string): NotifyArgs => ({
      ...{ event, to: { profileId: ana.profileId }, recordId: 'r1', occasion, details, ...actor },
    }),
  };
}

const isOneOf = <Name extends string>(event: string, texts: Record<Name, unknown>): event is Name =>
  event in texts;

const isMailed = (event: EventName) => !notMailed.includes(event);

test('every event is named here', () => {
  const named = [...Object.keys(requestTexts), ...Object.keys(memberTexts), ...Object.keys(adminTexts)];
  expect(named.sort()).toEqual(events.toSorted());
  expect(eventsByMembers.toSorted()).toEqual(doneByMembers.toSorted());
});

test('each event is shown to exactly whom it is for, in its words, once', async ({
  admins,
  ana,
  ben,
  stranger,
  cases,
  notifyAll,
  list,
  unread,
}) => {
  await notifyAll('1');
  for (const who of [ana, ben, stranger, ...admins]) {
    const expected = cases.flatMap(({ event, recipients }) =>
      recipients
        .filter((recipient) => recipient.who === who)
        .map(({ title, link }) => [event, `${title} → ${link}`] as const),
    );
    const items = await list(who);
    const shown = byEvent(items.map(({ event, title, link }) => [event, `${title} → ${link}`]));
    expect(shown, who.name).toEqual(byEvent(expected));
    expect(await unread(who), who.name).toBe(expected.length);
    for (const { event, group } of items) expect(group).toBe(findEvent(event)?.group);
  }
});

test('each event is mailed once: security at once, what is urgent five minutes later, the others not', async ({
  cases,
  notifyAll,
  work,
  mailsByEvent,
  database,
}) => {
  await notifyAll('1');
  await work();
  const rows = await database.select().from(notifications);
  const eventName = (id: unknown) => rows.find((row) => row.id === id)?.event ?? 'unknown';
  // Done in `work`, before their time.
  const waiting = await work();
  const times = waiting
    .filter(({ task }) => task === tasks.mailNotification.name)
    .map(({ payload, minutes }) => [eventName(payload.id), minutes] as const);
  const expected = events
    .filter(isMailed)
    .map((event) => [event, mailedAtOnce.includes(event) ? 0 : 5] as const);
  expect(Object.fromEntries(times)).toEqual(Object.fromEntries(expected));
  expect(await mailsByEvent()).toEqual(
    byEvent(
      cases
        .filter(({ event }) => isMailed(event))
        .flatMap(({ event, recipients }) =>
          recipients.map(({ who, title }) => [event, `${who.email}: ${title}`] as const),
        ),
    ),
  );
});

test('each event is pushed to every device of whom it is for, by its title alone, and replaces itself', async ({
  database,
  platform,
  admins,
  ana,
  ben,
  stranger,
  cases,
  notifyAll,
  work,
}) => {
  const owners = [ana, ana, ben, stranger, ...admins];
  const ownDevices = await Promise.all(
    owners.map(async (who) => ({ who, endpoint: (await insertDevice(database, who)).endpoint })),
  );
  await notifyAll('1');
  await work();
  await work();
  const rows = await database.select().from(notifications);
  for (const { who, endpoint } of ownDevices) {
    const expected = cases
      .filter(({ event }) => !notPushed.includes(event))
      .flatMap(({ event, recipients }) =>
        recipients
          .filter((recipient) => recipient.who === who)
          .map(({ title, link }) => [event, `${title} → ${link}`] as const),
      );
    const pushed = platform.pushes.filter((push) => push.endpoint === endpoint);
    // Each was done twice.
    const byTag = Map.groupBy(pushed, ({ message }) => message.tag);
    expect([...byTag.values()].map((repeated) => repeated.length)).toEqual(expected.map(() => 2));
    const shown = [...byTag].map(([tag, [push]]) => {
      const { title, url, text, topic } = push?.message ?? expect.fail();
      expect([text, topic]).toEqual([undefined, tag]);
      const row = rows.find(
        ({ id, profileId }) => `notification-${id}` === tag && profileId === who.profileId,
      );
      return [row?.event ?? 'unknown', `${title} → ${url}`] as const;
    });
    expect(byEvent(shown), who.name).toEqual(byEvent(expected));
  }
});

test.for(['accepted', 'refused', 'gone', 'later'] as const)(
  'what is urgent is mailed unless a device accepted its push, security always: a push that is %s',
  async (kind, { database, platform, ana, ben, admins, notifyAll, deliver }) => {
    for (const who of [ana, ben, ...admins]) await insertDevice(database, who);
    platform.pushOutcome.current = { kind, until: null, reason: 'none' };
    await notifyAll('1');
    const mailed = await deliver();
    expect(Object.keys(mailed).sort()).toEqual(
      (kind === 'accepted' ? [...mailedAtOnce] : events.filter(isMailed)).toSorted(),
    );
  },
);

test('a payment that came a second time, and its refund, lead to confirmations of their own, and the plan chat has no line', async ({
  database,
  ben,
  interactionId,
  list,
}) => {
  const details = { amount: '25000', way: 'provider', paymentId: 'pay_2' };
  for (const event of ['paidTooLate', 'refunded'] as const)
    await database.transaction((transaction) =>
      notify(transaction, { event, interactionId, to: ['client'], occasion: 'pay_2', details }),
    );
  expect((await list(ben)).map(({ title, text, link }) => [title, text, link])).toEqual([
    [
      'Your second payment for Coffee is on its way back',
      "We gave your second payment of ₱250.00 for 'Coffee' back the way you paid. Your bank or wallet can take some days to show it.",
      '/confirmation/refund/pay_2',
    ],
    [
      'Your second payment for Coffee goes back to you',
      "We received ₱250.00 for 'Coffee' a second time. It goes back to you.",
      '/confirmation/payment/pay_2',
    ],
  ]);
  expect(await readLines(database, interactionId)).toEqual([]);
});

test('the link of an email is that of the list', async ({ platform, cases, notifyAll, work, takeMails }) => {
  await notifyAll('1');
  await work();
  await work();
  const mails = await takeMails();
  const links = cases
    .filter(({ event }) => isMailed(event))
    .flatMap(({ recipients }) => recipients.map(({ link }) => `${platform.config.publicUrl}${link}`));
  expect(mails.map(({ text }) => /https?:\S+/.exec(text)?.[0]).sort()).toEqual(links.sort());
});

test('who saw a notification is not mailed, but for security', async ({
  notifyAll,
  work,
  mailsByEvent,
  database,
}) => {
  await notifyAll('1');
  await work();
  await database.update(notifications).set({ readAt: sql`now()` });
  await work();
  expect(Object.keys(await mailsByEvent()).sort()).toEqual(mailedAtOnce.toSorted());
});

test.for(['blocked', 'muted'] as const)(
  'what a member did neither reaches nor stays with who %s that member; all else does',
  async (kind, { database, ana, ben, cases, notifyAll, deliver, list, unread }) => {
    await notifyAll('1');
    if (kind === 'blocked') await insertBlock(database, ana, ben);
    else await database.insert(mutes).values({ muterId: ana.profileId, mutedId: ben.profileId });
    const reached = cases.filter(({ event }) => !doneByMembers.includes(event));
    const withRecipients = (isExpected: (event: EventName) => boolean, who?: Member) =>
      reached
        .filter(
          ({ event, recipients }) =>
            isExpected(event) && (who ? recipients.some((one) => one.who === who) : recipients.length > 0),
        )
        .map(({ event }) => event)
        .sort();
    expect(Object.keys(await deliver()).sort()).toEqual(withRecipients(isMailed));
    for (const who of [ana, ben]) {
      const items = await list(who);
      expect(items.map(({ event }) => event).sort()).toEqual(withRecipients(() => true, who));
      expect(await unread(who)).toBe(items.length);
    }
  },
);

test('a suspended account is mailed only what cannot be switched off or is about its requests, a deleted one nothing', async ({
  database,
  ana,
  ben,
  admins,
  notifyAll,
  deliver,
}) => {
  const ids = [ana, ben, ...admins].map(({ accountId }) => accountId);
  const set = (state: { deletedAt?: Date | null; suspendedUntil?: Date | null }) =>
    database.update(accounts).set(state).where(inArray(accounts.id, ids));
  await notifyAll('1');
  await set({ suspendedUntil: new Date(nowMs() + 3_600_000) });
  const isNeeded = (event: EventName) => {
    const { audience, group } = notificationEvents[event];
    return audience === 'parties' || (audience === 'member' && !notificationGroups[group].canSwitchOff);
  };
  expect(Object.keys(await deliver()).sort()).toEqual(
    events.filter((event) => isMailed(event) && isNeeded(event)).sort(),
  );
  await set({ suspendedUntil: null, deletedAt: nowDate() });
  await notifyAll('2');
  expect(await deliver()).toEqual({});
  await set({ deletedAt: null });
});

test.for(['isFromHidden', 'isFromMuted', 'isFromClosed'] as const)(
  'what a member did is not mailed where delivery finds that it %s',
  (reason) => {
    const event = findEvent('review') ?? expect.fail('there is no such event');
    const [isDeleted, isClosed, isAdmin] = [false, false, false];
    const state = {
      isDeleted,
      isClosed,
      isAdmin,
      isFromHidden: false,
      isFromMuted: false,
      isFromClosed: false,
      stage: null,
    };
    expect(notificationCan.deliver(event, state)).toBe(true);
    expect(notificationCan.deliver(event, { ...state, [reason]: true })).toBe(false);
  },
);

test('what no member did is delivered whomever its reader hides or mutes', () => {
  const event = findEvent('sanctioned') ?? expect.fail('there is no such event');
  const recipient = { isDeleted: false, isClosed: false, isAdmin: false, stage: null };
  const from = { isFromHidden: true, isFromMuted: true, isFromClosed: true };
  expect(notificationCan.deliver(event, { ...recipient, ...from })).toBe(true);
});

test('who is no admin any more neither reads nor is mailed what waits for admins', async ({
  database,
  list,
  unread,
  deliver,
}) => {
  const former = await insertMember(database, { admin: true });
  await database.transaction((transaction) =>
    notify(transaction, { event: 'ledgerDiffers', to: 'admins', details: { count: '1' } }),
  );
  const isOwn = eq(notifications.profileId, former.profileId);
  expect(await database.$count(notifications, and(isOwn, notifications.inApp))).toBe(1);
  await database.update(accounts).set({ labels: [] }).where(eq(accounts.id, former.accountId));
  const { ledgerDiffers } = await deliver();
  expect(ledgerDiffers).toHaveLength(2);
  expect(await list(former)).toEqual([]);
  expect(await unread(former)).toBe(0);
});
