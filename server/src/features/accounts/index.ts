export { type AccountRow, signUp } from './create.ts';
export { changePassword, requirePassword } from './current-password.ts';
export { demoPassword, refuseDemoAccounts } from './demo.ts';
export { listEvents, readVisit, recordEvent, type Visit } from './events.ts';
export { makeFileToken, withoutFileTokens } from './file-tokens.ts';
export {
  deleteIdentity,
  handOverToPage,
  type IdentityRow,
  listIdentities,
  signInByProvider,
} from './identities.ts';
export { listAdmins, resetSecondFactor, setAdmin, watchAccounts } from './labels.ts';
export {
  type AccountLimits,
  accountLimits,
  chooseSending,
  clearMessages,
  limitSignUp,
  trySecret,
} from './limits.ts';
export { checkLink } from './mails.ts';
export { exchangeCode, openProviders } from './oauth-providers.ts';
export { beginOAuth, takeOAuth } from './oauth-states.ts';
export { lockOwnAccount } from './own-account.ts';
export {
  confirmMagicUrl,
  confirmSecret,
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
export { newPhrase } from './phrases.ts';
export { findAccount } from './read.ts';
export { confirmRecovery, requestLastLink, requestRecovery } from './recovery.ts';
export { accountRoutes } from './routes.ts';
export { banAccount, isShownOutside, suspendAccount, warnAccount } from './sanctions.ts';
export { revokeEmailChanges, revokeTokens, type SentSecret, type TokenRow } from './secrets.ts';
export {
  announceEnded,
  deviceToken,
  endSession,
  endSessions,
  extendSession,
  findSession,
  knownDevice,
  listSessions,
  readDevice,
  type SignedIn,
  signIn,
} from './sessions.ts';
export { changeEmail, changePhone, updateName, updatePrefs, updateUsername } from './settings.ts';
export {
  accountEvents,
  accounts,
  challenges,
  identities,
  oauthStates,
  recoveryCodes,
  secondFactors,
  sessions,
  tokens,
} from './tables.ts';
export { accountTasks, type SmsSender } from './tasks.ts';
export { confirmVerification, createVerification, mailUnaskedLink } from './verification.ts';
export { createResolveViewer, makeJwt } from './viewers.ts';
export { watchSessions } from './watch-sessions.ts';
