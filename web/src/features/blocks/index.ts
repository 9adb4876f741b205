export { MemberMenu, MutedNotice } from './MemberMenu.tsx';
