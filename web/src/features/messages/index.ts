export { ChatPage } from './ChatPage.tsx';
export { ChatPanel, preloadWarning } from './ChatPanel.tsx';
export { markDelivered, storeChat } from './chat-cache.ts';
export { resumeOutbox } from './outbox.ts';
export { useChat } from './use-chat.ts';
