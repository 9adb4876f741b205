import type { account, accounts } from '@tara/contract/accounts';
import type { adminWork } from '@tara/contract/admin';
import type { messages } from '@tara/contract/messages';
import type { profiles } from '@tara/contract/profiles';
import { primitiveCall } from '../../lib/call.ts';

/** The calls of the first page and of the shell, which do not load zod. */
export const firstCalls = {
  session: primitiveCall<typeof accounts.session>('GET', '/api/account/session', ['/api/account', 'session']),
  profile: primitiveCall<typeof profiles.get>('GET', '/api/profile/one/:id', ['/api/profile', 'get']),
  workCounts: primitiveCall<typeof adminWork.counts>('GET', '/api/admin/counts', ['/api/admin', 'counts']),
  unread: primitiveCall<typeof messages.unread>('GET', '/api/chat/unread', ['/api/chat', 'unread']),
  demo: primitiveCall<typeof accounts.demo>('GET', '/api/account/demo', ['/api/account', 'demo']),
  createEmailSession: primitiveCall<typeof account.createEmailSession>('POST', '/v1/account/sessions/email', [
    '/v1/account',
    'createEmailSession',
  ]),
  deleteSession: primitiveCall<typeof account.deleteSession>('DELETE', '/v1/account/sessions/:sessionId', [
    '/v1/account',
    'deleteSession',
  ]),
};
