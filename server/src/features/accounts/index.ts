export { type AccountRow, addAccount, type NewAccount, signUp } from './create.ts';
export { recordEvent } from './events.ts';
export { type AccountLimits, accountLimits } from './limits.ts';
export { hashPassword, isPassword } from './password.ts';
export { endSession, endSessions, findSession, listSessions, type SessionRow } from './sessions.ts';
export { type SignedIn, signIn } from './sign-in.ts';
export { accounts, sessions } from './tables.ts';
export { adminLabel, createResolveViewer } from './viewers.ts';
export { type Visit, visitOf } from './visit.ts';
