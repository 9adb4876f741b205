export { ChatPage, ChatSkeleton } from './ChatPage.tsx';
export { ChatPanel, preloadWarning } from './ChatPanel.tsx';
export { cachedChat, type OpenChat, storeChat } from './chat-cache.ts';
export { resumeOutbox } from './outbox.ts';
export { markDelivered } from './read-marks.ts';
export { useChat } from './use-chat.ts';
