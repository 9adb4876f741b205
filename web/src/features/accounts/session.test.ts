import { account, accounts } from '@tara/contract/accounts/accounts';
import { adminWork } from '@tara/contract/admin';
import type { Call } from '@tara/contract/calls';
import { profiles } from '@tara/contract/members/profiles';
import { messages } from '@tara/contract/messages/messages';
import { expect, test } from 'vitest';
import { firstCalls } from './session.ts';

test('the calls of the first page and the shell are those of the contract', () => {
  const of = ({ method, path, key }: Call) => ({ method, path, key });
  expect(firstCalls).toEqual({
    session: of(accounts.session),
    profile: of(profiles.get),
    workCounts: of(adminWork.counts),
    unread: of(messages.unread),
    demo: of(accounts.demo),
    createEmailSession: of(account.createEmailSession),
    deleteSession: of(account.deleteSession),
  });
});
