import { eq } from 'drizzle-orm';
import { addAccount, adminLabel } from '../features/accounts/index.ts';
import { profiles } from '../features/profiles/index.ts';
import type { Transaction } from '../platform/database/connect.ts';
import { members } from './people.ts';
import { type Stored, usePicture } from './pictures-in-store.ts';
import { ago } from './time.ts';

export interface DemoPerson {
  accountId: string;
  profileId: string;
  name: string;
}

/** The members by their key in `people.ts`. */
export type People = (key: string) => DemoPerson;

/** Adds the members with their portraits; the first is the admin. */
export async function addMembers(
  transaction: Transaction,
  stored: Stored & { passwordHash: string },
): Promise<People> {
  const people = new Map<string, DemoPerson>();
  for (const [at, member] of members.entries()) {
    const joined = ago({ days: 60 - at * 3 });
    const { account, profileId } = await addAccount(transaction, {
      email: `${member.key}@demo.tara`,
      name: member.name,
      username: member.username,
      passwordHash: stored.passwordHash,
      demo: true,
      emailVerified: true,
      labels: at === 0 ? [adminLabel] : [],
    });
    const imageId = await usePicture(transaction, stored, {
      name: `portrait-${member.key}`,
      ownerAccountId: account.id,
      alt: `Portrait of ${member.name}`,
      at: joined,
    });
    const { bio, hobby, education, lookingFor, gender, birthDate, identity } = member;
    await transaction
      .update(profiles)
      .set({
        ...{ bio, hobby, education, lookingFor, gender, birthDate, imageId },
        phoneNumber: identity === 'verified' ? `0917555${String(1000 + at)}` : '',
        verified: identity === 'verified' ? true : null,
        sentVerifiedReq: identity !== 'none',
        createdAt: joined,
        updatedAt: ago({ hours: at * 5 + 1 }),
      })
      .where(eq(profiles.id, profileId));
    people.set(member.key, { accountId: account.id, profileId, name: member.name });
  }
  return (key) => {
    const person = people.get(key);
    if (!person) throw new Error(`The demo world has no member ${key}.`);
    return person;
  };
}
