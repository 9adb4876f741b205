export { isPair } from './read.ts';
export { conversationRoutes } from './routes.ts';
export { hidesReadMarks } from './settings.ts';
export { chatSettings, conversations } from './tables.ts';
export { conversationTasks } from './tasks.ts';
