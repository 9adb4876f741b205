export { AuthLayout } from './AuthLayout.tsx';
export {
  hasAdminRights,
  orSecondFactor,
  requireAdmin,
  requireAdminLabel,
  requireGuest,
  requireIncomplete,
  requireLeaving,
  requireMember,
} from './guards.ts';
export {
  currentSession,
  endSession,
  firstCalls,
  logOut,
  readCurrentSession,
  readSession,
  sessionQuery,
  useSession,
} from './session.ts';
export { markWelcomed } from './welcome.ts';
