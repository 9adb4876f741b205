export { type Notice, noticeTasks, notify, storeFirstLines } from './notify.ts';
export { notices } from './tables.ts';
export { shareDetails } from './text.ts';
