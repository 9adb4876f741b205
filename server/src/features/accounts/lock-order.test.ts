import { nowDate } from '@tara/contract/clock';
import { eq, or, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Transaction } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { test as base, type FixturesOf } from '../../testing/test.ts';
import { claimAccount } from './claim.ts';
import { confirmPassword } from './current-password.ts';
import { noVisit } from './events.ts';
import { deleteIdentity, handOverToPage, signInByProvider, takeHandover } from './identities.ts';
import { accountLimits } from './limits.ts';
import { hashPassword } from './password.ts';
import { confirmSecret } from './passwordless.ts';
import {
  confirmPhoneCode,
  confirmPhoneVerification,
  createPhoneCode,
  createPhoneVerification,
  openSms,
} from './phone.ts';
import { confirmRecovery } from './recovery.ts';
import { codeExpiry, issueCode, issueToken } from './secrets.ts';
import { endSession } from './sessions.ts';
import { changeEmail, changePhone, endOtherSessions, updateName } from './settings.ts';
import { accounts, challenges, identities } from './tables.ts';
import { claimByConfirmation, confirmVerification } from './verification.ts';

/** Whatever locks an account and rows of it locks the account first, so that none waits for the other. */

const password = 'a long password';
const limits = accountLimits(false);
const visit = noVisit;
let phones = 9_171_000_000;
const newPhone = () => `+63${phones++}`;

const test = base
  .extend('member', async ({ database }): Promise<Member> => {
    const member = await insertMember(database, { confirmed: false });
    const passwordHash = await hashPassword(password, {});
    await database.update(accounts).set({ passwordHash }).where(eq(accounts.id, member.accountId));
    return member;
  })
  /** What a viewer has of an account, changed: a confirmed email or a phone. */
  .extend(
    'change',
    ({ database }) =>
      async (accountId: string, set: Partial<typeof accounts.$inferInsert>) =>
        void (await database.update(accounts).set(set).where(eq(accounts.id, accountId))),
  )
  /** The code that was texted last. */
  .extend('textedCode', ({ platform }) => async () => {
    const job = (await platform.takeJobs()).filter(({ task }) => task === 'accounts.sms').at(-1);
    const { text } = openSms(platform.sealer, String(job?.payload.sealed)) as { text: string };
    return text.slice(0, 6);
  });

type Fixtures = Pick<FixturesOf<typeof test>, 'database' | 'platform' | 'member' | 'change' | 'textedCode'>;

const createToken = async (
  { database, member }: Fixtures,
  kind: 'recovery' | 'verification',
  email: string | null = null,
) => {
  const { secret } = await database.transaction((transaction) =>
    issueToken(transaction, member.accountId, kind, { email }),
  );
  return { userId: member.accountId, secret };
};

const facebook = ({ member }: Fixtures) => ({
  name: 'facebook' as const,
  provider: { issuer: 'https://www.facebook.com', title: 'Facebook' },
  person: { uid: member.accountId, email: null, emailVerified: false, name: '' },
});
const addIdentity = async ({ database, member }: Fixtures) => {
  const id = newId();
  await database.insert(identities).values({
    ...{ id, accountId: member.accountId, provider: 'facebook', providerEmail: '' },
    ...{ issuer: 'https://www.facebook.com', providerUid: member.accountId },
  });
  return id;
};

