export { changeVisibility } from './change-visibility.ts';
export { MemberMenu, MutedNotice, ReportDialog } from './MemberMenu.tsx';
