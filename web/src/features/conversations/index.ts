export { conversationLink } from './conversation-link.ts';
export { MessageButton } from './MessageButton.tsx';
