import type { ChatSettings } from '@tara/contract/messages/conversations';
import { eq, getTableColumns, inArray } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { showReadMarks } from '../messages/index.ts';
import { chatSettings } from './tables.ts';

/** Settings of a member who has not changed any. */
const defaults: ChatSettings = { messagesFrom: 'everyone', showReadMarks: true, showLastSeen: true };

/** A member's settings of chats. */
export async function readSettings(
  database: Database | Transaction,
  profileId: string,
): Promise<ChatSettings> {
  const { profileId: id, ...columns } = getTableColumns(chatSettings);
  const [row] = await database.select(columns).from(chatSettings).where(eq(id, profileId));
  return row ?? defaults;
}

/** Changes the settings named. A member who hides read marks hides them in every chat, and sees none there. */
export async function updateSettings(
  database: Database,
  { profileId }: Viewer,
  change: { [Name in keyof ChatSettings]?: ChatSettings[Name] | undefined },
): Promise<ChatSettings> {
  return database.transaction(async (transaction) => {
    const [row] = await transaction
      .insert(chatSettings)
      .values({ ...defaults, ...change, profileId })
      .onConflictDoUpdate({ target: chatSettings.profileId, set: { ...change, profileId } })
      .returning();
    if (row === undefined) throw new Error('An upserted row was not returned.');
    if (change.showReadMarks !== undefined) await showReadMarks(transaction, profileId, change.showReadMarks);
    const { profileId: _, ...settings } = row;
    return settings;
  });
}

/** Which of these members hide read marks, for a chat that opens. */
export async function hidesReadMarks(
  transaction: Transaction,
  profileIds: readonly string[],
): Promise<string[]> {
  const rows = await transaction
    .select({ profileId: chatSettings.profileId, showReadMarks: chatSettings.showReadMarks })
    .from(chatSettings)
    .where(inArray(chatSettings.profileId, [...profileIds]))
    .for('share');
  return rows.filter((row) => !row.showReadMarks).map(({ profileId }) => profileId);
}
