import assert from 'node:assert/strict';
import { account } from '@tara/contract/accounts/accounts';
import { password } from '../../steps.ts';
import { accountCall } from '../cases.ts';
import { newEmail, newPhone } from './fixture.ts';

const invalid = 'general_argument_invalid';
const wrong = 'not the password';

/** What identifies the account: name, email, password and phone number. */
export const settingCalls = [
  accountCall(account.updateName, {
    row: '§7-account-patch-name',
    methods: ['updateName'],
    args: ['Bea Reyes'],
    cases: [
      {
        outcome: 'success',
        how: 'changes the name',
        run: async ({ newMember }, invoke) => {
          const changed = await invoke((await newMember()).user, 'Bea Reyes');
          assert.equal(changed.name, 'Bea Reyes');
        },
      },
      {
        outcome: invalid,
        how: 'a name with a sign',
        run: async ({ member }, invoke) => invoke((await member()).user, 'Bea <Reyes>'),
      },
      {
        outcome: 'profile_name_in_verification',
        how: 'an admin is checking the identity of the member',
        run: async ({ newMember, askForVerification }, invoke) => {
          const { user, email } = await newMember();
          await askForVerification(email);
          return invoke(user, 'Bea Reyes');
        },
      },
    ],
  }),
  accountCall(account.updateEmail, {
    row: '§7-account-patch-email',
    methods: ['updateEmail'],
    args: ['bea@sdk.test', password],
    cases: [
      {
        outcome: 'success',
        how: 'replaces an unconfirmed email, and gives an anonymous account email and password',
        run: async ({ newMember, anonymous }, invoke) => {
          const email = newEmail();
          const changed = await invoke((await newMember({ confirmed: false })).user, email, password);
          assert.deepEqual([changed.email, changed.emailVerification], [email, false]);
          const own = newEmail();
          assert.equal((await invoke(await anonymous(), own, password)).email, own);
        },
      },
      {
        outcome: invalid,
        how: 'a text that is no email',
        run: async ({ member }, invoke) => invoke((await member()).user, 'bea', password),
      },
      {
        outcome: 'user_invalid_credentials',
        how: 'a wrong password',
        run: async ({ newMember }, invoke) => invoke((await newMember()).user, newEmail(), wrong),
      },
      {
        outcome: 'user_email_already_exists',
        how: 'an email that has an account, for an account without a password',
        run: async ({ member, anonymous }, invoke) =>
          invoke(await anonymous(), (await member()).email, password),
      },
      {
        outcome: 'user_password_common',
        how: 'one of the most used passwords, for an account without one',
        run: async ({ anonymous }, invoke) => invoke(await anonymous(), newEmail(), 'Password123'),
      },
      {
        outcome: 'user_sign_in_again',
        how: 'an account without a password that signed in by phone an hour ago',
        run: async ({ phoneMember, agePassword }, invoke) => {
          const { user, accountId } = await phoneMember();
          await agePassword(accountId);
          return invoke(user, newEmail(), password);
        },
      },
    ],
  }),
  accountCall(account.updatePassword, {
    row: '§7-account-patch-password',
    methods: ['updatePassword'],
    args: ['a better password', password],
    cases: [
      {
        outcome: 'success',
        how: 'changes the password, which ends the other sessions',
        run: async ({ newMember, guest, signIn }, invoke) => {
          const { user, email } = await newMember();
          const other = guest();
          await signIn(other, email);
          await invoke(user, 'a better password', password);
          await assert.rejects(signIn(guest(), email), { type: 'user_invalid_credentials' });
        },
      },
      {
        outcome: invalid,
        how: 'a password of 7 characters',
        run: async ({ member }, invoke) => invoke((await member()).user, '1234567', password),
      },
      {
        outcome: 'user_invalid_credentials',
        how: 'a wrong old password',
        run: async ({ newMember }, invoke) => invoke((await newMember()).user, 'a better password', wrong),
      },
      {
        outcome: 'user_password_common',
        how: 'one of the most used passwords',
        run: async ({ newMember }, invoke) => invoke((await newMember()).user, 'Password123', password),
      },
      {
        outcome: 'user_sign_in_again',
        how: 'an account without a password that signed in by phone an hour ago',
        run: async ({ phoneMember, agePassword }, invoke) => {
          const { user, accountId } = await phoneMember();
          await agePassword(accountId);
          return invoke(user, password);
        },
      },
    ],
  }),
  accountCall(account.updatePhone, {
    row: '§7-account-patch-phone',
    methods: ['updatePhone'],
    args: ['+639170000001', password],
    cases: [
      {
        outcome: 'success',
        how: 'changes the phone number, which is not confirmed',
        run: async ({ newMember }, invoke) => {
          const phone = newPhone();
          const changed = await invoke((await newMember()).user, phone, password);
          assert.deepEqual([changed.phone, changed.phoneVerification], [phone, false]);
        },
      },
      {
        outcome: invalid,
        how: 'a text that is no phone number',
        run: async ({ member }, invoke) => invoke((await member()).user, 'one two three', password),
      },
      {
        outcome: 'user_invalid_credentials',
        how: 'a wrong password',
        run: async ({ newMember }, invoke) => invoke((await newMember()).user, newPhone(), wrong),
      },
      {
        outcome: 'user_phone_already_exists',
        how: 'a phone number by which another account signs in',
        run: async ({ newMember, phoneMember }, invoke) =>
          invoke((await newMember()).user, (await phoneMember()).phone, password),
      },
    ],
  }),
];
