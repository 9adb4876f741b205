import { nowDate } from '@tara/contract/clock';
import { jobHandlers } from '../../feature-list.ts';
import { hashPassword } from '../../features/accounts/password.ts';
import { type Connection, connect, timeLimits } from '../../platform/database/connect.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { serveAllCalls } from '../all-calls.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { insertPicture, pictureBytes } from '../features/pictures.ts';
import { addMember, type TestMember } from '../features/sessions.ts';
import { testPlatform } from '../platform.ts';
import { fill } from './fill.ts';
import { type Meter, openMeter } from './measure.ts';

export const password = 'a long password';

/** Statements of the fill and of a share of the whole take minutes. */
const fillTimeoutMs = 1_800_000;

type Settling = Pick<Meter<unknown>, 'settle'>;
type PageMeter = Awaited<ReturnType<typeof openMeter>>;

interface Options<Measuring> {
  /** The database, empty. */
  stored: TestDatabase;
  /** What is done with it once it is filled. */
  onFilled?(): Promise<void>;
  sharded?: boolean;
  /** Opens the one connection that is measured, and its meter. */
  openMeasured(): Promise<{ connection: Connection; meter: Measuring }>;
}

const { statementTimeout } = timeLimits.background;

/** A database of the run's Postgres, of whose statements the pages are counted. */
async function countingPages(): Promise<Options<PageMeter>> {
  const stored = await createTestDatabase();
  return {
    stored,
    openMeasured: async () => {
      const connection = connect(stored.url, { size: 1, statementTimeout });
      return { connection, meter: await openMeter(connection.sql, stored.sql) };
    },
  };
}

/** A filled database, and everything that a node does with it, on one connection whose pages are counted. */
export const openWorld = async (share: number, strangers: number) =>
  openMeasuredWorld(share, strangers, await countingPages());

/**
 * The same on a database that is measured otherwise.
 * @param strangers how many listen to events beside the members of the samples.
 */
export async function openMeasuredWorld<Measuring extends Settling>(
  share: number,
  strangers: number,
  { stored, onFilled, sharded = false, openMeasured }: Options<Measuring>,
) {
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
  await onFilled?.();

  const { connection: measured, meter } = await openMeasured();
  const platform = { ...testPlatform(measured.database, { PAYOUTS: 'manual' }), sharded };
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

/** What a piece of work needs of a world, however it is measured. */
export type World = Awaited<ReturnType<typeof openMeasuredWorld<Settling>>>;
/** A world whose pages are counted. */
export type CountedWorld = Awaited<ReturnType<typeof openWorld>>;
