import { nowMs } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { describe, expect, vi } from 'vitest';
import { makeJwt } from '../../features/accounts/index.ts';
import { accounts, sessions } from '../../features/accounts/tables.ts';
import { refused, sdk13, sdk27 } from '../../testing/backend/account-sdk.ts';
import { backendTest, friendlyOrigin } from '../../testing/backend/backend.ts';
import { addMember, openSession } from '../../testing/features/sessions.ts';

const base = backendTest();

describe.each([
  [sdk13.name, sdk13.open, '/v1/account/jwt'],
  [sdk27.name, sdk27.open, '/v1/account/jwts'],
] as const)('%s', (_name, open, jwtPath) => {
  const test = base.extend('signedIn', ({ backend, connection }) => async () => {
    const member = await addMember(connection);
    const browser = open(backend.url);
    browser.cookies.set('a_session_tara', member.secret);
    return { ...member, ...browser };
  });

  test('a token acts for its session and ends with it (§7-account-jwt, threat-stolen-sessions)', async ({
    backend,
    signedIn,
  }) => {
    const ana = await signedIn();
    const { jwt } = await ana.account.jwt();
    expect(jwt.split('.')).toHaveLength(3);
    expect(ana.requests).toEqual([`POST ${jwtPath} 201`]);
    const other = open(backend.url);
    other.setJwt(jwt);
    expect((await other.account.get()).$id).toBe(ana.accountId);
    await expect(other.account.jwt()).rejects.toEqual(refused(403, 'user_jwt_creation_denied'));
    await ana.account.deleteSession('current');
    await expect(other.account.get()).rejects.toEqual(refused(401, 'user_jwt_invalid'));
  });

  test('a token lives 15 minutes', async ({ signedIn }) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(nowMs() / 1000) * 1000 });
    const ana = await signedIn();
    const livesSeconds = ({ jwt }: { jwt: string }) =>
      JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).exp - nowMs() / 1000;
    expect(livesSeconds(await ana.account.jwt())).toBe(900);
  });

  test('a token goes before the cookie, and is refused once it is too old or changed (threat-stolen-sessions)', async ({
    backend,
    connection,
    signedIn,
  }) => {
    const [ana, ben] = [await signedIn(), await addMember(connection)];
    const jwt = makeJwt(backend.platform.sealer, ben, 60);
    ana.setJwt(jwt);
    expect((await ana.account.get()).$id).toBe(ben.accountId);
    const [header, payload, signature] = jwt.split('.');
    const claims = { userId: ana.accountId, sessionId: ana.sessionId, exp: 9_999_999_999 };
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const unsigned = Buffer.from('{"typ":"JWT","alg":"none"}').toString('base64url');
    for (const wrong of [
      ...[`${header}.${forged}.${signature}`, `${unsigned}.${forged}.`, `${header}.${payload}.short`],
      ...[`${jwt}.more`, 'a.b.c', 'nothing'],
    ]) {
      ana.setJwt(wrong);
      await expect(ana.account.get()).rejects.toEqual(refused(401, 'user_jwt_invalid'));
    }
    ana.setJwt(jwt);
    vi.useFakeTimers({ toFake: ['Date'], now: nowMs() + 61_000 });
    await expect(ana.account.get()).rejects.toEqual(refused(401, 'user_jwt_invalid'));
  });

  test('a session is given its year again, by its owner alone', async ({ database, signedIn }) => {
    const [ana, ben] = [await signedIn(), await signedIn()];
    const soon = new Date(nowMs() + 60_000);
    await database.update(sessions).set({ expiresAt: soon }).where(eq(sessions.id, ana.sessionId));
    const extended = await ana.account.extendSession('current');
    expect(extended).toMatchObject({ $id: ana.sessionId, current: true });
    expect(Date.parse(extended.expire)).toBeGreaterThan(nowMs() + 360 * 24 * 3600_000);
    expect(ana.requests).toEqual(['PATCH /v1/account/sessions/current 200']);
    for (const id of [ben.sessionId, 'nothing']) {
      await expect(ana.account.extendSession(id)).rejects.toEqual(refused(404, 'user_session_not_found'));
    }
    await database
      .update(sessions)
      .set({ expiresAt: new Date(0) })
      .where(eq(sessions.id, ana.sessionId));
    await expect(ana.account.extendSession(ana.sessionId)).rejects.toEqual(
      refused(404, 'user_session_not_found'),
    );
  });

  test('no other member’s session is shown, nor one whose time is over', async ({
    backend,
    database,
    signedIn,
  }) => {
    const [ana, ben] = [await signedIn(), await signedIn()];
    await openSession(backend.platform, ana.accountId);
    const listed = await ana.account.listSessions();
    const other = listed.sessions.find(({ current }) => !current)?.$id ?? '';
    expect([listed.total, (await ana.account.getSession(other)).$id]).toEqual([2, other]);
    await database
      .update(sessions)
      .set({ expiresAt: new Date(0) })
      .where(eq(sessions.id, other));
    expect((await ana.account.listSessions()).total).toBe(1);
    for (const id of [other, ben.sessionId])
      await expect(ana.account.getSession(id)).rejects.toEqual(refused(404, 'user_session_not_found'));
  });

  test('the cookie of a session lives as long as the session, which extends no other cookie', async ({
    backend,
    signedIn,
  }) => {
    const ana = await signedIn();
    await openSession(backend.platform, ana.accountId);
    const { sessions: listed } = await ana.account.listSessions();
    const extendedCookies = async (id: string) => {
      const reply = await ana.visit(`${backend.url}/v1/account/sessions/${id}`, {
        method: 'PATCH',
        headers: { origin: friendlyOrigin, 'sec-fetch-site': 'same-site' },
      });
      expect(reply.status).toBe(200);
      return reply.headers.getSetCookie().map((line) => line.split('=')[0]);
    };
    expect(await extendedCookies('current')).toEqual(['a_session_tara']);
    expect(await extendedCookies(listed.find(({ current }) => !current)?.$id ?? '')).toEqual([]);
  });

  test('lists the security events of the own account (§7-account-logs)', async ({ signedIn }) => {
    const { account, accountId, email } = await signedIn();
    const { total, logs } = await account.logs(1);
    // Its creation, its consent and its session.
    expect(total).toBe(3);
    expect(logs).toEqual([expect.objectContaining({ userId: accountId, userEmail: email, mode: 'default' })]);
    await expect(account.badLogs()).rejects.toEqual(refused(400, 'general_argument_invalid'));
  });

  test('leaving hides the member, ends every session, and can be undone (§7-account-patch-status)', async ({
    backend,
    database,
    signedIn,
  }) => {
    const { account, accountId, cookies, email } = await signedIn();
    const { jwt } = await account.jwt();
    expect((await account.leave()).status).toBe(false);
    expect([...cookies.keys()]).toEqual([]);
    expect(await database.$count(sessions, eq(sessions.accountId, accountId))).toBe(0);
    const [row] = await database.select().from(accounts).where(eq(accounts.id, accountId));
    expect(row?.deletesAt?.getTime()).toBeGreaterThan(nowMs());
    expect((await backend.mails()).map(({ to }) => to)).toEqual([email]);
    const other = open(backend.url);
    other.setJwt(jwt);
    await expect(other.account.get()).rejects.toEqual(refused(401, 'user_jwt_invalid'));
  });

  test('a session that showed its password long ago cannot leave', async ({ database, signedIn }) => {
    const { account, accountId } = await signedIn();
    await database
      .update(sessions)
      .set({ passwordShownAt: new Date(0) })
      .where(eq(sessions.accountId, accountId));
    await expect(account.leave()).rejects.toEqual(refused(403, 'user_recent_password_required'));
  });
});
