export type { SentSecret } from './challenges.ts';
export { type AccountRow, signUp } from './create.ts';
export { changePassword, requirePassword } from './current-password.ts';
export { demoPassword, refuseDemoAccounts } from './demo.ts';
export { deviceToken, readDevice } from './devices.ts';
export { listEvents, recordEvent } from './events.ts';
export {
  deleteIdentity,
  handOverToPage,
  type IdentityRow,
  listIdentities,
  signInByProvider,
} from './identities.ts';
export { makeJwt } from './jwt.ts';
export { listAdmins, setAdmin } from './labels.ts';
export { type AccountLimits, accountLimits, limitTries } from './limits.ts';
export { checkLink } from './links.ts';
export { composeMail, enqueueMail } from './mails.ts';
export { exchangeCode, openProviders } from './oauth-providers.ts';
export { beginOAuth, takeOAuth } from './oauth-states.ts';
export {
  confirmMagicUrl,
  createEmailCode,
  createMagicUrl,
  startAnonymousSession,
} from './passwordless.ts';
export {
  confirmPhoneCode,
  confirmPhoneVerification,
  createPhoneCode,
  createPhoneVerification,
} from './phone.ts';
export { findAccount } from './read.ts';
export { confirmRecovery, requestRecovery } from './recovery.ts';
export { accountRoutes } from './routes.ts';
export { banAccount, suspendAccount, warnAccount } from './sanctions.ts';
export {
  endSession,
  endSessions,
  extendSession,
  findSession,
  listSessions,
  type SessionRow,
  type SignedIn,
  signIn,
} from './sessions.ts';
export { changeEmail, changePhone, updateName, updatePrefs, updateUsername } from './settings.ts';
export { accountEvents, accounts, challenges, identities, oauthStates, sessions, tokens } from './tables.ts';
export { accountTasks, type SmsSender } from './tasks.ts';
export { revokeEmailChanges, revokeTokens, type TokenRow } from './tokens.ts';
export { confirmVerification, createVerification } from './verification.ts';
export { createResolveViewer } from './viewers.ts';
export { type Visit, visitOf } from './visit.ts';
export { watchAccounts } from './watch.ts';
export { confirmSecret } from './ways-in.ts';
