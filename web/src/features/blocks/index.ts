export { changeVisibility } from './change-visibility.ts';
export { ReportDialog } from './lazy-report-dialog.ts';
export { MemberMenu } from './MemberMenu.tsx';
export { MutedNotice } from './MutedNotice.tsx';
