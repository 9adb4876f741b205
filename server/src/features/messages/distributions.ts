import type { Distribution } from '../../platform/database/distribute.ts';

/** By what the tables of chats are spread over the workers of a Citus cluster: chats by their id, the lists of chats by member. */
export const chatDistributions = [
  { table: 'chats', column: 'id' },
  { table: 'messages', column: 'chat_id', beside: 'chats' },
  { table: 'chat_marks', column: 'chat_id', beside: 'chats' },
  { table: 'unsent_messages', column: 'chat_id', beside: 'chats' },
  { table: 'chat_entries', column: 'member_id' },
] as const satisfies readonly Distribution[];
