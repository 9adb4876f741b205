import type { TestOutcome } from '@tara/contract/notifications/devices';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { type JobHelpers, RetryLater } from '../../platform/jobs/task.ts';
import type { Platform } from '../../platform/platform.ts';
import type { PushMessage, PushOutcome } from '../../platform/push.ts';
import { sessions } from '../accounts/index.ts';
import type { DeviceRow } from './own.ts';
import { devices } from './tables.ts';

type Context = Pick<Platform, 'database' | 'push' | 'log'>;
type Target = Pick<DeviceRow, 'id' | 'endpoint' | 'p256dh' | 'auth'>;

/** Sends a message to a device once, and removes it where its subscription has ended. */
async function send(
  { database, push, log }: Context,
  device: Target,
  message: PushMessage,
): Promise<PushOutcome> {
  const outcome = await push.send(device, message);
  if (outcome.kind === 'gone')
    // Renewed meanwhile, it has another one.
    await database
      .delete(devices)
      .where(and(eq(devices.id, device.id), eq(devices.endpoint, device.endpoint)));
  else if (outcome.kind === 'refused')
    log.warn({ deviceId: device.id, reason: outcome.reason }, 'a push service refused a message');
  return outcome;
}

/** A device whose session is open: one that is over stays until it is cleaned up. */
async function findOpen(database: Database, id: string): Promise<DeviceRow | undefined> {
  const [row] = await database
    .select({ device: devices })
    .from(devices)
    .innerJoin(sessions, eq(sessions.id, devices.sessionId))
    .where(and(eq(devices.id, id), gt(sessions.expiresAt, sql`now()`)));
  return row?.device;
}

/**
 * Sends a message to a device in a job, which is tried again while the push service is busy or away, not before the time that it
 * names. Sent twice, a message with a tag replaces itself.
 * @returns whether the push service accepted it; false where the device is gone, its session over, or it takes none.
 * @throws RetryLater | Error for another try
 */
export async function deliverPush(
  context: Context,
  { deviceId, message }: { deviceId: string; message: PushMessage | ((device: DeviceRow) => PushMessage) },
  { attempt, maxAttempts }: Pick<JobHelpers, 'attempt' | 'maxAttempts'>,
): Promise<boolean> {
  const device = await findOpen(context.database, deviceId);
  if (device === undefined) return false;
  const outcome = await send(context, device, typeof message === 'function' ? message(device) : message);
  if (outcome.kind !== 'later') return outcome.kind === 'accepted';
  const { until, reason } = outcome;
  if (attempt >= maxAttempts) {
    context.log.info({ deviceId, reason }, 'a push message was given up');
    return false;
  }
  throw until === null ? new Error(reason) : new RetryLater(reason, until);
}

/** Sends a test message to a device. */
export async function sendTest(context: Context, device: Target): Promise<{ outcome: TestOutcome }> {
  const { kind } = await send(context, device, {
    title: 'Notifications work on this device',
    text: 'You asked for this test in the settings of Tara.',
    url: '/settings',
    tag: 'test',
    topic: `test ${device.id}`,
    urgency: 'high',
    lifetimeSeconds: 300,
  });
  return { outcome: kind };
}
