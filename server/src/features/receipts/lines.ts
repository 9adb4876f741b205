import type { Transaction } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import { tasks } from '../../platform/tasks.ts';
import { storeLines, writeLine } from '../messages/index.ts';
import { readLines } from '../notifications/index.ts';

/** The lines of what happened before a chat opens, in the transaction that opens it: the chat begins with them. */
export async function storeFirstLines(
  transaction: Transaction,
  chatId: string,
  interactionId: string,
): Promise<void> {
  const lines = await readLines(transaction, interactionId);
  await storeLines(
    transaction,
    lines.map((line) => ({ ...line, chatId })),
  );
}

type LineContext = Pick<Platform, 'database' | 'bus' | 'log'>;

/**
 * Writes the lines of a request's events into its plan chat, in their order; one that is there stays as it is. Without a
 * chat they wait until it opens: what opens it has them written once more, with what it could not see yet.
 */
async function writeLines(context: LineContext, interactionId: string): Promise<void> {
  for (const { chatId, ...line } of await readLines(context.database, interactionId))
    if (chatId !== null) await writeLine(context, { chatId, ...line });
}

/** Jobs of this feature. */
export const receiptTasks = (context: LineContext) =>
  tasks.writePlanChatLines.handledBy(({ interactionId }) => writeLines(context, interactionId));
