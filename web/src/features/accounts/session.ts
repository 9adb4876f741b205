import { hashKey, queryOptions } from '@tanstack/react-query';
import type { account, accounts, SessionContext } from '@tara/contract/accounts/accounts';
import type { adminWork } from '@tara/contract/admin';
import type { counts } from '@tara/contract/counts';
import { retry } from '@tara/contract/limits';
import type { profiles } from '@tara/contract/members/profiles';
import { notices } from '@tara/contract/notices';
import { call, isProblem, ProblemError, primitiveCall, showErrorToast } from '../../lib/call.ts';
import { clearDeviceDrafts } from '../../lib/draft-storage.ts';
import { useOffline } from '../../lib/offline.ts';
import { forgetOutboxes, storedOutboxes } from '../../lib/outbox-storage.ts';
import { closeShownPushes, forgetPush } from '../../lib/push-choice.ts';
import { queryClient, shouldRetry, useOptional } from '../../lib/queries.ts';
import { forgetStoredReplies, keep, readOr, restore, storeRepliesOf } from '../../lib/stored-replies.ts';
import { forgetDestination } from '../../lib/url.ts';
import { lastAccountKey, storedItem, storeItem } from '../../ui/browser-storage.ts';
import { confirm, dismissNotice } from '../../ui/feedback.ts';
import { showTotal } from '../../ui/total.ts';

/** The calls of the first page and of the shell, which do not load zod. */
export const firstCalls = {
  session: primitiveCall<typeof accounts.session>('GET', '/api/account/session', ['/api/account', 'session']),
  profile: primitiveCall<typeof profiles.get>('GET', '/api/profile/one/:id', ['/api/profile', 'get']),
  workCounts: primitiveCall<typeof adminWork.counts>('GET', '/api/admin/counts', ['/api/admin', 'counts']),
  counts: primitiveCall<typeof counts.own>('GET', '/api/counts/own', ['/api/counts', 'own']),
  demo: primitiveCall<typeof accounts.demo>('GET', '/api/account/demo', ['/api/account', 'demo']),
  createEmailSession: primitiveCall<typeof account.createEmailSession>('POST', '/v1/account/sessions/email', [
    '/v1/account',
    'createEmailSession',
  ]),
  deleteSession: primitiveCall<typeof account.deleteSession>('DELETE', '/v1/account/sessions/:sessionId', [
    '/v1/account',
    'deleteSession',
  ]),
};

/** Notes for the next load whether this browser shows the places of the bars at once (public/before-paint.js). */
const rememberMember = (isMember: boolean) => storeItem('tara-member', isMember ? '' : null);

/** Forgets what a member left in this tab and on this device. */
async function forgetMember(): Promise<void> {
  showTotal(0);
  clearDeviceDrafts('all');
  forgetOutboxes();
  clearTab();
  await Promise.all([
    forgetStoredReplies(),
    forgetPush(),
    import('../../lib/unsent-files.ts').then(({ deleteUnsentFiles }) => deleteUnsentFiles()),
  ]).catch(() => undefined);
}

/** Forgets what this tab has of its member: drafts, places, the account that it had. */
const clearTab = () => {
  try {
    sessionStorage.clear();
  } catch {
    // Storage can be forbidden; then no draft was stored either.
  }
};

/** Forgets who was signed in here, and what they left: nobody is. */
async function forgetAccount(): Promise<void> {
  rememberMember(false);
  await forgetMember();
  storeItem(lastAccountKey, null);
}

/** The account that this tab had last, also before a reload. */
function tabAccount(): string | null {
  try {
    return sessionStorage.getItem(lastAccountKey);
  } catch {
    return null;
  }
}

/** Forgets what another account left here whose session ended without signing out, on this device or in this tab alone. */
async function forgetOthers(accountId: string): Promise<void> {
  const isOther = (account: string | null) => account !== null && account !== accountId;
  const isOtherHere = isOther(storedItem(lastAccountKey));
  if (isOtherHere || isOther(tabAccount())) {
    const sessionHash = hashKey(sessionQuery.queryKey);
    queryClient.removeQueries({ predicate: ({ queryHash }) => queryHash !== sessionHash });
    if (isOtherHere) await forgetMember();
    // What the account keeps on this device is another tab's by now.
    else clearTab();
  }
  // Last: a page that is left before this begins again at the next load.
  storeItem(lastAccountKey, accountId);
  try {
    sessionStorage.setItem(lastAccountKey, accountId);
  } catch {
    // As in `clearTab`.
  }
}

/** The session of the account that was the last one here, for a start without a network. */
async function restoreSession(): Promise<SessionContext | null> {
  const isKnown = queryClient.getQueryData(sessionQuery.queryKey) !== undefined;
  const account = storedItem(lastAccountKey);
  if (isKnown || account === null) return null;
  const session = await restore<SessionContext>(account, sessionQuery.queryKey);
  if (session !== null) storeRepliesOf(account);
  return session;
}

