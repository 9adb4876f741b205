export { deleteChat } from './answer.ts';
export { createConversation, lockPair } from './create.ts';
export { watchPresence } from './presence.ts';
export { findPair, isPair } from './read.ts';
export { conversationRoutes } from './routes.ts';
export { hidesReadMarks } from './settings.ts';
export { chatSettings, conversations, memberPresence } from './tables.ts';
export { conversationTasks } from './tasks.ts';
