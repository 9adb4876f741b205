import { nowMs } from '@tara/contract/clock';
import { sessions } from '../../features/accounts/tables.ts';
import { devices } from '../../features/devices/index.ts';
import type { Database } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import { testBrowser } from '../push-service.ts';

/** A browser of an account that gets notifications, with a session of its own. */
export async function insertDevice(
  database: Database,
  { accountId }: { accountId: string },
  part: Partial<typeof devices.$inferInsert> = {},
): Promise<{ id: string; sessionId: string; endpoint: string }> {
  const [id, sessionId] = [newId(), newId()];
  await database.insert(sessions).values({
    ...{ id: sessionId, accountId, secretHash: Buffer.from(sessionId) },
    expiresAt: new Date(nowMs() + 3_600_000),
  });
  const { target } = testBrowser(`https://fcm.googleapis.com/fcm/send/${id}`);
  await database.insert(devices).values({ id, accountId, sessionId, ...target, ...part });
  return { id, sessionId, endpoint: target.endpoint };
}
