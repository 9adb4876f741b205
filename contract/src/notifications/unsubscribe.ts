import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { notificationGroupNames } from './groups.ts';

/** What an email can be unsubscribed from: the groups of its notifications, or the daily email. */
export const unsubscribeTopics = [...notificationGroupNames, 'dailyEmail'] as const;
export type UnsubscribeTopic = (typeof unsubscribeTopics)[number];

/** The token of an email, which the server sealed: it names the member and the topics, and lets nobody in. */
const ByToken = z.object({ token: z.string().check(z.maxLength(200), z.regex(/^[\w-]+$/)) });

/** The links at the end of emails: made without signing in, by anybody who has the email. */
export const unsubscribe = calls('/api/unsubscribe', {
  open: get('/:token', {
    summary: 'Leads to the page of the link, which changes nothing before it is confirmed.',
    access: 'anyone',
    params: ByToken,
    status: 302,
    reply: z.unknown(),
  }),
  topics: get('/:token/topics', {
    summary: 'What this link ends.',
    access: 'anyone',
    params: ByToken,
    reply: z.object({ topics: z.array(z.enum(unsubscribeTopics)) }),
    errors: ['unsubscribe_link_not_found'],
  }),
  confirm: post('/:token', {
    summary:
      'Ends the emails of this link, also by the one click of a mail program (RFC 8058), whose body says nothing more. Repeating it changes nothing.',
    access: 'anyone',
    whileDiskFull: true,
    bodyKind: 'raw',
    params: ByToken,
    errors: ['unsubscribe_link_not_found'],
  }),
});
