import { nowDate } from '@tara/contract/clock';
import { jobHandlers } from '../../feature-list.ts';
import { hashPassword } from '../../features/accounts/password.ts';
import { type Connection, connect, timeLimits } from '../../platform/database/connect.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { serveAllCalls } from '../all-calls.ts';
import { createTestDatabase } from '../database.ts';
import { insertPicture, pictureBytes } from '../features/pictures.ts';
import { addMember, type TestMember } from '../features/sessions.ts';
import { testPlatform } from '../platform.ts';
import { fill } from './fill.ts';
import { openMeter } from './measure.ts';

export const password = 'a long password';

/** Statements of the fill and of a share of the whole take minutes. */
const fillTimeoutMs = 1_800_000;

/**
 * A filled database, and everything that a node does with it, on one connection that is measured.
 * @param strangers how many listen to events beside the members of the samples.
 */
export async function openWorld(share: number, strangers: number) {
  const stored = await createTestDatabase();
  const { database, sql } = stored;
  const passwordHash = await hashPassword(password, {});
  const join = async (member: Parameters<typeof addMember>[1] = {}): Promise<TestMember> => {
    const added = await addMember({ database }, { passwordHash, ...member });
    const picture = await insertPicture(database, { ownerAccountId: added.accountId, usedAt: nowDate() });
    await sql`update profiles set verified = true, birth_date = '1995-06-15', limited_plan = 1000,
      phone_number = '09170000001', verified_name = name, image_id = ${picture} where id = ${added.profileId}`;
    return added;
  };
  const [me, other, admin] = [await join(), await join(), await join({ labels: ['admin'] })];
  const filling = connect(stored.url, { size: 1, statementTimeout: fillTimeoutMs });
  await fill(filling.sql, share, [me, other]);
  await filling.close();

  const { statementTimeout } = timeLimits.background;
  const measured: Connection = connect(stored.url, { size: 1, statementTimeout });
  const meter = await openMeter(measured.sql, sql);
  const platform = testPlatform(measured.database, { PAYOUTS: 'manual' });
  const documentsKeys = async () => [Buffer.alloc(32, 3)] as const;
  // What a job would ask the payment provider is not measured.
  const { server, url, provider } = await serveAllCalls(platform, documentsKeys);
  const messages: Mail[] = [];
  const jobs = jobHandlers(platform, {
    provider,
    documentsKeys,
    mailer: { send: async (mail) => void messages.push(mail), close: () => {} },
    sms: { send: async (sms) => void messages.push({ ...sms, subject: '', html: '' }) },
  });
  return {
    ...{ strangers, database, sql, platform, server, url, jobs, messages, meter, me, other, admin, join },
    picture: await pictureBytes({ width: 64, height: 48 }),
    close: async () => {
      await server.close();
      await measured.close();
      await stored.drop();
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
