import { isRedirect } from '@tanstack/react-router';
import { retry } from '@tara/contract/limits';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionQuery } from '../features/accounts/index.ts';
import { queryClient } from '../lib/queries.ts';
import { problem, stubServer } from '../testing/stub-server.ts';
import { requireAdmin, requireGuest, requireMember } from './guards.ts';

const SESSION = 'GET /api/account/session';
let server: Awaited<ReturnType<typeof stubServer>>;

beforeAll(async () => {
  server = await stubServer();
  server.visit();
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } });
});
beforeEach(() => {
  server.reset();
  queryClient.clear();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => server.close());

function signedIn(account: { emailVerification?: boolean; isUserAdmin?: boolean } = {}) {
  const session = {
    account: { id: 'a1', email: 'ana@example.com', emailVerification: true, isUserAdmin: false, ...account },
    profile: { id: 'p1' },
  };
  server.answer(SESSION, 200, session);
  return session;
}
function guest() {
  const { status, body } = problem(401, 'general_unauthorized_scope');
  server.answer(SESSION, status, body);
}
/** Where a guard sends, or null when it lets in. */
async function sentTo(guard: () => Promise<unknown>): Promise<string | null> {
  try {
    await guard();
    return null;
  } catch (thrown) {
    if (isRedirect(thrown)) return String(thrown.options.to);
    throw thrown;
  }
}

describe('the main group (§2-guard-guests)', () => {
  test('lets a confirmed member in, with the session (§4-session)', async () => {
    const session = signedIn();
    expect(await requireMember()).toEqual({ session });
  });

  test('sends a guest to /sign-in', async () => {
    guest();
    expect(await sentTo(requireMember)).toBe('/sign-in');
  });

  test('sends a member with an unconfirmed email to /confirming (§2-confirming, §1-confirmed-email)', async () => {
    signedIn({ emailVerification: false });
    expect(await sentTo(requireMember)).toBe('/confirming');
  });

  test('logs a failed check and treats it as a guest (§8-auth-check)', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { status, body } = problem(500, 'general_unknown');
    server.answer(SESSION, status, body);
    expect(await sentTo(requireMember)).toBe('/sign-in');
    expect(logged).toHaveBeenCalledOnce();
    expect(server.requests).toHaveLength(1 + retry.times);
    // Not remembered: once the server answers, the member is in.
    const session = signedIn();
    expect(await requireMember()).toEqual({ session });
  });

  test.each([
    [429, 'general_rate_limit_exceeded'],
    [503, 'general_unavailable'],
  ])('keeps a member in when a later check is answered with %d (§8-retries)', async (code, type) => {
    const session = signedIn();
    await requireMember();
    const { status, body } = problem(code, type);
    server.answer(SESSION, status, body);
    await queryClient.refetchQueries({ queryKey: sessionQuery.queryKey });
    expect(queryClient.getQueryState(sessionQuery.queryKey)?.data).toEqual(session);
    expect(server.requests).toHaveLength(2 + retry.times);
  });

  test('asks once for several screens', async () => {
    signedIn();
    await requireMember();
    await requireMember();
    expect(server.requests.map(({ line }) => line)).toEqual([SESSION]);
  });
});

describe('the public group (§2-guard-members)', () => {
  test('lets a guest in', async () => {
    guest();
    expect(await sentTo(requireGuest)).toBeNull();
  });

  test('redirects signed-in members home', async () => {
    signedIn({ emailVerification: false });
    expect(await sentTo(requireGuest)).toBe('/');
  });
});

describe('the admin group (§2-guard-admins)', () => {
  test('lets an admin in', async () => {
    signedIn({ isUserAdmin: true });
    expect(await sentTo(requireAdmin)).toBeNull();
  });

  test('sends a member home', async () => {
    signedIn();
    expect(await sentTo(requireAdmin)).toBe('/');
  });

  test('sends a guest to /sign-in', async () => {
    guest();
    expect(await sentTo(requireAdmin)).toBe('/sign-in');
  });
});
