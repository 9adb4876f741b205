import { nowDate, nowMs } from '@tara/contract/clock';
import { termsVersion } from '@tara/contract/limits';
import { eq, inArray, sql } from 'drizzle-orm';
import { consentColumns } from '../../features/accounts/consent.ts';
import { accounts, sessions } from '../../features/accounts/tables.ts';
import { profiles } from '../../features/profiles/tables.ts';
import { blocks, viewerVisibility } from '../../features/visibility/index.ts';
import type { Database } from '../../platform/database/connect.ts';
import { type ResolveViewer, type Viewer, viewerOf } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';

/** A viewer with the secret that `testServer` takes as its session. */
export interface Member extends Viewer {
  secret: string;
}

interface NewMember extends Partial<Omit<typeof profiles.$inferInsert, 'verified'>> {
  email?: string;
  /** Whether the email is confirmed; true unless given. */
  confirmed?: boolean;
  /** Identity accepted by an admin. */
  verified?: boolean;
  admin?: boolean;
}

const sessionOf = (accountId: string) => `session-${accountId.slice(0, 20)}`;
const prefix = 'secret-of-';
const longAgo = 'long-ago-';
const codeAge = 'code-ms-ago-';

/** An admin of these tests has shown the second factor just now, or so many ms ago. */
const secondFactorOf = (hasAdminLabel: boolean, ageMs = 0) => ({
  hasAdminLabel,
  hasSecondFactor: hasAdminLabel,
  secondFactorShownAt: hasAdminLabel ? new Date(nowMs() - ageMs) : null,
});

/** Inserts so many members by one statement. The ids of account and profile are `name` with a number. */
export const insertMembers = (database: Database, name: string, count: number): Promise<unknown> =>
  database.execute(sql`
    with made as (
      insert into accounts (id, email, name, password_hash, email_verified_at, terms_version, consented_at)
      select ${name}::text || n, ${name}::text || n || '@example.com', 'Member', 'none', now(), '1', now()
      from generate_series(1, ${count}::int) n returning id)
    insert into profiles (id, account_id, name, birth_date) select id, id, 'Member', '1995-06-15' from made`);

/** The member with a session that showed its password longer ago than sensitive calls allow. */
export const withOldPassword = (member: Member): Member => ({
  ...member,
  passwordShownAt: new Date(0),
  secret: longAgo + member.secret,
});

type WithProfile = Pick<Member, 'profileId'>;

/** Inserts a block, with the names that the two have. */
export async function insertBlock(
  database: Database,
  { profileId: blockerId }: WithProfile,
  { profileId: blockedId }: WithProfile,
): Promise<void> {
  const rows = await database
    .select({ id: profiles.id, name: profiles.name })
    .from(profiles)
    .where(inArray(profiles.id, [blockerId, blockedId]));
  const nameOf = (id: string) => rows.find((row) => row.id === id)?.name ?? '';
  await database.insert(blocks).values({
    ...{ blockerId, blockedId, blockerName: nameOf(blockerId), blockedName: nameOf(blockedId) },
  });
}

/** Inserts the session of a member that `insertMember` made, which may have ended. Returns its id. */
export async function insertSession(database: Database, accountId: string): Promise<string> {
  const id = sessionOf(accountId);
  // No secret has this hash: `resolveMember` reads the viewer.
  const secretHash = Buffer.from(accountId);
  await database
    .insert(sessions)
    .values({ id, accountId, secretHash, expiresAt: new Date(nowMs() + 24 * 3600_000) });
  return id;
}

/**
 * Inserts an account with its profile, and returns it as a viewer. Fields not given get values of their own; the birth
 * date is an adult's.
 */
export async function insertMember(database: Database, member: NewMember = {}): Promise<Member> {
  const { email, confirmed = true, verified = false, admin = false, ...profile } = member;
  const accountId = profile.accountId ?? newId();
  const profileId = profile.id ?? newId();
  const name = profile.name ?? `Member ${profileId.slice(0, 5)}`;
  const address = email ?? `${accountId}@example.com`;
  await database.insert(accounts).values({
    id: accountId,
    email: address,
    name,
    // No password has this hash: a test that signs in uses the accounts feature.
    passwordHash: 'none',
    emailVerifiedAt: confirmed ? nowDate() : null,
    labels: admin ? ['admin'] : [],
    ...consentColumns(),
  });
  await database.insert(profiles).values({
    birthDate: '1995-06-15',
    ...profile,
    id: profileId,
    accountId,
    name,
    verified: verified || null,
  });
  const sessionId = await insertSession(database, accountId);
  const viewer = viewerOf({
    accountId,
    profileId,
    sessionId,
    passwordShownAt: nowDate(),
    ...secondFactorOf(admin),
    name,
    email: address,
    emailVerified: confirmed,
    verified,
    hasConsented: true,
    deletesAt: null,
    suspendedUntil: null,
    hiddenProfileIds: [],
    hiddenAccountIds: [],
    mutedProfileIds: [],
  });
  return Object.assign(viewer, { secret: prefix + accountId });
}

/** The admin with a session that showed the second factor so many ms ago. */
export const withOldCode = (member: Member, ageMs: number): Member => ({
  ...member,
  secret: `${codeAge}${ageMs} ${member.secret}`,
});

/** Reads the viewer of a member's secret from its rows, so that a test sees what a change made of it. */
export function resolveMember(database: Database): ResolveViewer {
  return async (sessionSecret) => {
    if (typeof sessionSecret !== 'string') return null;
    const isOld = sessionSecret.startsWith(longAgo);
    const [, ageMs = '0'] = new RegExp(`^${codeAge}(\\d+) `).exec(sessionSecret) ?? [];
    const secret = sessionSecret.slice(Math.max(0, sessionSecret.indexOf(prefix)));
    if (!secret.startsWith(prefix)) return null;
    const [row] = await database
      .select({ accounts, profiles, visibility: viewerVisibility(profiles.id) })
      .from(accounts)
      .innerJoin(profiles, eq(profiles.accountId, accounts.id))
      .where(eq(accounts.id, secret.slice(prefix.length)));
    if (!row) return null;
    return viewerOf({
      accountId: row.accounts.id,
      profileId: row.profiles.id,
      sessionId: sessionOf(row.accounts.id),
      passwordShownAt: isOld ? new Date(0) : nowDate(),
      ...secondFactorOf(row.accounts.labels.includes('admin'), Number(ageMs)),
      name: row.profiles.name,
      email: row.accounts.email ?? '',
      emailVerified: row.accounts.emailVerifiedAt !== null,
      verified: row.profiles.verified === true,
      hasConsented: row.accounts.termsVersion === termsVersion,
      deletesAt: row.accounts.deletesAt,
      suspendedUntil: row.accounts.suspendedUntil,
      ...row.visibility,
    });
  };
}
