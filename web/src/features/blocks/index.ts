export { changeVisibility, MemberMenu, MutedNotice, ReportDialog } from './MemberMenu.tsx';