/** Prepares what writes more than one row of an account, and returns its beginning. */
const writes: Record<string, (fixtures: Fixtures) => Promise<() => Promise<unknown>>> = {
  'a recovery of an unconfirmed account': async (fixtures) => {
    const sent = await createToken(fixtures, 'recovery');
    return () => confirmRecovery(fixtures.platform, { ...sent, password: 'correct horse battery' }, visit);
  },
  'a recovery': async (fixtures) => {
    await fixtures.change(fixtures.member.accountId, { emailVerifiedAt: nowDate() });
    const sent = await createToken(fixtures, 'recovery');
    return () => confirmRecovery(fixtures.platform, { ...sent, password: 'correct horse battery' }, visit);
  },
  'a confirmation': async (fixtures) => {
    const sent = await createToken(fixtures, 'verification');
    return () => confirmVerification(fixtures.database, sent, visit);
  },
  'the confirmation of another email': async (fixtures) => {
    const sent = await createToken(fixtures, 'verification', `${newId()}@example.com`);
    return () => confirmVerification(fixtures.database, sent, visit);
  },
  'a claim by a confirmation': async (fixtures) => {
    const sent = await createToken(fixtures, 'verification');
    return () =>
      claimByConfirmation(fixtures.database, { ...sent, password: 'correct horse battery' }, visit);
  },
  'a code of a mail': async ({ database, platform, member }) => {
    const challenge = { kind: 'email-code', email: member.email, reference: newId() } as const;
    const { code, reference } = await database.transaction((transaction) =>
      issueCode(platform, transaction, { ...challenge, expiresAt: codeExpiry() }),
    );
    return () => confirmSecret(platform, { userId: reference, secret: code }, visit);
  },
  'a handover of another provider': async (fixtures) => {
    await addIdentity(fixtures);
    const handover = await handOverToPage(fixtures.platform, facebook(fixtures), visit);
    return () => fixtures.database.transaction((transaction) => takeHandover(transaction, handover, visit));
  },
  'a sign-in at another provider': async (fixtures) => {
    await addIdentity(fixtures);
    return () => signInByProvider(fixtures.platform, facebook(fixtures), visit);
  },
  'the end of an identity': async (fixtures) => {
    const id = await addIdentity(fixtures);
    return () => deleteIdentity(fixtures.platform, fixtures.member, id, visit);
  },
  'a second code for the phone': async ({ platform, member, change }) => {
    await change(member.accountId, { phone: newPhone() });
    await createPhoneVerification(platform, member, limits);
    return () => createPhoneVerification(platform, member, limits);
  },
  'the confirmation of the phone': async ({ platform, member, change, textedCode }) => {
    await change(member.accountId, { phone: newPhone() });
    const { reference } = await createPhoneVerification(platform, member, limits);
    const secret = await textedCode();
    return () => confirmPhoneVerification(platform, { userId: reference, secret }, visit);
  },
  'a sign-in by phone': async ({ platform, member, change, textedCode }) => {
    const phone = newPhone();
    await change(member.accountId, { phone, phoneVerifiedAt: nowDate() });
    const { reference } = await createPhoneCode(platform, { userId: undefined, phone, texts: true });
    const secret = await textedCode();
    return () => confirmPhoneCode(platform, { userId: reference, secret }, visit);
  },
  'a sign-in by a phone that the account merely names': async ({ platform, member, change, textedCode }) => {
    const phone = newPhone();
    await change(member.accountId, { phone });
    const { reference } = await createPhoneCode(platform, { userId: undefined, phone, texts: true });
    const secret = await textedCode();
    return () => confirmPhoneCode(platform, { userId: reference, secret }, visit);
  },
  'a change of the email': async (fixtures) => {
    await createToken(fixtures, 'verification', `${newId()}@example.com`);
    const email = `${newId()}@example.com`;
    return () => changeEmail(fixtures.platform, fixtures.member, { email, password }, visit, limits);
  },
  'a change of the phone': async ({ database, member }) => {
    return () => changePhone(database, member, { phone: newPhone(), password }, visit, limits);
  },
  'a change of the name': async ({ platform, member }) => {
    return () => updateName(platform, member, 'Ana Cruz', visit);
  },
  'a confirmed password': async ({ platform, member }) => {
    return () => confirmPassword(platform, member, password, visit, limits);
  },
  'the end of a session': async ({ platform, member }) => {
    return () => endSession(platform, member.accountId, member.sessionId, visit);
  },
  'the end of other sessions': async ({ database, platform, member }) => {
    await database.execute(sql`insert into sessions (id, account_id, secret_hash, expires_at)
      values (${newId()}, ${member.accountId}, '\\x00', now() + interval '1 day')`);
    return () => endOtherSessions(platform, member, visit);
  },
};