/**
 * There is no session: nothing that was stored for one stays, nor is shown of it. That this device got notifications is
 * remembered: who signs in again is told that they stopped.
 */
function endStored(): void {
  rememberMember(false);
  showTotal(0);
  void closeShownPushes().catch(() => undefined);
  if (storedItem(lastAccountKey) !== null) void forgetStoredReplies();
}

/** The session as the server knows it; null for a guest. */
async function readOwnSession(signal: AbortSignal): Promise<SessionContext | null> {
  try {
    const session = await call(firstCalls.session, { signal });
    if (session.account.emailVerification) dismissNotice(notices.accountCreated);
    rememberMember(true);
    await forgetOthers(session.account.id);
    storeRepliesOf(session.account.id);
    void keep(session.account.id, sessionQuery.queryKey, session);
    return session;
  } catch (error) {
    if (!isProblem(error, 'general_unauthorized_scope')) throw error;
    endStored();
    return null;
  }
}

/**
 * The session of the signed-in member, null for a guest. A check that fails otherwise is repeated (§8) and says nothing
 * about the session: a member who was signed in stays so.
 */
export const sessionQuery = queryOptions({
  // The key that `queryOf(accounts.session)` would have, so that it is invalidated alike.
  queryKey: [...firstCalls.session.key, {}],
  queryFn: ({ signal }) => readOr(() => readOwnSession(signal), restoreSession),
  retry: (failures, error) =>
    shouldRetry(failures, error) ||
    (isProblem(error, 'general_rate_limit_exceeded') &&
      error.retryAfterSeconds * 1_000 <= retry.longestDelayMs &&
      failures < retry.times),
  staleTime: 60_000,
});

/** Reads the session. A check that the server keeps refusing is logged and counts as a guest (§8).
 * @throws OfflineError
 */
export async function readSession(staleTime = sessionQuery.staleTime): Promise<SessionContext | null> {
  try {
    return await queryClient.fetchQuery({ ...sessionQuery, staleTime });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    console.error('The session check failed', error);
    // Already stale: the next look checks again.
    return (
      queryClient.setQueryData(sessionQuery.queryKey, (known) => known ?? null, { updatedAt: 0 }) ?? null
    );
  }
}

/** The session for guards: from the cache (refetched in the background when stale), otherwise from the server. */
export async function currentSession(): Promise<SessionContext | null> {
  const cached = queryClient.getQueryData(sessionQuery.queryKey);
  if (cached) {
    void queryClient.prefetchQuery(sessionQuery);
    return cached;
  }
  // A guest may have signed in, also in another tab; 2 s keep hovering over links from sending requests.
  return readSession(2_000);
}

/** For forms that begin with the session's profile: not with the one of last time. @throws OfflineError */
export async function readCurrentSession(): Promise<void> {
  const hash = hashKey(sessionQuery.queryKey);
  const isRestored = useOffline.getState().restored.some((key) => hashKey(key) === hash);
  if (isRestored) await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** Clears the cached session after signing in or confirming. */
export function clearSession(): void {
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
}

/** Marks the session as ended: the layout redirects to /sign-in. */
export function endSession(): void {
  endStored();
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** The account was deleted: nothing of its member stays here, and the layout redirects to /sign-in. */
export function leaveDeletedAccount(): void {
  void forgetAccount();
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** The signed-in member, within the main group: `{ account, profile }`. */
export function useSession(): SessionContext {
  const session = useOptional(sessionQuery);
  if (!session) throw new Error('There is no session here; the guard of the main group comes first.');
  return session;
}

const unsentQuestion = {
  title: 'Log out before everything is sent?',
  text: 'What waits to be sent from this device would be lost.',
  confirmLabel: 'Log out',
  cancelLabel: 'Stay',
  tone: 'danger',
} as const;

/** Ends the session and reloads the page (§2), so that no data of the member stays in memory.
 * `to` is the page to load instead of home: the next member does not begin where this one stopped.
 */
export async function logOut(to?: string): Promise<void> {
  if (storedOutboxes().size > 0 && !(await confirm(unsentQuestion))) return;
  try {
    await call(firstCalls.deleteSession, { params: { sessionId: 'current' } });
  } catch (error) {
    // The session has already ended: treated as success.
    if (!isProblem(error, 'general_unauthorized_scope', 'user_session_not_found')) {
      showErrorToast(error, () => void logOut(to));
      return;
    }
  }
  forgetDestination();
  await forgetAccount();
  if (to !== undefined) {
    location.replace(to);
    return;
  }
  history.replaceState(null, '', '/');
  location.reload();
}
