import { verifications } from '../features/verification/index.ts';
import type { Transaction } from '../platform/database/connect.ts';
import { newId } from '../platform/ids.ts';
import type { People } from './members.ts';
import { members } from './people.ts';
import { type Stored, usePicture } from './pictures-in-store.ts';
import { ago } from './time.ts';

/** Adds the verification requests that wait for the admin. */
export async function addIdentityRequests(
  transaction: Transaction,
  people: People,
  stored: Stored,
): Promise<void> {
  const waiting = members.filter(({ identity }) => identity === 'waiting');
  for (const [order, { key, name }] of waiting.entries()) {
    const { accountId, profileId } = people(key);
    const at = ago({ days: 2 - order, hours: 3 });
    const paper = (side: string, alt: string) =>
      usePicture(transaction, stored, {
        name: `id-${side}-${key}`,
        ownerAccountId: accountId,
        bucket: 'verificationFiles',
        alt,
        at,
      });
    await transaction.insert(verifications).values({
      id: newId(),
      userId: profileId,
      idFrontId: await paper('front', `Front of ${name}'s card`),
      idBackId: await paper('back', `Back of ${name}'s card`),
      photoId: await paper('face', `${name}`),
      address: `${17 + order} Sampaguita Street, Quezon City`,
      createdAt: at,
    });
  }
}
