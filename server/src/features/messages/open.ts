import type { ChatKind } from '@tara/contract/messages/messages';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/connect.ts';
import { mixIdOf } from './entries.ts';
import { chatEntries, chatMarks, chats } from './tables.ts';

interface NewChat {
  id: string;
  kind: ChatKind;
  /** The first member: the creator of a plan, or the member who began a conversation. */
  first: { id: string; accountId: string };
  second: { id: string; accountId: string };
  /** Null: never. */
  expiresAt: Date | null;
  /** Since when nobody can write, as its request is over. */
  closedAt?: Date | null;
  /** Whether one of the two is hidden from the other: then neither can write. */
  blocked?: boolean;
  /** Who must accept it first, if anybody. */
  awaitsId: string | null;
  /** Members who do not show read marks. */
  hidesRead?: readonly string[];
}

/** Opens an empty chat, in the transaction of its conversation or receipt. It is in the list of `first` at once. */
export async function openChat(transaction: Transaction, chat: NewChat): Promise<void> {
  const {
    id,
    kind,
    first,
    second,
    expiresAt,
    awaitsId,
    closedAt = null,
    blocked = false,
    hidesRead = [],
  } = chat;
  await transaction.insert(chats).values({
    ...{ id, kind, expiresAt, awaitsId, closedAt, blocked, firstId: first.id, secondId: second.id },
    ...{ firstAccountId: first.accountId, secondAccountId: second.accountId },
  });
  const members = [
    { memberId: first.id, otherId: second.id, hiddenThrough: -1 },
    { memberId: second.id, otherId: first.id, hiddenThrough: 0 },
  ];
  await transaction
    .insert(chatMarks)
    .values(
      members.map(({ memberId }) => ({ chatId: id, memberId, showsRead: !hidesRead.includes(memberId) })),
    );
  await transaction.insert(chatEntries).values(
    members.map((member) => ({
      ...{ ...member, chatId: id, kind, lastSequence: 0, incoming: 0, awaitsId, expiresAt },
      ...{ mixId: mixIdOf({ kind, firstAccountId: first.accountId, secondAccountId: second.accountId }) },
      ...{ preview: '', updatedAt: sql`now()` },
    })),
  );
}
