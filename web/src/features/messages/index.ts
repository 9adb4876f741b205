export { ChatPage } from './ChatPage.tsx';
export { ChatPanel, preloadWarning } from './ChatPanel.tsx';
export { markDelivered, storeChat } from './chat-cache.ts';
export { useChat } from './use-chat.ts';
