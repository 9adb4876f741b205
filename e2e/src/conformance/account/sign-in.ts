import assert from 'node:assert/strict';
import { account } from '@tara/contract/accounts/accounts';
import { password } from '../../steps.ts';
import { accountCall, type Invoke } from '../cases.ts';
import type { Fixture } from '../fixture.ts';
import { isForNode } from '../sdks.ts';
import { closedSinceLink, closings, newEmail, newPhone } from './fixture.ts';

const invalid = 'general_argument_invalid';

/** The ways to sign in. */
export const signInCalls = [
  accountCall(account.createEmailSession, {
    row: '§7-account-email-session',
    methods: ['createEmailPasswordSession', 'createEmailSession'],
    args: ['ana@sdk.test', password],
    cases: [
      {
        outcome: 'success',
        how: 'signs in; a browser gets the secret by cookie alone',
        run: async ({ guest, newMember, account: ownAccount, sdk }, invoke) => {
          const { email, accountId } = await newMember();
          const user = guest();
          const session = await invoke(user, email.toUpperCase(), password);
          assert.deepEqual(
            [session.userId, session.provider, session.providerUid, session.current],
            [accountId, 'email', email, true],
          );
          assert.equal(session.secret === '', !isForNode(sdk));
          assert.equal((await ownAccount(user)).$id, accountId);
        },
      },
      {
        outcome: invalid,
        how: 'a text that is no email',
        run: ({ guest }, invoke) => invoke(guest(), 'ana', password),
      },
      {
        outcome: 'user_invalid_credentials',
        how: 'a wrong password',
        run: async ({ guest, member }, invoke) => invoke(guest(), (await member()).email, 'not the password'),
      },
      {
        outcome: 'user_invalid_credentials',
        how: 'an email without an account',
        run: ({ guest }, invoke) => invoke(guest(), newEmail(), password),
      },
      ...closings.map(({ outcome, what, close }) => ({
        outcome,
        how: what,
        run: async (fixture: Fixture, invoke: Invoke) => {
          const { email, accountId } = await fixture.newMember();
          await fixture[close](accountId);
          return invoke(fixture.guest(), email, password);
        },
      })),
      {
        outcome: 'general_rate_limit_exceeded',
        how: 'more wrong passwords than one may try, on a server with rate limits',
        run: async ({ limited }, invoke) => {
          const fixture = await limited();
          const user = fixture.guest();
          const email = newEmail();
          for (let tries = 0; tries < 100; tries++) {
            const error = await invoke(user, email, 'not the password').catch((thrown: unknown) => thrown);
            if ((error as { type?: string }).type !== 'user_invalid_credentials') throw error;
          }
        },
      },
    ],
  }),
  accountCall(account.createAnonymousSession, {
    row: '§7-account-anonymous-session',
    methods: ['createAnonymousSession'],
    cases: [
      {
        outcome: 'success',
        how: 'makes an account without email and signs in to it',
        run: async ({ guest, account: ownAccount }, invoke) => {
          const user = guest();
          const session = await invoke(user);
          const own = await ownAccount(user);
          assert.deepEqual([session.provider, own.$id, own.email], ['anonymous', session.userId, '']);
        },
      },
      {
        outcome: 'user_session_already_exists',
        how: 'somebody is signed in',
        run: async ({ member }, invoke) => invoke((await member()).user),
      },
    ],
  }),
  accountCall(account.createMagicUrl, {
    row: '§7-account-magic-url',
    methods: ['createMagicURLToken', 'createMagicURLSession'],
    args: ['unique()', 'ana@sdk.test'],
    cases: [
      {
        outcome: 'success',
        how: 'mails a link to the address, and answers without the secret',
        run: async ({ guest, tara, linkInMail }, invoke) => {
          const email = newEmail();
          const token = await invoke(guest(), 'unique()', email, `${tara.url}/sign-in?from=mail`);
          assert.equal(token.secret, '');
          const { searchParams } = await linkInMail(email, '/sign-in');
          assert.equal(searchParams.get('from'), 'mail');
          assert.ok((searchParams.get('secret') ?? '').length >= 32);
        },
      },
      {
        outcome: invalid,
        how: 'an address at another site',
        run: ({ guest }, invoke) => invoke(guest(), 'unique()', newEmail(), 'https://evil.example/'),
      },
    ],
  }),
  accountCall(account.confirmMagicUrl, {
    row: '§7-account-confirm-magic-url',
    methods: ['updateMagicURLSession'],
    args: ['ana', 'wrong'],
    cases: [
      {
        outcome: 'success',
        how: 'signs in by the link, makes the account and confirms its email',
        run: async ({ guest, magicLink, account: ownAccount }, invoke) => {
          const email = newEmail();
          const user = guest();
          const session = await invoke(user, ...(await magicLink(email)));
          assert.equal(session.provider, 'magic-url');
          const own = await ownAccount(user);
          assert.deepEqual([own.email, own.emailVerification], [email, true]);
        },
      },
      {
        outcome: 'user_invalid_token',
        how: 'a wrong secret',
        run: async ({ guest, magicLink }, invoke) => {
          const [userId] = await magicLink(newEmail());
          return invoke(guest(), userId, 'wrong');
        },
      },
      {
        outcome: 'user_invalid_token',
        how: 'the link a second time',
        run: async ({ guest, magicLink }, invoke) => {
          const link = await magicLink(newEmail());
          await invoke(guest(), ...link);
          return invoke(guest(), ...link);
        },
      },
      ...closedSinceLink,
    ],
  }),
  accountCall(account.createPhoneCode, {
    row: '§7-account-phone-session',
    methods: ['createPhoneToken', 'createPhoneSession'],
    args: ['unique()', '+639170000001'],
    cases: [
      {
        outcome: 'success',
        how: 'texts a code of 6 digits',
        run: async ({ guest, textedCode }, invoke) => {
          const phone = newPhone();
          assert.equal((await invoke(guest(), 'unique()', phone)).secret, '');
          assert.match(await textedCode(phone), /^\d{6}$/);
        },
      },
      {
        outcome: invalid,
        how: 'a text that is no phone number',
        run: ({ guest }, invoke) => invoke(guest(), 'unique()', 'one two three'),
      },
      {
        outcome: 'general_phone_disabled',
        how: 'a server that cannot send text messages',
        run: async ({ limited }, invoke) => invoke((await limited()).guest(), 'unique()', newPhone()),
      },
    ],
  }),
  accountCall(account.confirmPhoneCode, {
    row: '§7-account-confirm-phone-session',
    methods: ['updatePhoneSession'],
    args: ['ana', '123456'],
    cases: [
      {
        outcome: 'success',
        how: 'signs in by the code, makes the account and confirms its phone number',
        run: async ({ guest, phoneCode, account: ownAccount }, invoke) => {
          const phone = newPhone();
          const user = guest();
          const session = await invoke(user, ...(await phoneCode(phone)));
          assert.equal(session.provider, 'phone');
          const own = await ownAccount(user);
          assert.deepEqual([own.phone, own.phoneVerification], [phone, true]);
        },
      },
      {
        outcome: 'user_invalid_token',
        how: 'a wrong code',
        run: async ({ guest, phoneCode }, invoke) => {
          const [userId, code] = await phoneCode(newPhone());
          return invoke(guest(), userId, code === '000000' ? '000001' : '000000');
        },
      },
      ...closings.map(({ outcome, what, close }) => ({
        outcome,
        how: `${what} since the code was sent`,
        run: async (fixture: Fixture, invoke: Invoke) => {
          const { accountId, phone } = await fixture.phoneMember();
          const code = await fixture.phoneCode(phone);
          await fixture[close](accountId);
          return invoke(fixture.guest(), ...code);
        },
      })),
    ],
  }),
];
