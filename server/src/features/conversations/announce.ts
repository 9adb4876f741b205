import type { Platform } from '../../platform/platform.ts';
import { announceEntry } from '../messages/index.ts';
import { presentDocument, type StoredConversation } from './present.ts';

/** Tells both members of a new or changed conversation, and that their lists of chats changed (§7). */
export function announceConversation(
  platform: Pick<Platform, 'bus'>,
  conversation: StoredConversation,
  expiresAt: Date | null,
  change: 'create' | 'update',
): void {
  const { id, firstId, secondId, firstAccountId, secondAccountId } = conversation;
  platform.bus.publish('document', {
    ...{ collection: 'conversations', id, change },
    document: presentDocument(conversation, expiresAt),
    audience: [firstAccountId, secondAccountId],
    owners: { profileIds: [firstId, secondId], authorId: null },
  });
  announceEntry(platform, { profileId: firstId, accountId: firstAccountId }, { chatId: id });
  announceEntry(platform, { profileId: secondId, accountId: secondAccountId }, { chatId: id });
}
