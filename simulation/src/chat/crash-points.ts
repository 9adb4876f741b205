import type { Deed } from './script.ts';

/** Before and after a call on its way. */
const around = (call: string) => [`${call} is sent`, `the answer to ${call} arrives`];
const lists = ['insert into "chat_entries"', 'insert into "chat_entry_progress"'];

/** The kinds of steps before which the process ends in the simulation, by the deed that leads to them. */
export const crashPoints: Partial<Record<Deed['do'], readonly string[]>> = {
  open: [
    'begin',
    'insert into "conversations"',
    'insert into "chats"',
    'commit',
    ...around('createConversation'),
  ],
  openPlan: ['insert into "receipts"', 'store_message', ...around('createConversationReceipt')],
  send: ['store_message', ...lists, ...around('sendMessage'), 'a frame arrives'],
  unsend: ['update "messages"', 'update "chats"', 'commit', ...lists.slice(0, 1), ...around('unsend')],
  read: ['update "chat_marks"', 'update "chat_entries"', ...around('mark')],
  readAll: ['update "chat_marks"', 'update "chat_entries"', ...around('markRead')],
  block: ['insert into "blocks"', 'commit', ...around('block')],
  unblock: ['delete from "blocks"', 'commit', ...around('unblock')],
  answer: ['update "chats"', 'commit', ...around('answerRequest')],
  payPlan: ['job conversations.expiryLifted begins', 'the end of job conversations.expiryLifted is noted'],
};

/** Every kind of step before which the process has to end. */
export const crashPointNames = [...new Set(Object.values(crashPoints).flat())].sort();
