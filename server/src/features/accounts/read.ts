import type { SecondFactorState, SessionContext } from '@tara/contract/accounts/accounts';
import { nowMs } from '@tara/contract/clock';
import { secondFactorMs } from '@tara/contract/limits';
import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns } from '../files/index.ts';
import { presentOwnProfile, profiles } from '../profiles/index.ts';
import type { AccountRow } from './create.ts';
import { accounts } from './tables.ts';

/** An account by its id. */
export async function findAccount(database: Database, id: string): Promise<AccountRow | undefined> {
  const [row] = await database.select().from(accounts).where(eq(accounts.id, id));
  return row;
}

const isLater = (time: Date | null): time is Date => time !== null && time.getTime() > nowMs();

const presentSecondFactor = ({ hasSecondFactor, secondFactorShownAt, admin }: Viewer): SecondFactorState => ({
  isSetUp: hasSecondFactor,
  validUntil:
    admin && secondFactorShownAt
      ? new Date(secondFactorShownAt.getTime() + secondFactorMs).toISOString()
      : null,
});

/** Who is signed in, with their own profile (§3). @throws Problem `general_unauthorized_scope` without a profile. */
export async function sessionContext(database: Database, viewer: Viewer): Promise<SessionContext> {
  const [row] = await database
    .select({
      profile: profiles,
      picture: pictureColumns(files),
      suspendedUntil: accounts.suspendedUntil,
      warning: accounts.warning,
    })
    .from(profiles)
    .innerJoin(accounts, eq(accounts.id, profiles.accountId))
    .leftJoin(files, eq(files.id, profiles.imageId))
    .where(eq(profiles.id, viewer.profileId));
  if (row === undefined) throw new Problem('general_unauthorized_scope');
  return {
    account: {
      id: viewer.accountId,
      email: viewer.email,
      emailVerification: viewer.emailVerified,
      hasConsented: viewer.hasConsented,
      isUserAdmin: viewer.hasAdminLabel,
      secondFactor: viewer.hasAdminLabel ? presentSecondFactor(viewer) : null,
      deletesAt: viewer.deletesAt?.toISOString() ?? null,
      suspendedUntil: isLater(row.suspendedUntil) ? row.suspendedUntil.toISOString() : null,
      warning: row.warning,
    },
    profile: presentOwnProfile(row.profile, row.picture, viewer.email),
  };
}
