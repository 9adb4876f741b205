import assert from 'node:assert/strict';
import { accountTokens } from '@tara/contract/wire/account-tokens';
import { accountCall } from '../cases.ts';
import { closedSinceLink, newEmail, newPhone } from './fixture.ts';

/** Calls that only the newest SDKs make, apart from extending a session. */
export const tokenCalls = [
  accountCall(accountTokens.createEmailCode, {
    row: '§7-account-magic-url',
    methods: ['createEmailToken'],
    args: ['unique()', 'ana@sdk.test'],
    cases: [
      {
        outcome: 'success',
        how: 'mails a code of 6 digits, and answers without it',
        run: async ({ guest, textedCode }, invoke) => {
          const email = newEmail();
          assert.equal((await invoke(guest(), 'unique()', email)).secret, '');
          assert.match(await textedCode(email), /^\d{6}$/);
        },
      },
      {
        outcome: 'general_argument_invalid',
        how: 'a text that is no email',
        run: ({ guest }, invoke) => invoke(guest(), 'unique()', 'ana'),
      },
    ],
  }),
  accountCall(accountTokens.createSession, {
    row: '§7-account-confirm-magic-url',
    methods: ['createSession'],
    args: ['ana', 'wrong'],
    cases: [
      {
        outcome: 'success',
        how: 'signs in by a link, and by a code',
        run: async ({ guest, magicLink, phoneCode }, invoke) => {
          const email = await invoke(guest(), ...(await magicLink(newEmail())));
          const phone = await invoke(guest(), ...(await phoneCode(newPhone())));
          assert.deepEqual([email.current, phone.current], [true, true]);
        },
      },
      {
        outcome: 'user_invalid_token',
        how: 'a wrong secret',
        run: ({ guest }, invoke) => invoke(guest(), 'nobody', 'wrong'),
      },
      ...closedSinceLink,
    ],
  }),
  accountCall(accountTokens.extendSession, {
    row: '§7-account-session',
    methods: ['updateSession'],
    args: ['current'],
    cases: [
      {
        outcome: 'success',
        how: 'gives the session its whole lifetime again',
        run: async ({ newMember, call }, invoke) => {
          const { user } = await newMember();
          const before = (await call(user, ['getSession'], 'current')) as { expire: string };
          const after = await invoke(user, 'current');
          assert.ok(Date.parse(after.expire) >= Date.parse(before.expire));
        },
      },
      {
        outcome: 'user_session_not_found',
        how: 'an id without a session',
        run: async ({ member }, invoke) => invoke((await member()).user, 'nothing'),
      },
    ],
  }),
];
