import assert from 'node:assert/strict';
import { account } from '@tara/contract/accounts/accounts';
import { waitFor } from '../../outside.ts';
import { password } from '../../steps.ts';
import { accountCall, type Invoke } from '../cases.ts';
import type { Fixture } from '../fixture.ts';
import { closings, newEmail } from './fixture.ts';

const invalid = 'general_argument_invalid';
const foreignUrl = 'https://evil.example/confirming';

/** What is confirmed by mail or text: the email, the phone number, and a new password. */
export const confirmationCalls = [
  accountCall(account.createVerification, {
    row: '§7-account-verification',
    methods: ['createEmailVerification', 'createVerification'],
    args: ['http://localhost/confirming'],
    cases: [
      {
        outcome: 'success',
        how: 'mails a link to /confirming that keeps the username, and answers without the secret',
        run: async ({ newMember, tara, linkInMail }, invoke) => {
          const { user, email, accountId } = await newMember({ confirmed: false });
          const token = await invoke(user, `${tara.url}/confirming?username=ana`);
          assert.deepEqual([token.userId, token.secret], [accountId, '']);
          // The sign-up mailed one that names the account's own username.
          const { searchParams } = await waitFor('link with this username', async () => {
            const link = await linkInMail(email, '/confirming');
            return link.searchParams.get('username') === 'ana' && link;
          });
          assert.deepEqual([searchParams.get('username'), searchParams.get('userId')], ['ana', accountId]);
          assert.ok(Date.parse(searchParams.get('expire') ?? '') > Date.now());
        },
      },
      {
        outcome: invalid,
        how: 'an address at another site',
        run: async ({ newMember }, invoke) =>
          invoke((await newMember({ confirmed: false })).user, foreignUrl),
      },
      {
        outcome: 'user_email_already_verified',
        how: 'the email is confirmed',
        run: async ({ member, tara }, invoke) => invoke((await member()).user, `${tara.url}/confirming`),
      },
      {
        outcome: 'user_email_not_found',
        how: 'an anonymous account, which has no email',
        run: async ({ anonymous, tara }, invoke) => invoke(await anonymous(), `${tara.url}/confirming`),
      },
    ],
  }),
  accountCall(account.confirmVerification, {
    row: '§7-account-confirm-verification',
    methods: ['updateEmailVerification', 'updateVerification'],
    args: ['ana', 'wrong'],
    cases: [
      {
        outcome: 'success',
        how: 'confirms the email without a session',
        run: async ({ newMember, verificationLink, guest, account: ownAccount }, invoke) => {
          const member = await newMember({ confirmed: false });
          await invoke(guest(), ...(await verificationLink(member)));
          assert.equal((await ownAccount(member.user)).emailVerification, true);
        },
      },
      {
        outcome: invalid,
        how: 'a secret longer than any',
        run: ({ guest }, invoke) => invoke(guest(), 'ana', 'a'.repeat(257)),
      },
      {
        outcome: 'user_invalid_token',
        how: 'a wrong secret',
        run: async ({ member, guest }, invoke) => invoke(guest(), (await member()).accountId, 'wrong'),
      },
      {
        outcome: 'user_invalid_token',
        how: 'the link a second time',
        run: async ({ newMember, verificationLink, guest }, invoke) => {
          const link = await verificationLink(await newMember({ confirmed: false }));
          await invoke(guest(), ...link);
          return invoke(guest(), ...link);
        },
      },
      {
        outcome: 'user_email_already_exists',
        how: 'another member took the email before the link to change it was opened',
        run: async ({ newMember, emailChangeLink, guest, signUp }, invoke) => {
          const email = newEmail();
          const link = await emailChangeLink(await newMember(), email);
          await signUp(email);
          return invoke(guest(), ...link);
        },
      },
    ],
  }),
  accountCall(account.createPhoneVerification, {
    row: '§7-account-phone-verification',
    methods: ['createPhoneVerification'],
    cases: [
      {
        outcome: 'success',
        how: 'texts a code to the phone number of the account',
        run: async ({ newMember, setPhone, textedCode }, invoke) => {
          const { user } = await newMember();
          const phone = await setPhone(user);
          assert.equal((await invoke(user)).secret, '');
          assert.match(await textedCode(phone), /^\d{6}$/);
        },
      },
      {
        outcome: 'user_phone_not_found',
        how: 'an account without a phone number',
        run: async ({ member }, invoke) => invoke((await member()).user),
      },
      {
        outcome: 'user_phone_already_verified',
        how: 'the phone number is confirmed',
        run: async ({ phoneMember }, invoke) => invoke((await phoneMember()).user),
      },
      {
        outcome: 'general_phone_disabled',
        how: 'a server that cannot send text messages',
        run: async ({ limited }, invoke) => {
          const { newMember, setPhone } = await limited();
          const { user } = await newMember();
          await setPhone(user);
          return invoke(user);
        },
      },
    ],
  }),
  accountCall(account.confirmPhoneVerification, {
    row: '§7-account-confirm-phone-verification',
    methods: ['updatePhoneVerification'],
    args: ['ana', '123456'],
    cases: [
      {
        outcome: 'success',
        how: 'confirms the phone number',
        run: async ({ newMember, phoneVerification, account: ownAccount }, invoke) => {
          const { user } = await newMember();
          await invoke(user, ...(await phoneVerification(user)));
          assert.equal((await ownAccount(user)).phoneVerification, true);
        },
      },
      {
        outcome: invalid,
        how: 'a code longer than any',
        run: ({ guest }, invoke) => invoke(guest(), 'ana', '1'.repeat(257)),
      },
      {
        outcome: 'user_invalid_token',
        how: 'a wrong code',
        run: async ({ newMember, phoneVerification }, invoke) => {
          const { user } = await newMember();
          const [userId, code] = await phoneVerification(user);
          return invoke(user, userId, code === '000000' ? '000001' : '000000');
        },
      },
    ],
  }),
  accountCall(account.createRecovery, {
    row: '§7-account-recovery',
    methods: ['createRecovery'],
    args: ['ana@sdk.test', 'http://localhost/recover'],
    cases: [
      {
        outcome: 'success',
        how: 'mails a link, and answers alike for an email without an account',
        run: async ({ member, guest, tara, linkInMail }, invoke) => {
          const { email } = await member();
          const url = `${tara.url}/recover?from=mail`;
          const known = await invoke(guest(), email, url);
          const unknown = await invoke(guest(), newEmail(), url);
          assert.deepEqual(Object.keys(unknown), Object.keys(known));
          assert.deepEqual([known.userId, known.secret], [unknown.userId, unknown.secret]);
          assert.equal((await linkInMail(email, '/recover')).searchParams.get('from'), 'mail');
        },
      },
      {
        outcome: invalid,
        how: 'an address at another site',
        run: async ({ guest, member }, invoke) => invoke(guest(), (await member()).email, foreignUrl),
      },
    ],
  }),
  accountCall(account.confirmRecovery, {
    row: '§7-account-confirm-recovery',
    methods: ['updateRecovery'],
    args: ['ana', 'wrong', password],
    cases: [
      {
        outcome: 'success',
        how: 'sets the password, which ends every session',
        run: async ({ newMember, recoveryLink, guest, account: ownAccount }, invoke) => {
          const member = await newMember();
          const link = await recoveryLink(member);
          await invoke(guest(), ...link, 'a new password', 'a new password');
          await assert.rejects(ownAccount(member.user), { type: 'general_unauthorized_scope' });
        },
      },
      {
        outcome: invalid,
        how: 'a password of 7 characters',
        run: ({ guest }, invoke) => invoke(guest(), 'ana', 'wrong', '1234567', '1234567'),
      },
      {
        outcome: 'user_invalid_token',
        how: 'a wrong secret',
        run: async ({ member, guest }, invoke) =>
          invoke(guest(), (await member()).accountId, 'wrong', password, password),
      },
      {
        outcome: 'user_invalid_token',
        how: 'an id without an account',
        run: ({ guest }, invoke) => invoke(guest(), 'nobody', 'wrong', password, password),
      },
      {
        outcome: 'user_password_mismatch',
        how: 'another password the second time',
        parameter: 'passwordAgain',
        run: async ({ newMember, recoveryLink, guest }, invoke) =>
          invoke(guest(), ...(await recoveryLink(await newMember())), 'a new password', 'another password'),
      },
      {
        outcome: 'user_password_common',
        how: 'one of the most used passwords',
        run: async ({ newMember, recoveryLink, guest }, invoke) =>
          invoke(guest(), ...(await recoveryLink(await newMember())), 'Password123', 'Password123'),
      },
      ...closings.map(({ outcome, what, close }) => ({
        outcome,
        how: `${what} since the link was mailed`,
        run: async (fixture: Fixture, invoke: Invoke) => {
          const member = await fixture.newMember();
          const link = await fixture.recoveryLink(member);
          await fixture[close](member.accountId);
          return invoke(fixture.guest(), ...link, password, password);
        },
      })),
    ],
  }),
];
