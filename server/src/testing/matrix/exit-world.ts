import { nowMs } from '@tara/contract/clock';
import { termsVersion } from '@tara/contract/limits';
import type { ReportKind } from '@tara/contract/members/reports';
import type { CollectionId } from '@tara/contract/wire/documents';
import { eq, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import * as account from '../../features/accounts/tables.ts';
import { auditLog } from '../../features/audit/index.ts';
import { chatSettings, conversations, memberPresence } from '../../features/conversations/tables.ts';
import { devices } from '../../features/devices/index.ts';
import { disputeMessages, disputePhotos, disputes } from '../../features/disputes/index.ts';
import { files, objectRemovals, uploads } from '../../features/files/tables.ts';
import { interactions, meetingProposals, requestDecisions } from '../../features/interactions/index.ts';
import { messages, openChat, rebuildEntries, unsentMessages } from '../../features/messages/index.ts';
import { messageStore } from '../../features/messages/store.ts';
import { notificationSettings, notifications } from '../../features/notifications/index.ts';
import { book, cash, escrow } from '../../features/payments/ledger.ts';
import * as payment from '../../features/payments/tables.ts';
import { dataExports } from '../../features/personal-data/tables.ts';
import { planPhotos, plans } from '../../features/plans/index.ts';
import { postLikes, posts, saves } from '../../features/posts/index.ts';
import { friends, profiles } from '../../features/profiles/index.ts';
import { publicLinks } from '../../features/public-links/index.ts';
import { receipts } from '../../features/receipts/index.ts';
import { reports } from '../../features/reports/index.ts';
import { reviewComments, reviewLikes, reviewPhotos, reviews } from '../../features/reviews/index.ts';
import { sharedPlans } from '../../features/shared-plans/index.ts';
import { verifications } from '../../features/verification/index.ts';
import { blocks, mutes } from '../../features/visibility/index.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { FileStore } from '../../platform/files/store.ts';
import { hashSecret, newId } from '../../platform/ids.ts';
import { postponedItems } from '../../platform/jobs/tables.ts';
import { keyChecks } from '../../platform/keys/tables.ts';
import { nodes } from '../../platform/nodes/tables.ts';
import { insertPlan } from '../features/interactions.ts';
import { pictureBytes } from '../features/pictures.ts';
import { addMember, openSession, type TestMember } from '../features/sessions.ts';
import { type Marks, openMarks } from './exit-marks.ts';

export interface ExitWorld {
  marks: Marks;
  people: Record<string, TestMember | null>;
  owner: TestMember;
  party: TestMember;
  /** Ids of what the owner has, by the kind of record. */
  ids: Record<string, string[]>;
  /** Values of the other parameters of calls, and of the fields of their queries, by name. */
  parameters: Record<string, string[]>;
  /** The bucket of each picture of the owner. */
  buckets: Record<string, string>;
  /** Requests and reports at whose chats an admin may look. */
  requestIds: string[];
  reportIds: string[];
  /** Requests that the owner cancels, and that an admin ends and decides, with these notes. */
  endings: Record<'cancel' | 'refund' | 'decide', { id: string; note: string }>;
  /** What people report: of the owner, and messages of both. */
  reportables: { kind: ReportKind; recordId: string; chatId?: string }[];
  /** Gives the owner and the party other names, of which somebody who is hidden learns nothing. */
  rename: () => Promise<void>;
  /** What people create that refers to something of the owner. */
  creations: (who: TestMember | null) => [CollectionId, object][];
}

const at = new Date(nowMs() - 20 * 86_400_000);

/** Fills every table: each column of the owner's rows has a mark. */
export async function exitWorld(
  database: Database,
  stores: Record<'files' | 'documents', FileStore>,
): Promise<ExitWorld> {
  const bytes = await pictureBytes({ width: 8, height: 8 });
  const marks = openMarks();
  const { text, past, future, phone, mobile, centavos, number } = marks;
  async function add<Table extends PgTable>(table: Table, cells: Record<string, unknown> = {}, of = '') {
    const row = marks.row(table, cells, of);
    await database.insert(table).values(row);
    return row as Table['$inferSelect'];
  }
  const buckets: Record<string, string> = {};
  // The members. Of the others nothing is marked.
  const join = async (name: string, labels: string[] = []) => {
    const member = await addMember(
      { database },
      { name, username: name.toLowerCase().replace(' ', ''), labels },
    );
    await database.execute(
      sql`update profiles set verified = true, birth_date = '1990-01-01' where id = ${member.profileId}`,
    );
    return member;
  };
  const [party, reporter, other] = [
    await join(text('profiles/party.name')),
    await join('Cora Lim'),
    await join('Dan Ocampo'),
  ];
  const [blocked, blocker] = [await join('Eva Santos'), await join('Fay Mendoza')];
  const mark = (column: string, make: (label: string) => Date) => make(column).toISOString();
  // Left Tara: no list shows them, only what they did.
  const former = await join(text('profiles/former.name'));
  await database.execute(
    sql`update profiles set deleted_at = ${mark('profiles/former.deleted_at', past)} where id = ${former.profileId}`,
  );
  await database.execute(
    sql`update accounts set deleted_at = ${mark('accounts/former.deleted_at', past)} where id = ${former.accountId}`,
  );
  // Is about to leave, and hidden until then; and one who was banned.
  const leaving = await join(text('profiles/leaving.name'));
  await database.execute(
    sql`update accounts set deletes_at = ${mark('accounts/leaving.deletes_at', future)} where id = ${leaving.accountId}`,
  );
  const banned = await join(text('profiles/banned.name'));
  await database.execute(
    sql`update accounts set blocked_at = ${mark('accounts/banned.blocked_at', past)} where id = ${banned.accountId}`,
  );
  const [admin, weakAdmin] = [await join('Gil Torres', ['admin']), await join('Hana Aquino', ['admin'])];
  await database.execute(
    sql`update sessions set second_factor_shown_at = null where account_id = ${weakAdmin.accountId}`,
  );
  const { id: accountId } = await add(account.accounts, {
    ...{ email: (label: string) => `${text(label)}@example.com`, phone, labels: [], demo: false },
    prefs: (label: string) => ({ text: text(label) }),
    ...{ blockedAt: null, deletesAt: null, deletedAt: null, termsVersion },
  });
  const me = { accountId };
  const picture = async (
    bucket: 'images' | 'messageFiles' | 'verificationFiles',
    more: object = {},
    of = '',
  ) => {
    const cells = {
      ...{
        bucket,
        ownerAccountId: accountId,
        mimeType: 'image/jpeg',
        size: number,
        width: number,
        height: number,
      },
      ...{ variants: [96], readers: null, chosenId: marks.id, parts: 1, ...more },
    };
    const file = await add(files, cells, of);
    buckets[file.id] = bucket;
    await stores[bucket === 'verificationFiles' ? 'documents' : 'files'].put(`${file.path}/original`, bytes);
    return file.id;
  };
  const bio = await add(profiles, {
    ...{ accountId, imageId: await picture('images'), birthDate: marks.date, phoneNumber: mobile },
    ...{ sharesPosts: true, verified: true, deletedAt: null, sentVerifiedReq: true },
    declineReason: 'unreadable' as const,
    ...{ limitedPlan: number, totalPlan: () => 3, totalInteraction: number },
  });
  const { id: profileId } = bio;
  const secret = await openSession({ database }, accountId);
  const owner: TestMember = { accountId, profileId, secret, sessionId: '', email: '' };

  // The account.
  const { id: sessionId } = await add(account.sessions, { accountId, expiresAt: future });
  await add(devices, { accountId, sessionId, showsText: true, createdAt: past, renewedAt: past });
  await add(account.tokens, {
    accountId,
    kind: 'recovery',
    email: null,
    identityId: null,
    expiresAt: future,
  });
  await add(account.tokens, { accountId, kind: 'verification', identityId: null, expiresAt: future });
  await add(account.accountEvents, me);
  await add(account.challenges, {
    accountId,
    kind: 'phone-verification',
    phone,
    email: null,
    expiresAt: future,
  });
  await add(account.challenges, { accountId: null, kind: 'magic-url', phone: null, expiresAt: future });
  const { id: identityId } = await add(account.identities, { accountId, provider: 'google' });
  await add(account.tokens, { accountId, kind: 'oauth2', email: null, identityId, expiresAt: future });
  await add(account.oauthStates, { provider: 'google', result: 'session', expiresAt: future });
  await add(account.secondFactors, { accountId, lastStep: number });
  await add(account.recoveryCodes, me);
  const { id: exportId } = await add(dataExports, { accountId, sizeBytes: number, expiresAt: future });
  await add(auditLog, {
    ...{ actorAccountId: former.accountId },
    before: (label: string) => ({ text: text(label) }),
    after: (label: string) => ({ text: text(label) }),
  });
  await picture('images', { usedAt: null });
  await add(uploads, {
    ...me,
    ownerAccountId: accountId,
    bucket: 'images',
    chosenId: marks.id,
    size: number,
    parts: [1],
  });
  await add(friends, { ownerId: profileId, friendId: party.profileId });
  await add(friends, { ownerId: party.profileId, friendId: profileId, createdAt: at });
  await add(blocks, { blockerId: profileId, blockedId: blocked.profileId });
  await add(blocks, {
    blockerId: blocker.profileId,
    blockedId: profileId,
    blockerName: 'Fay Mendoza',
    blockedName: text,
  });
  await add(mutes, { muterId: reporter.profileId, mutedId: profileId });
  await add(chatSettings, { profileId, messagesFrom: 'everyone' });
  await add(memberPresence, { profileId });
  await add(notificationSettings, {
    ...{ profileId, switchedOff: ['posts email'], timeZone: 'Asia/Manila', pausedUntil: future },
    ...{ quietFrom: 22, quietUntil: 7, heldChats: [text('notification_settings.held_chats')] },
  });
  const verificationIds: string[] = [];
  for (const valid of [null, true]) {
    const check = await add(verifications, {
      ...{ userId: profileId, valid, acceptedAt: valid && past },
      idFrontId: await picture('verificationFiles'),
      idBackId: await picture('verificationFiles'),
      photoId: await picture('verificationFiles'),
    });
    verificationIds.push(check.id);
  }

  await database.execute(sql`update profiles set phone_number = '09170000009', payout_number_from = null
    where id = ${party.profileId}`);

  for (const [whose, member] of Object.entries({ party, blocker, former, leaving, banned })) {
    marks.register(`accounts/${whose}.id`, member.accountId);
    marks.register(`profiles/${whose}.id`, member.profileId);
  }

  // Posts and plans.
  const post = await add(posts, { creatorId: profileId, imageId: await picture('images') });
  const theirPost = newId();
  await database
    .insert(posts)
    .values({ id: theirPost, creatorId: party.profileId, caption: 'Hi', usedDp: true });
  await add(postLikes, { whoLiked: profileId, postId: theirPost });
  await add(saves, { userId: profileId, postId: theirPost });
  const { id: planId, title } = await add(plans, {
    ...{ creatorId: profileId, imageId: await picture('images'), removedAt: null, closedAt: null },
  });
  const { id: closedPlanId } = await add(plans, {
    ...{ creatorId: profileId, imageId: await picture('images'), removedAt: null },
  });
  const { id: removedPlanId } = await add(
    plans,
    { creatorId: profileId, imageId: await picture('images') },
    '/removed',
  );
  const { id: planLinkId } = await add(publicLinks, { profileId, planId });
  const { id: invitationId } = await add(publicLinks, { profileId, planId: null });
  await add(planPhotos, { planId, position: 0, imageId: await picture('images') });
  const bought = await insertPlan(database, party);
  marks.register('plans/party.id', bought);
  marks.register('posts/party.id', theirPost);

  // Requests: of the owner for a plan of the party, but the last one.
  const none = {
    ...{ paidAt: null, acceptedAt: null, userSetDoneAt: null, adminSetDoneAt: null },
    ...{
      completedAt: null,
      cancelledAt: null,
      meetsAt: future,
      meetsUntil: future,
      dayStartsAt: future,
      payUntil: future,
    },
    ...{ creatorMetAt: null, disputedAt: null, frozenAt: null, chargedBackAt: null, payoutWaitsUntil: null },
    ...{
      paidOutAt: null,
      refundedAt: null,
      cancelReason: null,
      refundNumber: phone,
      clientName: null,
      creatorName: null,
    },
    ...{ releasedCentavos: 0, refundCentavos: 0, cancelNote: '', cancelledBy: null, confirmedBy: null },
  };
  const request = async (fields: object) =>
    add(interactions, {
      ...{
        ...none,
        planId: await insertPlan(database, party),
        clientId: profileId,
        creatorId: party.profileId,
      },
      linkId: (label: string) => `link_${text(label)}`,
      webhookId: (label: string) => `hook_${text(label)}`,
      paymentId: (label: string) => `pay_${text(label)}`,
      ...fields,
    });
  const paid = { paidAt: past, acceptedAt: past, dayStartsAt: past, meetsAt: past, meetsUntil: past };
  const done = { ...paid, userSetDoneAt: past, adminSetDoneAt: past, completedAt: past };
  const open = await request({ acceptedAt: past, paymentId: null });
  const completed = await request({
    ...{ ...done, confirmedBy: former.accountId, reviewSubmitted: true, paidOutAt: past, creatorMetAt: past },
    ...{
      payoutWaitsUntil: past,
      disputedAt: past,
      clientName: text,
      creatorName: 'Ben Reyes',
    },
    ...{ priceCentavos: 90_000_000, releasedCentavos: centavos, refundCentavos: centavos, paymentId: null },
  });
  const cancelled = await request({
    ...{ ...paid, cancelledAt: past, cancelledBy: profileId, cancelReason: 'withdrawn', cancelNote: text },
    ...{ refundedAt: past, clientName: text, creatorName: 'Ben Reyes', paymentId: null },
  });
  const contested = await request({ ...paid, userSetDoneAt: past, disputedAt: past, frozenAt: past });
  const charged = await request({ ...paid, userSetDoneAt: past, chargedBackAt: past });
  const chargedBefore = await request({ ...paid, userSetDoneAt: past });
  const refunded = await request({
    ...{ ...paid, cancelledAt: past, cancelledBy: profileId, cancelReason: 'withdrawn', cancelNote: text },
    ...{ refundedAt: past, clientName: text, creatorName: 'Ben Reyes', paymentId: null },
  });
  const owed = await request({
    ...done,
    payoutWaitsUntil: future,
    clientName: text,
    creatorName: 'Ben Reyes',
  });
  const sold = await add(interactions, {
    ...{ ...none, ...paid, planId, planTitle: title, clientId: party.profileId, creatorId: profileId },
    ...{ refundNumber: '+639170000001', linkId: null, webhookId: null, paymentId: null },
    ...{ meetsAt: future, meetsUntil: future, dayStartsAt: future },
  });
  const toRefund = await request(paid);
  const toDecide = await request({ ...paid, userSetDoneAt: past, disputedAt: past });
  for (const { id: interactionId, paymentId } of [toRefund, toDecide])
    await add(payment.capturedPayments, { id: paymentId, interactionId, feeCentavos: centavos });
  const endings = {
    cancel: { id: (await request({})).id, note: text('interactions.cancel_note') },
    refund: { id: toRefund.id, note: text('interactions.cancel_note') },
    decide: { id: toDecide.id, note: text('request_decisions.note') },
  };
  await add(meetingProposals, {
    ...{ interactionId: open.id, proposedBy: profileId, answer: null, answeredAt: null },
    ...{ meetsAt: future, meetsUntil: future },
  });
  await add(
    meetingProposals,
    { interactionId: sold.id, proposedBy: profileId, answer: 'declined' },
    '/answered',
  );
  const token = 'a-token-of-the-owner';
  marks.register('shared_plans.token_hash', hashSecret(token).toString('hex'));
  await add(sharedPlans, {
    interactionId: sold.id,
    profileId,
    tokenHash: hashSecret(token),
  });
  for (const { id } of [contested, completed]) {
    const answered = id === completed.id;
    await add(disputes, {
      ...{ interactionId: id, reason: 'absent' },
      ...(answered ? {} : { answer: null, answeredAt: null }),
    });
    await add(disputePhotos, { interactionId: id, profileId, position: 0, imageId: await picture('images') });
    await add(disputeMessages, { interactionId: id, profileId, position: 0, messageId: text });
  }
  await add(requestDecisions, {
    ...{ interactionId: completed.id, occasion: 'dispute', outcome: 'split', decidedBy: former.accountId },
  });
  await add(notifications, {
    ...{ interactionId: completed.id, event: 'decided', groupName: 'money', recordId: '', profileId },
    ...{ inApp: true, actorId: null },
    details: (label: string) => ({ note: text(label) }),
  });
  await add(
    notifications,
    {
      ...{ interactionId: null, event: 'review', groupName: 'posts', profileId, inApp: true },
      ...{ actorId: party.profileId, details: {} },
    },
    '/member',
  );

  // Money.
  const captured: string[] = [];
  for (const { id: interactionId } of [completed, cancelled, charged, chargedBefore, refunded, owed]) {
    const id = (label: string) => `pay_${text(label)}`;
    captured.push((await add(payment.capturedPayments, { id, interactionId, feeCentavos: centavos })).id);
  }
  const wallet = (label: string) => ({ number: text(label), name: text(label), bic: text(label) });
  /** What is owed to the party, or back to the owner. */
  const owe = (
    purpose: 'payout' | 'refund',
    { id: interactionId }: { id: string },
    paymentId: string | undefined,
    more: object,
  ) =>
    add(
      payment.disbursements,
      {
        ...{ interactionId, paymentId, purpose, way: 'transfer', state: 'owed', arrivedAt: null },
        ...(purpose === 'payout'
          ? { recipientId: party.profileId, number: null }
          : { recipientId: profileId, number: phone }),
        ...more,
      },
      purpose === 'refund' ? '/refund' : '',
    );
  const attempt = (disbursementId: string, more: object, of = '') =>
    add(
      payment.attempts,
      {
        ...{ disbursementId, number: 1, way: 'transfer', state: 'refused', sentBy: former.accountId },
        ...{ source: wallet, destination: wallet, reference: text, ...more },
      },
      of,
    );
  const arrived = { state: 'arrived', arrivedAt: past };
  const paidOut = await owe('payout', completed, captured[0], { ...arrived, way: 'hand' });
  await attempt(paidOut.id, { way: 'hand', key: null, state: 'arrived', problem: null });
  await attempt((await owe('payout', owed, captured[5], {})).id, { reference: null });
  await owe('refund', cancelled, captured[1], {});
  const returned = await owe('refund', refunded, captured[4], { ...arrived, way: 'provider' });
  const sentBack = { way: 'provider', state: 'arrived', destination: null, source: null };
  await attempt(returned.id, sentBack, '/refund');
  await add(payment.manualTransfers, {
    ...{ reference: text, disbursementId: paidOut.id, interactionId: completed.id },
    ...{ state: 'refused', problem: text, amountCentavos: centavos },
  });
  for (const [{ id: interactionId }, paymentId, state] of [
    [charged, captured[2], 'open'],
    [chargedBefore, captured[3], 'won'],
  ] as const)
    await add(payment.chargebacks, {
      ...{ interactionId, paymentId, state, decidedAt: state === 'open' ? null : past },
      possiblePaymentIds: [paymentId],
      ...{ amountCentavos: 90_000_000, fromEscrowCentavos: centavos, fromPayableCentavos: centavos },
      feeCentavos: centavos,
      dueOn: marks.date,
      evidence: (label: string) => ({
        ...{ planTitle: text(label), terms: text(label), referenceNumber: text(label) },
        payments: [{ id: text(label), amountCentavos: 1, method: text(label), paidAt: at.toISOString() }],
      }),
    });
  await add(payment.unassignedDisputes, {
    ...{ amountCentavos: 90_000_000, state: 'open', paymentIds: [captured[0]] },
  });
  await database.transaction((transaction) =>
    book(transaction, {
      ...{ kind: 'capture', interactionId: completed.id, of: completed.id, paymentId: captured[0] ?? null },
      entries: [
        [cash, 7_123_457],
        [escrow(completed.id), -7_123_457],
      ],
    }),
  );
  marks.register('ledger_entries.amount', '7123457', '71234.57');
  const problem = (label: string) => ({ text: text(label) });
  await add(payment.providerEvents, { payload: problem, body: null, processedAt: past });
  await add(payment.providerEvents, { payload: null, processedAt: past });
  await add(payment.providerReads, { list: 'payments', openIds: problem });
  await add(payment.providerWebhooks, { webhookId: text });
  await add(payment.ledgerChecks, {
    counts: { transfers: 1 },
    differences: (label: string) => [{ rule: 'sum', subject: text(label), text: text(label) }],
  });
  await add(payment.moneyAlarms, { kind: 'chargebackOpened', recordId: text, dueOn: marks.date });
  await add(postponedItems, { itemId: text });
  await add(nodes, { poolId: text });
  await add(objectRemovals, { key: text, dueAt: future });
  await add(keyChecks);

  // Chats.
  const conversationId = marks.id('conversations.id');
  const mixId = `${accountId}${party.accountId}`;
  await database.insert(conversations).values(
    marks.row(conversations, {
      ...{ id: conversationId, mixId, firstId: profileId, secondId: party.profileId },
      ...{ firstAccountId: accountId, secondAccountId: party.accountId },
    }),
  );
  const members = {
    first: { id: party.profileId, accountId: party.accountId },
    second: { id: profileId, accountId },
  };
  const expiresAt = new Date(nowMs() + 6e8);
  await database.transaction((transaction) =>
    openChat(transaction, {
      ...{ id: conversationId, kind: 'conversation', expiresAt, awaitsId: null },
      ...{ first: members.second, second: members.first },
    }),
  );
  const chatIds = [conversationId];
  // The first message of a stranger, which the owner has not accepted.
  const requestMixId = `${other.accountId}${accountId}`;
  const stranger = { id: other.profileId, accountId: other.accountId };
  const { id: requestId } = await add(
    conversations,
    {
      ...{ id: marks.id, mixId: requestMixId, isRequest: true },
      ...{ firstId: other.profileId, secondId: profileId },
      ...{ firstAccountId: other.accountId, secondAccountId: accountId },
    },
    '/request',
  );
  await database.transaction((transaction) =>
    openChat(transaction, {
      ...{ id: requestId, kind: 'conversation', expiresAt, awaitsId: profileId },
      ...{ first: stranger, second: members.second },
    }),
  );
  for (const { id: interactionId, completedAt: closedAt } of [open, completed, contested]) {
    const { id } = await add(receipts, {
      ...{ interactionId, creatorId: party.profileId, clientId: profileId },
      ...{ creatorAccountId: party.accountId, clientAccountId: accountId },
    });
    chatIds.push(id);
    await database.transaction((transaction) =>
      openChat(transaction, {
        ...{ id, kind: 'receipt', expiresAt: null, awaitsId: null, closedAt },
        ...members,
      }),
    );
  }
  await messageStore(database)([
    {
      ...{ chatId: requestId, userId: other.profileId, name: 'Dan Ocampo', body: 'Hi', picture: null },
      ...{ replyTo: null, clientKey: newId() },
    },
  ]);
  const messageIds: string[] = [];
  /** A picture as messages hold it. */
  const presented = async (imageId: string) => {
    const [row] = await database.select().from(files).where(eq(files.id, imageId));
    const { ownerAccountId: _owner, ...shown } = row ?? {};
    return shown as never;
  };
  for (const chatId of chatIds) {
    const imageId = await picture('messageFiles', { readers: [accountId, party.accountId] });
    const shown = await presented(imageId);
    const outcomes = await messageStore(database)(
      [text('messages.body'), 'unsent', '', text('messages.body')].map((body, index) => ({
        ...{ chatId, userId: profileId, name: text('messages.name'), body },
        // The last one replies to the first.
        replyTo: index === 3 ? 1 : null,
        ...{ picture: body === '' ? shown : null, clientKey: text('messages.client_key') },
      })),
    );
    const sent = outcomes.map((outcome) => (outcome.state === 'stored' ? outcome.id : ''));
    for (const id of sent) marks.register('messages.id', id);
    messageIds.push(...sent);
    const unsentImageId = await picture('messageFiles', { readers: [] }, '/unsent');
    await add(unsentMessages, {
      ...{ chatId, sequence: 2, imageId: unsentImageId, picture: await presented(unsentImageId) },
    });
    await database.execute(sql`update ${messages} set body = 'message unsent', unsent_at = now()
      where chat_id = ${chatId} and sequence = 2`);
  }
  await rebuildEntries(database);

  // Reviews and reports.
  const { id: reviewId } = await add(reviews, {
    ...{
      interactionId: completed.id,
      creatorId: profileId,
      ownerId: party.profileId,
      planId: bought,
      stars: 8,
    },
  });
  await add(reviewPhotos, { reviewId, position: 0, imageId: await picture('images') });
  await add(reviewLikes, { whoLiked: profileId, reviewId });
  const { id: commentId } = await add(reviewComments, { creatorId: profileId, reviewId });
  const report = { decision: null, decidedBy: null, decidedAt: null, memberId: profileId };
  const snapshot = (label: string) => ({
    ...{ title: text(label), text: text(label), imageUrl: null, createdAt: at.toISOString() },
  });
  const reportIds: string[] = [];
  for (const about of [
    { reporterId: former.profileId, kind: 'member', recordId: profileId, chatId: null },
    { reporterId: reporter.profileId, kind: 'post', recordId: post.id, chatId: null },
    { reporterId: party.profileId, kind: 'message', recordId: messageIds[5], chatId: chatIds[1] },
  ])
    reportIds.push((await add(reports, { ...report, ...about, reason: 'spam', snapshot })).id);
  await add(
    reports,
    {
      ...{ reporterId: former.profileId, memberId: profileId, kind: 'post', recordId: post.id, chatId: null },
      ...{ reason: 'spam', snapshot, decision: 'dismiss', decidedBy: former.accountId },
    },
    '/decided',
  );
  const kinds: Record<string, string[]> = {
    ...{
      profile: [profileId, party.profileId],
      post: [post.id, theirPost],
      plan: [planId, closedPlanId, removedPlanId, bought],
    },
    ...{ review: [reviewId], receipt: chatIds.slice(1), export: [exportId], verification: verificationIds },
    publicLink: [planLinkId, invitationId],
    request: [
      ...[open, completed, cancelled, contested, charged, chargedBefore, refunded, owed, sold],
      ...Object.values(endings),
    ].map((row) => row.id),
  };
  const search = [...new Set([bio.name, bio.hobby, title, post.caption, post.location])];
  return {
    ...{
      marks,
      owner,
      party,
      buckets,
      ids: kinds,
      reportables: [
        { kind: 'member', recordId: profileId },
        { kind: 'post', recordId: post.id },
        { kind: 'plan', recordId: planId },
        { kind: 'review', recordId: reviewId },
        { kind: 'comment', recordId: commentId },
        ...messageIds.map((recordId, index) => ({
          ...{ kind: 'message' as const, recordId, chatId: chatIds[Math.floor(index / 4)] ?? '' },
        })),
      ],
      reportIds,
      endings,
      requestIds: [contested.id, completed.id, owed.id],
    },
    people: { guest: null, owner, party, reporter, other, blocked, blocker, leaving, admin, weakAdmin },
    parameters: {
      ...{
        mixId: [mixId, requestMixId],
        chatId: [...chatIds, requestId],
        fileId: Object.keys(buckets),
        token: [token],
        search,
      },
      ...{ sessionId: ['current'], requests: ['true'], pages: ['3'] },
    },
    rename: async () => {
      for (const [member, whose] of [
        [owner, '/renamed'],
        [party, '/party-renamed'],
      ] as const)
        await database
          .update(profiles)
          .set({ name: text(`profiles${whose}.name`) })
          .where(eq(profiles.id, member.profileId));
    },
    creations: (who) => [
      ['likedPosts', { postId: post.id }],
      ['saves', { postId: post.id }],
      ['likedReviews', { reviewId }],
      ['reviewComments', { reviewId, body: 'Hi' }],
      ['planInteractions', { planId }],
      [
        'conversations',
        { creators: [who?.profileId ?? 'none', who === owner ? party.profileId : profileId] },
      ],
      ['conversationReceipts', { interactionId: owed.id }],
      ...chatIds.flatMap((chatId): [CollectionId, object][] => [
        ['chats', { convoId: chatId, body: 'Hi' }],
        ['chatReceipts', { conversationReceiptId: chatId, body: 'Hi' }],
      ]),
    ],
  };
}
