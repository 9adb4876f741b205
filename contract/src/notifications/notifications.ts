import * as z from 'zod/mini';
import { calls, post } from '../calls.ts';
import { Id, Time } from '../fields.ts';
import { notificationsPerCall } from '../limits.ts';
import { Person } from '../members/profiles.ts';
import { getPage, Page } from '../page.ts';
import { notificationGroupNames } from './groups.ts';

/** What a member is notified of. */
export const Notification = z.object({
  id: z.string(),
  /** The name of its event. */
  event: z.string(),
  group: z.enum(notificationGroupNames),
  title: z.string(),
  /** May be empty. */
  text: z.string(),
  /** Path of the page that it is about. */
  link: z.string(),
  /** The member who did it, or whom a request is with; null where it is nobody, or who is hidden. */
  person: z.nullable(Person),
  isRead: z.boolean(),
  createdAt: Time,
});
export type Notification = z.infer<typeof Notification>;

/** The calls of one's own notifications. */
export const notifications = calls('/api/notification', {
  list: getPage('/list', Notification, {
    summary: 'What one was notified of, newest first; with `group` those of one group.',
    query: z.extend(Page, { group: z.optional(z.enum(notificationGroupNames)) }),
    errors: ['general_cursor_not_found'],
  }),
  markRead: post('/markRead', {
    summary: 'Marks notifications as read; those of others and those that are read stay as they are.',
    whileSuspended: true,
    body: z.strictObject({ ids: z.array(Id).check(z.minLength(1), z.maxLength(notificationsPerCall)) }),
  }),
  findRead: post('/findRead', {
    summary:
      'Which of the notifications that a device shows, by their tags, were read meanwhile and can be closed.',
    whileSuspended: true,
    body: z.strictObject({
      tags: z
        .array(z.string().check(z.minLength(1), z.maxLength(100)))
        .check(z.minLength(1), z.maxLength(notificationsPerCall)),
    }),
    reply: z.object({ read: z.array(z.string()) }),
  }),
  markAllRead: post('/markAllRead', {
    summary: 'Marks all notifications, or those of a group, as read that are not newer than `until`.',
    whileSuspended: true,
    body: z.strictObject({
      until: z.iso.datetime({ offset: true }),
      group: z.optional(z.enum(notificationGroupNames)),
    }),
  }),
});
