import { createECDH } from 'node:crypto';
import { deviceLimit } from '@tara/contract/limits';
import type { PushDevice, PushSubscription } from '@tara/contract/notifications/devices';
import { and, desc, eq, gt, ne, or, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { describeUserAgent } from '../../platform/http/user-agent.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { isPushEndpoint } from '../../platform/push-services.ts';
import { lockOwnAccount, sessions } from '../accounts/index.ts';
import { profiles } from '../profiles/index.ts';
import { devices } from './tables.ts';

type Context = Pick<Platform, 'database' | 'config' | 'push'>;
export type DeviceRow = typeof devices.$inferSelect;

function presentDevice(row: DeviceRow, { sessionId }: Pick<Viewer, 'sessionId'>): PushDevice {
  const { clientName, osName, deviceName } = describeUserAgent(row.userAgent);
  return {
    id: row.id,
    ...{ clientName, osName, deviceName },
    current: row.sessionId === sessionId,
    showsText: row.showsText,
    createdAt: row.createdAt.toISOString(),
    renewedAt: row.renewedAt.toISOString(),
  };
}

/** The devices of an account, newest first. */
const accountDevices = (database: Database, accountId: string): Promise<DeviceRow[]> =>
  database
    .select()
    .from(devices)
    .where(eq(devices.accountId, accountId))
    .orderBy(desc(devices.createdAt), desc(devices.id));

/** The devices of a member that get pushes; of one whose session is over the row stays until it is cleaned up. */
export const memberDevices = (
  database: Database | Transaction,
  profileId: string,
): Promise<Pick<DeviceRow, 'id'>[]> =>
  database
    .select({ id: devices.id })
    .from(devices)
    .innerJoin(profiles, eq(profiles.accountId, devices.accountId))
    .innerJoin(sessions, eq(sessions.id, devices.sessionId))
    .where(and(eq(profiles.id, profileId), gt(sessions.expiresAt, sql`now()`)));

/** The viewer's devices, and the key that new ones subscribe with. */
export async function listDevices({ database, push }: Context, viewer: Viewer) {
  const rows = await accountDevices(database, viewer.accountId);
  return { publicKey: push.publicKey, devices: rows.map((row) => presentDevice(row, viewer)) };
}

/**
 * Refuses what no browser says of its subscription.
 * @throws Problem `push_service_unknown` | `general_argument_invalid`
 */
function checkSubscription({ config }: Context, { endpoint, p256dh }: PushSubscription): void {
  if (!isPushEndpoint(endpoint, config.pushHosts)) throw new Problem('push_service_unknown');
  try {
    // Throws for a point that is not on the curve.
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    ecdh.computeSecret(p256dh, 'base64url');
  } catch (error) {
    throw new Problem('general_argument_invalid', { cause: error });
  }
}

/** The device of a viewer by its id. */
const isOwn = ({ accountId }: Pick<Viewer, 'accountId'>, deviceId: string) =>
  and(eq(devices.id, deviceId), eq(devices.accountId, accountId));

/**
 * Lets the browser of the viewer's session get notifications. A browser has one session and one subscription: what was stored
 * of either goes, also of another account that was signed in there. Of more than ten the oldest give way.
 * @throws Problem `push_service_unknown` | `general_argument_invalid` | `general_unauthorized_scope`
 */
export async function registerDevice(
  context: Context,
  viewer: Viewer,
  subscription: PushSubscription,
  userAgent: string,
): Promise<PushDevice> {
  checkSubscription(context, subscription);
  const { accountId, sessionId } = viewer;
  const row = await context.database.transaction(async (transaction) => {
    await lockOwnAccount(transaction, viewer);
    const removed = await transaction
      .delete(devices)
      .where(or(eq(devices.sessionId, sessionId), eq(devices.endpoint, subscription.endpoint)))
      .returning();
    // The choice of this browser stays.
    const showsText = removed.some((row) => row.sessionId === sessionId && row.showsText);
    const [added] = await transaction
      .insert(devices)
      .values({ id: newId(), accountId, sessionId, ...subscription, userAgent, showsText })
      .returning();
    await transaction.delete(devices).where(
      sql`${devices.id} in (
        select id from devices where account_id = ${accountId} and id <> ${added?.id ?? ''}
        order by created_at desc, id desc offset ${deviceLimit - 1})`,
    );
    return added;
  });
  if (row === undefined) throw new Error('The device was not stored.');
  return presentDevice(row, viewer);
}

/**
 * Stores what the subscription of this session's browser is now.
 * @throws Problem `device_not_found` when its notifications have ended, `push_service_unknown` | `general_argument_invalid`
 */
export async function renewDevice(
  context: Context,
  viewer: Viewer,
  subscription: PushSubscription,
  userAgent: string,
): Promise<{ publicKey: string }> {
  checkSubscription(context, subscription);
  const { database, push } = context;
  const renewed = await database.transaction(async (transaction) => {
    await lockOwnAccount(transaction, viewer);
    await transaction
      .delete(devices)
      .where(and(eq(devices.endpoint, subscription.endpoint), ne(devices.sessionId, viewer.sessionId)));
    return transaction
      .update(devices)
      .set({ ...subscription, userAgent, renewedAt: sql`now()` })
      .where(eq(devices.sessionId, viewer.sessionId))
      .returning({ id: devices.id });
  });
  if (renewed.length === 0) throw new Problem('device_not_found');
  return { publicKey: push.publicKey };
}

/** Whether notifications of a device of the viewer show the text of messages. @throws Problem `device_not_found` */
export async function updateDevice(
  { database }: Context,
  viewer: Viewer,
  { deviceId, showsText }: { deviceId: string; showsText: boolean },
): Promise<void> {
  const updated = await database
    .update(devices)
    .set({ showsText })
    .where(isOwn(viewer, deviceId))
    .returning({ id: devices.id });
  if (updated.length === 0) throw new Problem('device_not_found');
}

/** Ends the notifications of a device of the viewer. */
export async function removeDevice({ database }: Context, viewer: Viewer, deviceId: string): Promise<void> {
  await database.delete(devices).where(isOwn(viewer, deviceId));
}

/** A device of the viewer. @throws Problem `device_not_found` */
export async function ownDevice({ database }: Context, viewer: Viewer, deviceId: string): Promise<DeviceRow> {
  const [row] = await database.select().from(devices).where(isOwn(viewer, deviceId));
  if (row === undefined) throw new Problem('device_not_found');
  return row;
}
