import { nowDate } from '@tara/contract/clock';
import { chatMessages } from '@tara/contract/notifications/events';
import { and, eq, lte, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { memberDevices } from '../devices/index.ts';
import { lockStored } from './choices.ts';
import { heldUntil } from './hold.ts';
import { markPushed, type PushContext, type PushTry, pushItems, readDue } from './push.ts';
import { isMemberOnline, listedChat, presentChat, readDueChats, secondLookAt } from './push-chat.ts';
import { notificationSettings, notifications } from './tables.ts';
import { isHeld } from './undelivered.ts';

/** Notifications, and chats, that one push stands for: of more the newest. */
const batchSize = 50;

/**
 * Begins the pushes of what quiet hours or a pause held up of a member until now, one for each device. What is held up longer
 * waits on.
 * @returns the notifications whose pushes began.
 */
export async function beginHeldPushes(transaction: Transaction, profileId: string): Promise<string[]> {
  // Locked, so that no chat that is held up meanwhile is lost.
  const settings = await lockStored(transaction, profileId);
  const held = await transaction
    .update(notifications)
    .set({ pushHeldUntil: null })
    .where(and(isHeld(profileId, 'push'), lte(notifications.pushHeldUntil, sql`now()`)))
    .returning({ id: notifications.id, createdAt: notifications.createdAt });
  const areChatsDue = heldUntil(settings, chatMessages, nowDate()) === null;
  const heldChats = areChatsDue ? settings.heldChats : [];
  if (held.length === 0 && heldChats.length === 0) return [];
  if (heldChats.length > 0)
    await transaction
      .update(notificationSettings)
      .set({ heldChats: [] })
      .where(eq(notificationSettings.profileId, profileId));
  const newest = held.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const ids = newest.slice(0, batchSize).map(({ id }) => id);
  const chatIds = heldChats.slice(-batchSize).reverse();
  const targets = await memberDevices(transaction, profileId);
  for (const { id: deviceId } of targets)
    await tasks.pushHeld.enqueue(transaction, { profileId, ids, chatIds, deviceId });
  return targets.length > 0 ? ids : [];
}

interface HeldPush {
  profileId: string;
  ids: readonly string[];
  chatIds: readonly string[];
  deviceId: string;
  isSecond?: boolean | undefined;
}

/**
 * Pushes what was held up to a device, as one, and notes that it accepted the notifications. Of chats a member who is here hears
 * anyway; they are looked at once more, as by `pushChat`.
 */
export async function pushHeld(
  context: PushContext & Pick<Platform, 'isOnline'>,
  { profileId, ids, chatIds, deviceId, isSecond = false }: HeldPush,
  helpers: PushTry,
): Promise<void> {
  const { database } = context;
  const due = (await readDue(database, ids))?.items ?? [];
  const isHere = chatIds.length > 0 && (await isMemberOnline(context, profileId));
  if (isHere && !isSecond)
    await tasks.pushHeld.enqueue(
      database,
      { profileId, ids: [], chatIds: [...chatIds], deviceId, isSecond: true },
      { runAt: secondLookAt() },
    );
  const chats = await readDueChats(database, { chatIds: isHere ? [] : chatIds, profileId });
  const [newest] = chats;
  const first = due[0] ?? (newest && (await presentChat(database, newest)));
  if (first === undefined) return;
  const [, ...more] = [...due, ...chats.map(listedChat)];
  if (await pushItems(context, { first, more, profileId, deviceId }, helpers))
    await markPushed(
      database,
      due.map(({ id }) => id),
    );
}
