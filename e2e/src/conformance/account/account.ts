import assert from 'node:assert/strict';
import { account } from '@tara/contract/accounts/accounts';
import { prefsSize } from '@tara/contract/limits';
import { password } from '../../steps.ts';
import { accountCall } from '../cases.ts';
import { newEmail } from './fixture.ts';

const invalid = 'general_argument_invalid';

/** The account itself: making it, reading it, and leaving. */
export const accountCalls = [
  accountCall(account.create, {
    row: '§7-account-create',
    methods: ['create'],
    args: ['unique()', 'ana@sdk.test', password],
    cases: [
      {
        outcome: 'success',
        how: 'makes an account, with an id of the caller or of the server, which is not signed in',
        run: async ({ guest }, invoke) => {
          const email = newEmail();
          const created = await invoke(guest(), 'unique()', email.toUpperCase(), password);
          assert.notEqual(created.$id, 'unique()');
          assert.deepEqual([created.email, created.name, created.prefs, created.labels], [email, '', {}, []]);
          const own = `my.own-${Date.now()}`;
          const named = await invoke(guest(), own, newEmail(), password, 'Ana Cruz');
          assert.deepEqual([named.$id, named.name, named.emailVerification], [own, 'Ana Cruz', false]);
        },
      },
      {
        outcome: invalid,
        how: 'a password of 7 characters',
        run: ({ guest }, invoke) => invoke(guest(), 'unique()', newEmail(), '1234567'),
      },
      {
        outcome: invalid,
        how: 'an id that begins with a special character',
        run: ({ guest }, invoke) => invoke(guest(), '_own', newEmail(), password),
      },
      {
        outcome: 'user_already_exists',
        how: 'an email that has an account, in other case',
        run: async ({ guest, member }, invoke) =>
          invoke(guest(), 'unique()', (await member()).email.toUpperCase(), password),
      },
      {
        outcome: 'user_already_exists',
        how: 'an id that has an account',
        run: async ({ guest, member }, invoke) =>
          invoke(guest(), (await member()).accountId, newEmail(), password),
      },
      {
        outcome: 'user_password_common',
        how: 'one of the most used passwords',
        run: ({ guest }, invoke) => invoke(guest(), 'unique()', newEmail(), 'Password123'),
      },
      {
        outcome: 'general_unknown_origin',
        how: 'a page of an origin that the server does not know',
        run: ({ foreignGuest }, invoke) => invoke(foreignGuest(), 'unique()', newEmail(), password),
      },
      {
        outcome: 'general_storage_full',
        how: 'a server whose disk is nearly full',
        run: async ({ fullDisk }, invoke) =>
          invoke((await fullDisk()).guest(), 'unique()', newEmail(), password),
      },
    ],
  }),
  accountCall(account.get, {
    row: '§7-account-get',
    methods: ['get'],
    cases: [
      {
        outcome: 'success',
        how: 'reads the account of the session',
        run: async ({ member }, invoke) => {
          const { user, accountId, email } = await member();
          const read = await invoke(user);
          assert.deepEqual([read.$id, read.email, read.status], [accountId, email, true]);
          assert.match(read.$createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
        },
      },
      {
        outcome: 'user_jwt_invalid',
        how: 'a token that is none',
        run: ({ guest }, invoke) => {
          const program = guest();
          program.setHeader('X-Appwrite-JWT', 'a.b.c');
          return invoke(program);
        },
      },
      {
        outcome: 'project_not_found',
        how: 'another project',
        run: ({ otherProjectGuest }, invoke) => invoke(otherProjectGuest()),
      },
      {
        outcome: 'general_headers_too_large',
        how: 'headers of more than 16 KB',
        run: ({ guest }, invoke) => {
          const user = guest();
          user.setHeader('X-Appwrite-Locale', 'a'.repeat(20_000));
          return invoke(user);
        },
      },
    ],
  }),
  accountCall(account.getPrefs, {
    row: '§7-account-prefs',
    methods: ['getPrefs'],
    cases: [
      {
        outcome: 'success',
        how: 'reads what was never set as an empty object',
        run: async ({ newMember }, invoke) => assert.deepEqual(await invoke((await newMember()).user), {}),
      },
    ],
  }),
  accountCall(account.updatePrefs, {
    row: '§7-account-patch-prefs',
    methods: ['updatePrefs'],
    args: [{ theme: 'dark' }],
    cases: [
      {
        outcome: 'success',
        how: 'replaces the whole object, with lists and objects in it',
        run: async ({ newMember }, invoke) => {
          const { user } = await newMember();
          await invoke(user, { theme: 'dark', size: 2 });
          const prefs = { list: [1, { deep: true }] };
          assert.deepEqual((await invoke(user, prefs)).prefs, prefs);
        },
      },
      {
        outcome: invalid,
        how: 'more than 64 KB',
        run: async ({ member }, invoke) => invoke((await member()).user, { text: 'a'.repeat(prefsSize) }),
      },
      {
        outcome: 'general_body_too_large',
        how: 'more than the body of any request may have',
        run: async ({ member }, invoke) => invoke((await member()).user, { text: 'a'.repeat(256 * 1024) }),
      },
    ],
  }),
  accountCall(account.updateStatus, {
    row: '§7-account-patch-status',
    methods: ['updateStatus'],
    cases: [
      {
        outcome: 'success',
        how: 'leaves, which ends every session',
        run: async ({ newMember }, invoke) => {
          const { user, email } = await newMember();
          const left = await invoke(user);
          assert.deepEqual([left.status, left.email], [false, email]);
          await assert.rejects(invoke(user), { type: 'general_unauthorized_scope' });
        },
      },
      {
        outcome: 'user_recent_password_required',
        how: 'the password was shown an hour ago',
        run: async ({ newMember, agePassword }, invoke) => {
          const { user, accountId } = await newMember();
          await agePassword(accountId);
          return invoke(user);
        },
      },
      {
        outcome: 'account_requests_open',
        how: 'the member has a paid request that is not over',
        run: async ({ payingMember }, invoke) => invoke((await payingMember()).user),
      },
    ],
  }),
  accountCall(account.listLogs, {
    row: '§7-account-logs',
    methods: ['listLogs'],
    cases: [
      {
        outcome: 'success',
        how: 'lists the events, newest first, with limit',
        run: async ({ newMember, query }, invoke) => {
          const { user, accountId } = await newMember();
          const { total, logs } = await invoke(user);
          assert.ok(total >= 2 && logs.every(({ userId }) => userId === accountId));
          assert.equal((await invoke(user, [query.limit(1)])).logs.length, 1);
        },
      },
      {
        outcome: invalid,
        how: 'a query that is neither limit nor offset',
        run: async ({ member, query }, invoke) =>
          invoke((await member()).user, [query.equal('event', ['session.create'])]),
      },
    ],
  }),
];
