export { markRowRead } from './conversation-cache.ts';
export { conversationLink } from './conversation-link.ts';
export { MessageButton } from './MessageButton.tsx';
export { refreshUnread, useUnreadTotals, useUnreadUpdates } from './unread.ts';
