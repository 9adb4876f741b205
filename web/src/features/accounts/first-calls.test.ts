import { account, accounts } from '@tara/contract/accounts';
import { expect, test } from 'vitest';
import { firstCalls } from './first-calls.ts';

test('the calls of the first page are those of the contract', () => {
  const { method, path } = account.createEmailSession;
  expect(firstCalls).toEqual({
    session: { method: accounts.session.method, path: accounts.session.path },
    demo: { method: accounts.demo.method, path: accounts.demo.path },
    createEmailSession: { method, path },
  });
});
