export { conversationLink, MessageButton } from './MessageButton.tsx';
