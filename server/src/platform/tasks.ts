import { notificationGroupNames } from '@tara/contract/notifications/groups';
import { z } from 'zod';
import { defineTask } from './jobs/task.ts';

const Nothing = z.object({});

/** A job about one record, which it names by this field: while it waits it is not queued twice. */
const about = <Field extends string>(field: Field) => ({
  payload: z.object({ [field]: z.string() }) as unknown as z.ZodType<Record<Field, string>>,
  key: (job: Record<Field, string>) => job[field],
});

/** Tries of a push, within some minutes unless its push service names a time. Later nobody waits for it. */
const pushAttempts = 6;

/** Every kind of job. The features that do them are rows of `feature-list.ts`; any feature may enqueue one. */
export const tasks = {
  /** Sends a mail that waits encrypted; after about four days nobody waits for it. */
  sendMail: defineTask('accounts.mail', { payload: z.object({ sealed: z.string() }), maxAttempts: 25 }),
  /** Texts a message that waits encrypted; one that is older than its code need not arrive. */
  sendSms: defineTask('accounts.sms', { payload: z.object({ sealed: z.string() }), maxAttempts: 5 }),
  /** Mails the confirmation link to an account, or to the unconfirmed accounts of a username. */
  resendConfirmation: defineTask('accounts.resend', {
    payload: z.union([z.object({ accountId: z.string() }), z.object({ username: z.string() })]),
    maxAttempts: 5,
  }),
  mailRecovery: defineTask('accounts.recovery', {
    payload: z.object({
      email: z.string(),
      url: z.string(),
      visit: z.object({ ip: z.string(), userAgent: z.string() }),
      isLast: z.optional(z.boolean()),
    }),
    maxAttempts: 5,
  }),
  /** Deletes the accounts whose members left 14 days ago. */
  deleteLeftAccounts: defineTask('personalData.deleteLeft', { payload: Nothing, alone: true }),
  deleteAccount: defineTask('personalData.delete', { ...about('accountId'), timeoutMinutes: 60 }),
  exportData: defineTask('personalData.export', { ...about('exportId'), timeoutMinutes: 60 }),
  /** Removes the exports of before an account passed to another person. */
  removeExports: defineTask('personalData.removeClaimed', about('accountId')),
  removeOldExports: defineTask('personalData.removeExports', { payload: Nothing, alone: true }),
  cleanUpAccounts: defineTask('accounts.cleanUp', { payload: Nothing, alone: true }),
  removeFile: defineTask('files.remove', about('id')),
  sweepFiles: defineTask('files.sweep', { payload: Nothing, alone: true }),
  expireVerifications: defineTask('verification.expire', { payload: Nothing, alone: true }),
  /** Writes the lists of chats that a node left unwritten that died; `lastNotedAt` is when it noted last that it lives. */
  repairLists: defineTask('messages.repairLists', { payload: z.object({ lastNotedAt: z.string() }) }),
  /** Closes or opens the very many chats of a member who left or stays; the trigger of migration 0293 enqueues it. */
  stopChats: defineTask('messages.stopChats', { ...about('profileId'), timeoutMinutes: 60 }),
  /** Deletes the originals of unsent messages whose request has been over for 30 days. */
  removeUnsentMessages: defineTask('messages.removeUnsent', { payload: Nothing, alone: true }),
  /**
   * Announces to both members of a conversation that it no longer expires; the trigger of migration 0054 enqueues it.
   */
  announceLiftedExpiry: defineTask('conversations.expiryLifted', about('conversationId')),
  /** Announces notifications to the tabs of their members, and begins their emails. */
  deliverNotifications: defineTask('notifications.deliver', {
    payload: z.object({ ids: z.array(z.string()) }),
  }),
  /** Mails a notification, unless it was seen meanwhile or need not be mailed. */
  mailNotification: defineTask('notifications.mail', about('id')),
  /** Pushes a notification to a device, unless it was read meanwhile or may not be delivered any more. */
  pushNotification: defineTask('notifications.push', {
    payload: z.object({ id: z.string(), deviceId: z.string() }),
    key: ({ id, deviceId }) => `${id} ${deviceId}`,
    maxAttempts: pushAttempts,
    priority: 'push',
  }),
  /**
   * Begins the pushes of a chat to the devices of one of its members who is not here. Who seems to be here is looked for once
   * more, by a job of its own, so that it does not put off the push of what follows.
   */
  pushChat: defineTask('notifications.pushChat', {
    payload: z.object({ chatId: z.string(), profileId: z.string(), isSecond: z.optional(z.boolean()) }),
    key: ({ chatId, profileId, isSecond }) => `${chatId} ${profileId}${isSecond ? ' second' : ''}`,
    maxAttempts: pushAttempts,
    priority: 'push',
  }),
  /** Pushes that a member has unread messages of a chat to a device. */
  pushChatToDevice: defineTask('notifications.pushChatToDevice', {
    payload: z.object({ chatId: z.string(), profileId: z.string(), deviceId: z.string() }),
    key: ({ chatId, deviceId }) => `${chatId} ${deviceId}`,
    maxAttempts: pushAttempts,
    priority: 'push',
  }),
  /** Pushes and mails a member what quiet hours or a pause held up. */
  deliverHeld: defineTask('notifications.deliverHeld', { ...about('profileId'), priority: 'bulk' }),
  /** Pushes what was held up to a device, as one. */
  pushHeld: defineTask('notifications.pushHeld', {
    payload: z.object({
      profileId: z.string(),
      ids: z.array(z.string()),
      chatIds: z.array(z.string()),
      deviceId: z.string(),
      isSecond: z.optional(z.boolean()),
    }),
    key: ({ ids, chatIds, deviceId }) => `${[...ids, ...chatIds][0]} ${deviceId}`,
    maxAttempts: pushAttempts,
    priority: 'push',
  }),
  /** Mails a member what they did not see, once a day. */
  mailDaily: defineTask('notifications.mailDaily', { ...about('profileId'), priority: 'bulk' }),
  /** Marks the rest of very many notifications as read. */
  markNotifications: defineTask('notifications.markRead', {
    payload: z.object({
      profileId: z.string(),
      until: z.string(),
      group: z.optional(z.enum(notificationGroupNames)),
    }),
    key: ({ profileId, group }) => `${profileId} ${group ?? ''}`,
  }),
  /** Deletes notifications that were read 90 days ago. */
  removeReadNotifications: defineTask('notifications.removeRead', { payload: Nothing, alone: true }),
  /** Brings the notification of a post's author to its likes, and that of a review's. */
  notifyPostLikes: defineTask('posts.notifyLikes', about('recordId')),
  notifyReviewLikes: defineTask('reviews.notifyLikes', about('recordId')),
  /** Notifies the members of conversations that end within a day. */
  notifyExpiring: defineTask('conversations.notifyExpiring', { payload: Nothing, alone: true }),
  /** Notifies the parties of requests of which an admin decides, because the client said nothing. */
  notifyUnanswered: defineTask('disputes.notifyUnanswered', { payload: Nothing, alone: true }),
  /** Notifies admins of what waits in their lists. */
  notifyWork: defineTask('admin.notifyWork', { payload: Nothing, alone: true }),
  /** Writes what happened to a request into its plan chat. */
  writePlanChatLines: defineTask('receipts.writeLines', about('interactionId')),
  createPaymentLink: defineTask('payments.createLink', {
    ...about('interactionId'),
    work: 'core',
    priority: 'awaited',
  }),
  archivePaymentLink: defineTask('payments.archiveLink', { ...about('interactionId'), work: 'core' }),
  disburse: defineTask('payments.disburse', { ...about('disbursementId'), work: 'core' }),
  /** Works a stored event of the provider. */
  workProviderEvent: defineTask('payments.event', {
    ...about('eventId'),
    work: 'core',
    priority: 'awaited',
  }),
  /** Sends the payouts that wait for a creator's phone number. */
  profilePayouts: defineTask('payments.payoutsOf', {
    payload: z.object({ profileId: z.string() }),
    work: 'core',
  }),
  /** Ends requests whose time is over, and reminds clients. */
  workDeadlines: defineTask('payments.deadlines', { payload: Nothing, alone: true }),
  /** Compares the ledger with itself and with the provider. */
  checkLedger: defineTask('payments.checkLedger', {
    payload: Nothing,
    alone: true,
    // Within half an hour: the provider may be away for some minutes.
    maxAttempts: 8,
    timeoutMinutes: 120,
  }),
  /** Notifies admins of what is wrong with money. */
  watchMoney: defineTask('payments.watch', { payload: Nothing, alone: true }),
  reconcilePayments: defineTask('payments.reconcile', { payload: Nothing, alone: true }),
};

/** The names of all tasks in the queue. */
export type TaskName = (typeof tasks)[keyof typeof tasks]['name'];

/** What nobody enqueues, each alone, with its times: `minute hour day month weekday`, in UTC. */
export const schedule = {
  [tasks.workDeadlines.name]: '* * * * *',
  [tasks.sweepFiles.name]: '17 * * * *',
  [tasks.deleteLeftAccounts.name]: '7 * * * *',
  [tasks.removeOldExports.name]: '27 * * * *',
  [tasks.cleanUpAccounts.name]: '41 3 * * *',
  [tasks.removeUnsentMessages.name]: '31 3 * * *',
  [tasks.removeReadNotifications.name]: '37 3 * * *',
  [tasks.notifyExpiring.name]: '47 * * * *',
  [tasks.notifyUnanswered.name]: '*/10 * * * *',
  // In the morning in the Philippines.
  [tasks.notifyWork.name]: '0 1 * * *',
  // At night in the Philippines.
  [tasks.checkLedger.name]: '11 19 * * *',
  [tasks.watchMoney.name]: '23 * * * *',
  [tasks.expireVerifications.name]: '53 3 * * *',
};
