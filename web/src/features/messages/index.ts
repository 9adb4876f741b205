export { ChatPage, ChatPanel, ChatSkeleton, preloadWarning } from './ChatPage.tsx';
export { cachedChat, markDelivered, type OpenChat, storeChat } from './chat-cache.ts';
export { resumeOutbox } from './outbox.ts';
export { useChat } from './use-chat.ts';
