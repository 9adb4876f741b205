import assert from 'node:assert/strict';
import { account } from '@tara/contract/accounts/accounts';
import { accountCall } from '../cases.ts';

/** Open sessions, and tokens that stand for one. */
export const sessionCalls = [
  accountCall(account.listSessions, {
    row: '§7-account-sessions',
    methods: ['listSessions'],
    cases: [
      {
        outcome: 'success',
        how: 'lists two sessions, one of them as the current one',
        run: async ({ newMember, guest, signIn }, invoke) => {
          const { user, email } = await newMember();
          await signIn(guest(), email);
          const { total, sessions } = await invoke(user);
          assert.deepEqual([total, sessions.filter(({ current }) => current).length], [2, 1]);
        },
      },
    ],
  }),
  accountCall(account.getSession, {
    row: '§7-account-session',
    methods: ['getSession'],
    args: ['current'],
    cases: [
      {
        outcome: 'success',
        how: 'reads `current` and the same session by its id',
        run: async ({ member }, invoke) => {
          const { user } = await member();
          const current = await invoke(user, 'current');
          assert.deepEqual(await invoke(user, current.$id), current);
        },
      },
      {
        outcome: 'user_session_not_found',
        how: 'an id without a session',
        run: async ({ member }, invoke) => invoke((await member()).user, 'nothing'),
      },
    ],
  }),
  accountCall(account.deleteSession, {
    row: '§7-account-delete-session',
    methods: ['deleteSession'],
    args: ['current'],
    cases: [
      {
        outcome: 'success',
        how: 'signs out, which clears the cookie',
        run: async ({ newMember, account: ownAccount }, invoke) => {
          const { user } = await newMember();
          await invoke(user, 'current');
          assert.equal(user.cookies.has('a_session_tara'), false);
          await assert.rejects(ownAccount(user), { type: 'general_unauthorized_scope' });
        },
      },
      {
        outcome: 'user_session_not_found',
        how: 'an id without a session',
        run: async ({ member }, invoke) => invoke((await member()).user, 'nothing'),
      },
    ],
  }),
  accountCall(account.deleteSessions, {
    row: '§7-account-delete-sessions',
    methods: ['deleteSessions'],
    cases: [
      {
        outcome: 'success',
        how: 'ends the sessions of all devices',
        run: async ({ newMember, guest, signIn, account: ownAccount }, invoke) => {
          const { user, email } = await newMember();
          const other = guest();
          await signIn(other, email);
          await invoke(user);
          await assert.rejects(ownAccount(other), { type: 'general_unauthorized_scope' });
        },
      },
    ],
  }),
  accountCall(account.createJwt, {
    row: '§7-account-jwt',
    methods: ['createJWT'],
    cases: [
      {
        outcome: 'success',
        how: 'makes a token that stands for the session',
        run: async ({ newMember, guest, account: ownAccount }, invoke) => {
          const { user, accountId } = await newMember();
          const { jwt } = await invoke(user);
          const program = guest();
          program.setHeader('X-Appwrite-JWT', jwt);
          assert.equal((await ownAccount(program)).$id, accountId);
        },
      },
      {
        outcome: 'general_argument_invalid',
        how: 'a token for more than an hour',
        parameter: 'duration',
        run: async ({ member }, invoke) => invoke((await member()).user, 3_601),
      },
      {
        outcome: 'user_jwt_creation_denied',
        how: 'a token asks for another token',
        run: async ({ newMember, guest }, invoke) => {
          const { jwt } = await invoke((await newMember()).user);
          const program = guest();
          program.setHeader('X-Appwrite-JWT', jwt);
          return invoke(program);
        },
      },
    ],
  }),
];
