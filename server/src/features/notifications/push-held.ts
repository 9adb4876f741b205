import { chatMessages, findEvent } from '@tara/contract/notifications/events';
import { desc, eq, inArray } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { memberDevices } from '../devices/index.ts';
import { readStored } from './choices.ts';
import { heldUntil } from './hold.ts';
import { markPushed, type PushContext, type PushItem, type PushTry, pushItems, readDue } from './push.ts';
import { isOnline, readDueChat } from './push-chat.ts';
import { notificationSettings, notifications } from './tables.ts';
import { hold, isHeld } from './undelivered.ts';

/** Notifications, and chats, that one push stands for: of more the newest. */
const batchSize = 50;

/**
 * Begins the pushes of what quiet hours or a pause held up of a member, one for each device. What is still held up waits on.
 * @returns whether there is any.
 */
export async function beginHeldPushes(transaction: Transaction, profileId: string): Promise<boolean> {
  const isOwn = eq(notificationSettings.profileId, profileId);
  // Locked, so that no chat that is held up meanwhile is lost.
  await transaction.select().from(notificationSettings).where(isOwn).for('update');
  const settings = await readStored(transaction, profileId);
  const rows = await transaction
    .select({ id: notifications.id, event: notifications.event })
    .from(notifications)
    .where(isHeld(profileId, 'push'))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .for('update');
  const now = new Date();
  const held: { id: string; until: Date }[] = [];
  const dueIds: string[] = [];
  for (const { id, event: name } of rows) {
    const event = findEvent(name);
    const until = event === undefined ? null : heldUntil(settings, event, now);
    if (until === null) dueIds.push(id);
    else held.push({ id, until });
  }
  await hold(transaction, { profileId, way: 'push', items: held });
  await transaction
    .update(notifications)
    .set({ pushHeldUntil: null })
    .where(inArray(notifications.id, dueIds));
  const dueChats = heldUntil(settings, chatMessages, now) === null ? settings.heldChats : [];
  if (dueChats.length > 0) await transaction.update(notificationSettings).set({ heldChats: [] }).where(isOwn);
  const [ids, chatIds] = [dueIds.slice(0, batchSize), dueChats.slice(-batchSize)];
  if (ids.length + chatIds.length === 0) return false;
  const targets = await memberDevices(transaction, profileId);
  for (const { id: deviceId } of targets)
    await tasks.pushHeld.enqueue(transaction, { profileId, ids, chatIds, deviceId });
  return targets.length > 0;
}

interface HeldPush {
  profileId: string;
  ids: readonly string[];
  chatIds: readonly string[];
  deviceId: string;
}

/**
 * Pushes what was held up to a device, as one, and notes that it accepted the notifications. Of chats a member who is here hears
 * anyway.
 */
export async function pushHeld(
  context: PushContext & Pick<Platform, 'onlineAccounts'>,
  { profileId, ids, chatIds, deviceId }: HeldPush,
  helpers: PushTry,
): Promise<void> {
  const { database } = context;
  const due = (await readDue(database, ids))?.items ?? [];
  const chats: PushItem[] = [];
  for (const chatId of (await isOnline(context, profileId)) ? [] : chatIds) {
    const chat = await readDueChat(database, { chatId, profileId });
    if (chat !== null) chats.push(chat);
  }
  if (await pushItems(context, { items: [...due, ...chats], profileId, deviceId }, helpers))
    await markPushed(
      database,
      due.map(({ id }) => id),
    );
}
