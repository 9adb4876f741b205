import { eq } from 'drizzle-orm';
import { describe, expect, vi } from 'vitest';
import { makeJwt } from '../features/accounts/index.ts';
import { accounts, sessions } from '../features/accounts/tables.ts';
import { backendTest, friendlyOrigin } from '../testing/backend.ts';
import { openBrowser } from '../testing/browser.ts';
import { addMember } from '../testing/sessions.ts';

const base = backendTest();
const refused = (code: number, type: string) => expect.objectContaining({ code, type });

const old = (url: string) => {
  const browser = openBrowser('appwrite-13', { origin: friendlyOrigin });
  const client = new browser.sdk.Client().setEndpoint(`${url}/v1`).setProject('tara');
  const account = new browser.sdk.Account(client);
  const { Query } = browser.sdk;
  return {
    ...browser,
    client,
    account: {
      get: () => account.get(),
      jwt: () => account.createJWT(),
      endSession: () => account.deleteSession('current'),
      logs: (limit: number) => account.listLogs([Query.limit(limit), Query.offset(1)]),
      badLogs: () => account.listLogs([Query.equal('event', 'x')]),
      leave: () => account.updateStatus(),
    },
  };
};
const newest = (url: string) => {
  const browser = openBrowser('appwrite-27', { origin: friendlyOrigin });
  const client = new browser.sdk.Client().setEndpoint(`${url}/v1`).setProject('tara');
  const account = new browser.sdk.Account(client);
  const { Query } = browser.sdk;
  return {
    ...browser,
    client,
    account: {
      get: () => account.get(),
      jwt: () => account.createJWT(),
      endSession: () => account.deleteSession('current'),
      logs: (limit: number) => account.listLogs([Query.limit(limit), Query.offset(1)]),
      badLogs: () => account.listLogs([Query.equal('event', 'x')]),
      leave: () => account.updateStatus(),
    },
  };
};

describe.each([
  ['SDK 13.0.2', old, '/v1/account/jwt'],
  ['SDK 27.0.0', newest, '/v1/account/jwts'],
] as const)('%s', (_name, open, jwtPath) => {
  const test = base.extend('signedIn', ({ backend, connection }) => async () => {
    const member = await addMember(connection);
    const browser = open(backend.url);
    browser.cookies.set('a_session_tara', member.secret);
    return { ...member, ...browser };
  });

  test('a token acts for its session and ends with it (§7-account-jwt)', async ({ backend, signedIn }) => {
    const ana = await signedIn();
    const { jwt } = await ana.account.jwt();
    expect(jwt.split('.')).toHaveLength(3);
    expect(ana.requests).toEqual([`POST ${jwtPath} 201`]);
    const other = open(backend.url);
    other.client.setJWT(jwt);
    expect((await other.account.get()).$id).toBe(ana.accountId);
    await expect(other.account.jwt()).rejects.toEqual(refused(403, 'user_jwt_creation_denied'));
    await ana.account.endSession();
    await expect(other.account.get()).rejects.toEqual(refused(401, 'user_jwt_invalid'));
  });

  test('a token goes before the cookie, and is refused once it is too old or changed', async ({
    backend,
    connection,
    signedIn,
  }) => {
    const [ana, ben] = [await signedIn(), await addMember(connection)];
    const jwt = makeJwt(backend.platform.sealer, ben, 60);
    ana.client.setJWT(jwt);
    expect((await ana.account.get()).$id).toBe(ben.accountId);
    const [header, , signature] = jwt.split('.');
    const claims = { userId: ana.accountId, sessionId: ana.sessionId, exp: 9_999_999_999 };
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const unsigned = Buffer.from('{"typ":"JWT","alg":"none"}').toString('base64url');
    for (const wrong of [`${header}.${forged}.${signature}`, `${unsigned}.${forged}.`, 'a.b.c', 'nothing']) {
      ana.client.setJWT(wrong);
      await expect(ana.account.get()).rejects.toEqual(refused(401, 'user_jwt_invalid'));
    }
    ana.client.setJWT(jwt);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await expect(ana.account.get()).rejects.toEqual(refused(401, 'user_jwt_invalid'));
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
    expect(row?.deletesAt?.getTime()).toBeGreaterThan(Date.now());
    expect((await backend.mails()).map(({ to }) => to)).toEqual([email]);
    const other = open(backend.url);
    other.client.setJWT(jwt);
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