/** Locks every row of an account, as a takeover does, and throws when another holds one of them. */
async function lockRest(transaction: Transaction, { accountId, email }: Member, phone: string | null) {
  for (const table of ['sessions', 'tokens', 'identities', 'account_events', 'profiles'])
    await transaction.execute(
      sql`select from ${sql.identifier(table)} where account_id = ${accountId} for update nowait`,
    );
  await transaction
    .select()
    .from(challenges)
    .where(
      or(
        eq(challenges.accountId, accountId),
        eq(challenges.email, email),
        phone === null ? undefined : eq(challenges.phone, phone),
      ),
    )
    .for('update', { noWait: true });
}

test.for(Object.entries(writes))(
  '%s holds nothing of an account that it waits for',
  async ([, prepare], { connection, database, platform, member, change, textedCode }) => {
    const begin = await prepare({ database, platform, member, change, textedCode });
    const isWaiting = async () =>
      (
        await connection.sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
      ).length;
    const work = await database.transaction(async (transaction) => {
      const [account] = await transaction
        .select()
        .from(accounts)
        .where(eq(accounts.id, member.accountId))
        .for('update');
      const working = begin();
      working.catch(() => {});
      await expect.poll(isWaiting, { timeout: 30_000, interval: 5 }).toBe(1);
      await lockRest(transaction, member, account?.phone ?? null);
      return { working };
    });
    await work.working;
  },
);

test('no two of what writes into an account at once stop each other', async ({
  database,
  platform,
  member,
  change,
  textedCode,
}) => {
  for (let round = 0; round < 20; round++) {
    const phone = newPhone();
    await change(member.accountId, { emailVerifiedAt: null, phone, phoneVerifiedAt: null });
    const link = await createToken({ database, platform, member, change, textedCode }, 'verification');
    await createPhoneVerification(platform, member, limits);
    const results = await Promise.allSettled([
      confirmVerification(database, link, visit),
      changePhone(database, member, { phone: newPhone(), password }, visit, limits),
      createPhoneVerification(platform, member, limits),
      database.transaction((transaction) => claimAccount(transaction, member.accountId)),
      endOtherSessions(platform, member, visit),
    ]);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    // Who comes after the takeover is refused.
    expect(errors.filter(({ name }) => name !== 'Problem')).toEqual([]);
    await change(member.accountId, { passwordHash: await hashPassword(password, {}) });
    await database.execute(sql`insert into sessions (id, account_id, secret_hash, expires_at)
      values (${member.sessionId}, ${member.accountId}, ${Buffer.from(newId())}, now() + interval '1 day')
      on conflict do nothing`);
  }
});

test('no two accounts that confirm one phone at once stop each other: one of them has it', async ({
  database,
  platform,
  change,
  textedCode,
}) => {
  const members = [await insertMember(database), await insertMember(database), await insertMember(database)];
  for (let round = 0; round < 30; round++) {
    const phone = newPhone();
    const codes: { userId: string; secret: string }[] = [];
    for (const member of members) {
      await change(member.accountId, { phone, phoneVerifiedAt: null });
      await createPhoneVerification(platform, member, limits);
      codes.push({ userId: member.accountId, secret: await textedCode() });
    }
    const results = await Promise.allSettled(
      codes.map((code) => confirmPhoneVerification(platform, code, visit)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(errors.filter(({ name }) => name !== 'Problem')).toEqual([]);
    expect(await database.$count(accounts, eq(accounts.phone, phone))).toBe(1);
  }
});

test('no two sign-ins by one new phone at once make two accounts, nor does one of them break off', async ({
  platform,
  textedCode,
}) => {
  for (let round = 0; round < 10; round++) {
    const phone = newPhone();
    const codes: { userId: string; secret: string }[] = [];
    for (let device = 0; device < 2; device++) {
      const { reference } = await createPhoneCode(platform, { userId: undefined, phone, texts: true });
      codes.push({ userId: reference, secret: await textedCode() });
    }
    const results = await Promise.all(codes.map((code) => confirmPhoneCode(platform, code, visit)));
    expect(new Set(results.map(({ session }) => session.accountId)).size).toBe(1);
  }
});
