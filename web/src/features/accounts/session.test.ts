import { account, accounts } from '@tara/contract/accounts/accounts';
import { adminWork } from '@tara/contract/admin';
import type { Call } from '@tara/contract/calls';
import { counts } from '@tara/contract/counts';
import { profiles } from '@tara/contract/members/profiles';
import { afterEach, expect, test, vi } from 'vitest';
import { readDraftValues, writeDraft, writeDraftValues } from '../../lib/draft-storage.ts';
import { pushAccount, storePushAccount } from '../../lib/push-choice.ts';
import { queryClient } from '../../lib/queries.ts';
import { showNotification, stubPushBrowser } from '../../testing/push-browser.ts';
import { sampleSession } from '../../testing/samples.ts';
import { stubServer } from '../../testing/stub-server.ts';
import { lastAccountKey } from '../../ui/browser-storage.ts';
import { showTotal, useTotal } from '../../ui/total.ts';
import { endSession, firstCalls, leaveDeletedAccount, readSession, sessionQuery } from './session.ts';

const clearReplies = vi.hoisted(() => vi.fn(async () => undefined));
vi.mock('../../lib/stored-replies-database.ts', () => ({
  keep: async () => undefined,
  find: async () => null,
  clear: clearReplies,
}));

const server = stubServer();
afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test('the calls of the first page and the shell are those of the contract', () => {
  const of = ({ method, path, key }: Call) => ({ method, path, key });
  expect(firstCalls).toEqual({
    session: of(accounts.session),
    profile: of(profiles.get),
    workCounts: of(adminWork.counts),
    counts: of(counts.own),
    demo: of(accounts.demo),
    createEmailSession: of(account.createEmailSession),
    deleteSession: of(account.deleteSession),
  });
});

/** What a member leaves in a tab and on a device. */
function leaveTraces() {
  queryClient.setQueryData(['/api/post', 'feed'], 'posts of Ana');
  writeDraft('verification', '{"address":"1 Mabini Street"}');
  writeDraftValues({ key: 'request:plan', account: 'Ana' }, { place: 'Luneta' });
  localStorage.setItem('outbox:Ana:messages:key', 'See you at six.');
}
const traces = () => [
  queryClient.getQueryData(['/api/post', 'feed']),
  readDraftValues({ key: 'verification' }).address,
  readDraftValues({ key: 'request:plan', account: 'Ana' }).place,
  localStorage.getItem('outbox:Ana:messages:key') ?? undefined,
];
const signIn = async (name: string) => {
  server.answer('GET /api/account/session', 200, sampleSession(name));
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
  expect((await readSession(0))?.account.id).toBe(sampleSession(name).account.id);
};

const sessionEnds = async () => {
  server.answer('GET /api/account/session', 401, { type: 'general_unauthorized_scope', title: 'x' });
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
  expect(await readSession(0)).toBe(null);
};

test('another member who signs in after a session that ended finds nothing of the one before', async () => {
  await signIn('Ana');
  leaveTraces();
  await sessionEnds();
  await signIn('Ben');
  expect(traces()).toEqual([undefined, undefined, undefined, undefined]);
  expect(queryClient.getQueryData(sessionQuery.queryKey)?.profile.id).toBe('Ben');
});

test('what the member before left is gone before the next one is known, so that a page that is left begins again', async () => {
  await signIn('Ana');
  const cleared = Promise.withResolvers<undefined>();
  clearReplies.mockReturnValueOnce(cleared.promise);
  clearReplies.mockClear();
  const signedIn = signIn('Ben');
  await vi.waitFor(() => expect(clearReplies).toHaveBeenCalledOnce());
  expect(localStorage.getItem(lastAccountKey)).toBe(sampleSession('Ana').account.id);
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toBe(undefined);
  cleared.resolve(undefined);
  await signedIn;
  expect(localStorage.getItem(lastAccountKey)).toBe(sampleSession('Ben').account.id);
});

test.each([
  ['signed out', null],
  ['was followed by this one', sampleSession('Ben').account.id],
])('nor in a tab whose member %s in another tab', async (_what, last) => {
  await signIn('Ana');
  leaveTraces();
  if (last === null) localStorage.removeItem(lastAccountKey);
  else localStorage.setItem(lastAccountKey, last);
  await signIn('Ben');
  expect(traces().slice(0, 2)).toEqual([undefined, undefined]);
});

test.each([
  ['the session is read', sessionEnds],
  ['a call is refused', async () => endSession()],
])('the same member who signs in again finds all that they left, also when %s', async (_when, end) => {
  await signIn('Ana');
  leaveTraces();
  const before = traces();
  await end();
  await signIn('Ana');
  expect(traces()).toEqual(before);
  expect(before).toEqual(['posts of Ana', '1 Mabini Street', 'Luneta', 'See you at six.']);
});

test.each([
  ['the session is read', sessionEnds],
  ['a call is refused', async () => endSession()],
])('what this device shows of a member is closed when %s and has ended elsewhere', async (_when, end) => {
  const browser = stubPushBrowser();
  await signIn('Ana');
  storePushAccount('Ana');
  showNotification(browser, 'chat-1');
  await end();
  await vi.waitFor(() => expect(browser.shown).toEqual([]));
  // Notifications stopped, which the next start says.
  expect(pushAccount()).toBe('Ana');
});

test('of an account that was deleted here nothing stays on the device', async () => {
  await signIn('Ana');
  leaveTraces();
  leaveDeletedAccount();
  expect(traces().slice(1)).toEqual([undefined, undefined, undefined]);
  await vi.waitFor(() => expect(localStorage.getItem(lastAccountKey)).toBe(null));
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toBe(null);
});

test('the icon of the installed app shows nothing once the session has ended', async () => {
  const clearAppBadge = vi.fn(async () => undefined);
  Object.assign(navigator, { clearAppBadge });
  await signIn('Ana');
  showTotal(3);
  endSession();
  expect(clearAppBadge).toHaveBeenCalled();
  expect(useTotal.getState().total).toBe(0);
  Reflect.deleteProperty(navigator, 'clearAppBadge');
});
