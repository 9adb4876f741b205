import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { linkInMail, waitFor } from '../../outside.ts';
import { password } from '../../steps.ts';
import type { Case } from '../cases.ts';
import type { BaseFixture, Member } from '../fixture.ts';
import type { SdkUser } from '../sdks.ts';

/** What confirms or signs in: an account's id with the secret of a mail or text. */
type Secret = readonly [userId: string, secret: string];

/** What cases of the account begin from: accounts of other kinds, and what was mailed and texted. */
export interface AccountFixture {
  /** Somebody signed in to an account without email and password. */
  anonymous(): Promise<SdkUser>;
  /** Somebody who signed in by phone, without a password. */
  phoneMember(): Promise<Member & { phone: string }>;
  /** Gives the account a phone number. */
  setPhone(user: SdkUser): Promise<string>;
  linkInMail(email: string, path: string): Promise<URL>;
  /** The code of the newest text message to a number. */
  textedCode(phone: string): Promise<string>;
  magicLink(email: string): Promise<Secret>;
  phoneCode(phone: string): Promise<Secret>;
  phoneVerification(user: SdkUser): Promise<Secret>;
  verificationLink(member: Member): Promise<Secret>;
  recoveryLink(member: Member): Promise<Secret>;
  /** The link that changes the email of a member to another one. */
  emailChangeLink(member: Member, email: string): Promise<Secret>;
}

export const newEmail = () => `${randomUUID()}@sdk.test`;

let numbers = 0;
/** A phone number that nobody has yet. */
export const newPhone = () => {
  numbers += 1;
  return `+639${String(Date.now() % 1_000_000).padStart(6, '0')}${String(numbers % 1_000).padStart(3, '0')}`;
};

const Messages = z.object({ messages: z.array(z.object({ text: z.string() })) });
const Token = z.looseObject({ userId: z.string() });

const secretIn = ({ searchParams }: URL): Secret => [
  searchParams.get('userId') ?? '',
  searchParams.get('secret') ?? '',
];

export function accountFixture({ tara, guest, call }: BaseFixture): AccountFixture {
  const linkTo = (email: string, path: string) => linkInMail(tara, email, path);
  const readTexts = async (phone: string) => {
    const answer = await fetch(`${tara.url}/mailbox/messages?to=${encodeURIComponent(phone)}`);
    return Messages.parse(await answer.json()).messages;
  };
  /** The newest code, once there are more texts than before. */
  const textedCode = (phone: string, before = 0) =>
    waitFor(`text message to ${phone}`, async () => {
      const texts = await readTexts(phone);
      return texts.length > before && /\b\d{6}\b/.exec(texts[0]?.text ?? '')?.[0];
    });
  const fixture: AccountFixture = {
    anonymous: async () => {
      const user = guest();
      await call(user, ['createAnonymousSession']);
      return user;
    },
    phoneMember: async () => {
      const user = guest();
      const phone = newPhone();
      const session = await call(user, ['updatePhoneSession'], ...(await fixture.phoneCode(phone)));
      return { user, phone, accountId: Token.parse(session).userId, email: '' };
    },
    setPhone: async (user) => {
      const phone = newPhone();
      await call(user, ['updatePhone'], phone, password);
      return phone;
    },
    linkInMail: linkTo,
    textedCode,
    magicLink: async (email) => {
      await call(
        guest(),
        ['createMagicURLToken', 'createMagicURLSession'],
        'unique()',
        email,
        `${tara.url}/sign-in`,
      );
      return secretIn(await linkTo(email, '/sign-in'));
    },
    phoneCode: async (phone) => {
      const { length } = await readTexts(phone);
      const token = await call(guest(), ['createPhoneToken', 'createPhoneSession'], 'unique()', phone);
      return [Token.parse(token).userId, await textedCode(phone, length)];
    },
    phoneVerification: async (user) => {
      const phone = await fixture.setPhone(user);
      const token = await call(user, ['createPhoneVerification']);
      return [Token.parse(token).userId, await textedCode(phone)];
    },
    verificationLink: async ({ user, email }) => {
      await call(user, ['createEmailVerification', 'createVerification'], `${tara.url}/confirming`);
      return secretIn(await linkTo(email, '/confirming'));
    },
    recoveryLink: async ({ email }) => {
      await call(guest(), ['createRecovery'], email, `${tara.url}/recover`);
      return secretIn(await linkTo(email, '/recover'));
    },
    emailChangeLink: async ({ user }, email) => {
      await call(user, ['updateEmail'], email, password);
      return secretIn(await linkTo(email, '/confirming'));
    },
  };
  return fixture;
}

/** How an account is closed to whoever comes with the right secret. */
export const closings = [
  { outcome: 'user_blocked', what: 'the member was banned', close: 'block' },
  { outcome: 'account_deletion_begun', what: 'the account is being deleted', close: 'beginDeletion' },
] as const;

/** For the calls that open a session by a mailed link. */
export const closedSinceLink: Case[] = closings.map(({ outcome, what, close }) => ({
  outcome,
  how: `${what} since the link was mailed`,
  run: async (fixture, invoke) => {
    const { email, accountId } = await fixture.newMember();
    const link = await fixture.magicLink(email);
    await fixture[close](accountId);
    return invoke(fixture.guest(), ...link);
  },
}));
