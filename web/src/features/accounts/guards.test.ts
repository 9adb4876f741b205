import { isRedirect } from '@tanstack/react-router';
import type { SessionContext } from '@tara/contract/accounts/accounts';
import { retry } from '@tara/contract/limits';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../../lib/queries.ts';
import { parseSearch, stringifySearch, takeDestination } from '../../lib/url.ts';
import { problem, stubServer } from '../../testing/stub-server.ts';
import { requireAdmin, requireAdminLabel, requireGuest, requireLeaving, requireMember } from './guards.ts';
import { sessionQuery } from './session.ts';

const SESSION = 'GET /api/account/session';
const server = stubServer();

beforeAll(() => {
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } });
});
afterEach(() => vi.restoreAllMocks());

function signedIn(account: Partial<SessionContext['account']> = {}) {
  const session = {
    account: {
      ...{
        id: 'a1',
        email: 'ana@example.com',
        emailVerification: true,
        isUserAdmin: false,
        secondFactor: null,
      },
      hasConsented: true,
      ...account,
    },
    profile: { id: 'p1' },
  };
  server.answer(SESSION, 200, session);
  return session;
}
function guest() {
  const { status, body } = problem(401, 'general_unauthorized_scope');
  server.answer(SESSION, status, body);
}
/** Where a guard redirects, or null when it allows the route. */
async function sentTo(
  guard: (guarded: ReturnType<typeof at>) => Promise<unknown>,
  href = '/',
): Promise<string | null> {
  try {
    await guard(at(href));
    return null;
  } catch (thrown) {
    if (!isRedirect(thrown)) throw thrown;
    const { to, href, search } = thrown.options;
    return `${to ?? href}${stringifySearch({ ...(search as object) })}`;
  }
}
const at = (href: string) => ({
  location: { href, search: parseSearch(new URL(href, 'http://tara.test').search) },
});

describe('the main group', () => {
  test('lets an authenticated member in, with the session (§4-session)', async () => {
    const session = signedIn();
    expect(await requireMember(at('/'))).toEqual({ session });
  });

  test('sends a user with no session to /sign-in (§2-guard-guests, §4-session-redirected)', async () => {
    guest();
    expect(await sentTo(requireMember)).toBe('/sign-in');
  });

  test('sends a member with an unconfirmed email to /confirming', async () => {
    signedIn({ emailVerification: false });
    expect(await sentTo(requireMember)).toBe('/confirming');
  });

  test('sends a member who leaves to /leaving, and nobody else may open it', async () => {
    signedIn({ deletesAt: '2026-12-05T00:00:00.000Z' });
    expect(await sentTo(requireMember)).toBe('/leaving');
    expect(await sentTo(requireLeaving)).toBeNull();
    queryClient.clear();
    signedIn();
    expect(await sentTo(requireLeaving)).toBe('/');
    queryClient.clear();
    guest();
    expect(await sentTo(requireLeaving)).toBe('/sign-in');
  });

  test('sends a guest on to where they wanted to go, after signing in', async () => {
    guest();
    expect(await sentTo(requireMember, '/post/1?a=b')).toBe('/sign-in?redirect=%2Fpost%2F1%3Fa%3Db');
    expect(await sentTo(requireAdmin, '/verify-users')).toBe('/sign-in?redirect=%2Fverify-users');
    expect(await sentTo(requireMember, '//other.example')).toBe('/sign-in');
    signedIn({ emailVerification: false });
    queryClient.clear();
    await sentTo(requireMember, '/post/1');
    expect(takeDestination()).toBe('/post/1');
  });

  test('a failed check is logged (§8-auth-check-logged), and its member treated as a guest (§8-auth-check)', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { status, body } = problem(500, 'general_unknown');
    server.answer(SESSION, status, body);
    expect(await sentTo(requireMember)).toBe('/sign-in');
    expect(logged).toHaveBeenCalledOnce();
    expect(server.requests).toHaveLength(1 + retry.times);
    // Not remembered: once the server answers, the member is in.
    const session = signedIn();
    expect(await requireMember(at('/'))).toEqual({ session });
  });

  test.each([
    [429, 'general_rate_limit_exceeded'],
    [503, 'general_unavailable'],
  ])('keeps a member in when a later check is answered with %d', async (code, type) => {
    const session = signedIn();
    await requireMember(at('/'));
    const { status, body } = problem(code, type);
    server.answer(SESSION, status, body);
    await queryClient.refetchQueries({ queryKey: sessionQuery.queryKey });
    expect(queryClient.getQueryState(sessionQuery.queryKey)?.data).toEqual(session);
    expect(server.requests).toHaveLength(2 + retry.times);
  });

  test('asks once for several screens', async () => {
    signedIn();
    await requireMember(at('/'));
    await requireMember(at('/'));
    expect(server.requests.map(({ line }) => line)).toEqual([SESSION]);
  });
});

describe('the public group', () => {
  test('lets a guest in', async () => {
    guest();
    expect(await sentTo(requireGuest)).toBeNull();
  });

  test('redirects signed-in members home', async () => {
    signedIn({ emailVerification: false });
    expect(await sentTo(requireGuest)).toBe('/');
  });

  test('sends who is signed in already to the destination of the link, if it is of this site', async () => {
    signedIn();
    expect(await sentTo(requireGuest, '/sign-in?redirect=/post/1')).toBe('/post/1');
    expect(await sentTo(requireGuest, '/sign-in?redirect=https://other.example')).toBe('/');
  });
});

describe('the admin group', () => {
  const secondFactor = (ms: number | null) => ({
    isSetUp: true,
    validUntil: ms === null ? null : new Date(Date.now() + ms).toISOString(),
  });

  test('lets an admin in who has shown the second factor', async () => {
    signedIn({ isUserAdmin: true, secondFactor: secondFactor(60_000) });
    expect(await sentTo(requireAdmin)).toBeNull();
  });

  test.each([
    ['none is set up', { isSetUp: false, validUntil: null }],
    ['it was not shown', secondFactor(null)],
    ['its 12 hours are over', secondFactor(-1)],
  ])('sends an admin to the second factor, which leads back, while %s', async (_while, state) => {
    signedIn({ isUserAdmin: true, secondFactor: state });
    expect(await sentTo(requireAdmin, '/reports?open=r1')).toBe(
      '/second-factor?redirect=%2Freports%3Fopen%3Dr1',
    );
    expect(await sentTo(requireAdminLabel)).toBeNull();
  });

  test('sends a member from an admin screen to / (§2-guard-admins)', async () => {
    signedIn();
    expect(await sentTo(requireAdmin)).toBe('/');
  });

  test('sends a guest to /sign-in', async () => {
    guest();
    expect(await sentTo(requireAdmin)).toBe('/sign-in');
  });
});
