import { accounts, demoPassword, hashPassword } from '../features/accounts/index.ts';
import { encryptedStore, type Keyring } from '../platform/files/encrypted.ts';
import type { Platform } from '../platform/platform.ts';
import { addIdentityRequests } from './identity.ts';
import { addMembers } from './members.ts';
import { demoPictures } from './pictures.ts';
import { addPictures } from './pictures-in-store.ts';
import { addPlans } from './plans.ts';
import { addPosts } from './posts.ts';
import { addRequests } from './requests.ts';

/**
 * Fills an empty database with the demo world; does nothing where anybody has an account. All rows in one transaction:
 * a start that is cut off leaves an empty database again.
 */
export async function fillDemoWorld(
  platform: Pick<Platform, 'database' | 'files' | 'log'>,
  documentsKey: Keyring,
): Promise<void> {
  const { database, files, log } = platform;
  if ((await database.$count(accounts)) > 0) return;
  const pictures = await demoPictures();
  const passwordHash = await hashPassword(demoPassword);
  const ids = await addPictures({ store: files, documents: encryptedStore(files, documentsKey) }, pictures);
  await database.transaction(async (transaction) => {
    const people = await addMembers(transaction, { passwordHash, pictures, ids });
    await addIdentityRequests(transaction, people, { pictures, ids });
    await addPosts(transaction, people, { pictures, ids });
    const plans = await addPlans(transaction, people, { pictures, ids });
    await addRequests(transaction, people, plans, { pictures, ids });
  });
  log.info('the demo world is filled');
}
