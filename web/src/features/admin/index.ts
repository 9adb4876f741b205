export { AdminQueue } from './AdminQueue.tsx';
export { leaveList } from './leave-list.ts';
export { PersonLine } from './PersonLine.tsx';
export { UndecidableNote } from './UndecidableNote.tsx';
