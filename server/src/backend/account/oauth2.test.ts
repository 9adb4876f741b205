import { nowDate, nowMs } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { accounts, identities, sessions } from '../../features/accounts/tables.ts';
import { profiles } from '../../features/profiles/tables.ts';
import { newId } from '../../platform/ids.ts';
import { refused, sdk13, sdk27 } from '../../testing/backend/account-sdk.ts';
import { friendlyOrigin, startBackend } from '../../testing/backend/backend.ts';
import { errorOf, failure, newPerson, oauthTest, success } from '../../testing/backend/oauth.ts';
import { addMember } from '../../testing/features/sessions.ts';

describe.each([sdk13, sdk27])('$name', ({ open }) => {
  const test = oauthTest.extend(
    'browser',
    ({ backend }) =>
      () =>
        open(backend.url),
  );

  test('a person of a provider gets an account with its profile, and signs in to it again (§7-account-oauth2)', async ({
    backend,
    database,
    provider,
    browser,
    signIn,
  }) => {
    const person = newPerson();
    provider.person = person;
    const ana = browser();
    expect((await signIn(ana)).href).toBe(success);
    const sent = provider.queries.at(-1);
    expect(sent?.get('code_challenge_method')).toBe('S256');
    expect(sent?.get('scope')).toBe('openid email profile');
    expect([...ana.cookies.keys()].sort()).toEqual(['a_device_tara', 'a_session_tara']);
    const user = await ana.account.get();
    expect(user).toMatchObject({ email: person.email, emailVerification: true, name: 'Ana Cruz' });
    const [profile] = await database.select().from(profiles).where(eq(profiles.accountId, user.$id));
    expect(profile).toMatchObject({ username: 'User025', name: 'Ana Cruz' });
    const { sessions } = await ana.account.listSessions();
    expect(sessions).toMatchObject([{ provider: 'oidc', providerUid: person.sub, current: true }]);
    // A session that a provider began has shown no password.
    await expect(ana.account.leave()).rejects.toEqual(refused(403, 'user_recent_password_required'));

    provider.person = { ...person, email: `${newId()}@example.com` };
    const later = browser();
    await signIn(later);
    expect(await later.account.get()).toMatchObject({ $id: user.$id, email: person.email });
    expect(await backend.lastMailTo(person.email)).toBeUndefined();

    await database
      .update(identities)
      .set({ createdAt: new Date(nowMs() - 3600_000) })
      .where(eq(identities.providerUid, person.sub));
    await signIn(later);
    expect(await backend.lastMailTo(person.email)).toBeUndefined();
    await signIn(browser());
    expect((await backend.lastMailTo(person.email))?.subject).toBe('A new device signed in to your account');
  });

  test('further scopes are asked for, and an address without pages ends at ours (§7-account-oauth2)', async ({
    backend,
    provider,
    browser,
    consent,
    comeBack,
  }) => {
    provider.person = newPerson();
    const ana = browser();
    ana.account.signInAt('oidc', undefined, undefined, ['calendar.read', 'https://example.com/scope']);
    const begun = await ana.visit(ana.location.href);
    const back = await consent(begun.headers.get('location') ?? '');
    expect(provider.queries.at(-1)?.get('scope')).toBe(
      'openid email profile calendar.read https://example.com/scope',
    );
    const answer = await comeBack(ana, back);
    expect(answer.headers.get('location')).toBe(`${backend.platform.config.publicUrl}/`);
  });

  test('a scope that every sign-in asks for is asked for once, as one that is named twice (§7-account-oauth2)', async ({
    backend,
    browser,
  }) => {
    const usual = {
      oidc: 'openid email profile',
      google: 'openid email profile',
      apple: 'email',
      facebook: 'public_profile email',
      github: 'read:user user:email',
    };
    for (const [provider, scopes] of Object.entries(usual)) {
      const ana = browser();
      ana.account.signInAt(provider, undefined, undefined, [...scopes.split(' '), 'photos', 'photos']);
      const begun = await ana.visit(ana.location.href);
      const { searchParams } = new URL(begun.headers.get('location') ?? backend.url);
      expect([provider, searchParams.get('scope')]).toEqual([provider, `${scopes} photos`]);
    }
  });

  test('lists the own identities, by queries of either syntax (§7-account-identities)', async ({
    backend,
    provider,
    browser,
    signIn,
  }) => {
    const email = `${newId()}@example.com`;
    const uids: string[] = [];
    const ana = browser();
    for (const name of ['oidc', 'google', 'github']) {
      const person = newPerson({ email });
      uids.push(person.sub);
      provider.person = person;
      await signIn(ana, name);
    }
    await backend.mails();
    const { $id } = await ana.account.get();
    const { total, identities } = await ana.account.listIdentities();
    expect(total).toBe(3);
    expect(JSON.parse(JSON.stringify(identities))).toMatchObject(
      ['oidc', 'google', 'github'].map((provider, index) => ({
        userId: $id,
        provider,
        providerUid: uids[index],
        providerEmail: email,
        providerAccessToken: '',
        providerRefreshToken: '',
      })),
    );
    const { query } = ana;
    const listProviders = async (...queries: string[]) => {
      const page = await ana.account.listIdentities(queries);
      return [page.total, ...page.identities.map(({ provider }) => provider)];
    };
    expect(await listProviders(query.equal('provider', ['google', 'github']))).toEqual([
      2,
      'google',
      'github',
    ]);
    expect(await listProviders(query.equal('providerUid', uids[0] ?? ''))).toEqual([1, 'oidc']);
    expect(await listProviders(query.limit(1), query.offset(1))).toEqual([3, 'google']);
    expect(await listProviders(query.cursorAfter(identities[1]?.$id ?? ''))).toEqual([3, 'github']);
    expect(await listProviders(query.cursorBefore(identities[1]?.$id ?? ''))).toEqual([3, 'oidc']);
    const afterFirst = query.cursorAfter(identities[0]?.$id ?? '');
    expect(await listProviders(afterFirst, query.limit(1))).toEqual([3, 'google']);
    for (const [bad, type] of [
      [query.equal('secret', 'x'), 'general_query_invalid'],
      [query.search('provider', 'x'), 'general_query_invalid'],
      [query.cursorAfter('nothing'), 'general_cursor_not_found'],
    ] as const) {
      await expect(ana.account.listIdentities([bad])).rejects.toEqual(refused(400, type));
    }
    await expect(browser().account.listIdentities()).rejects.toEqual(
      refused(401, 'general_unauthorized_scope'),
    );
  });

  test('a list of identities has 25 where none are asked for, and 100 at most', async ({
    database,
    provider,
    browser,
    signIn,
  }) => {
    provider.person = newPerson();
    const ana = browser();
    await signIn(ana);
    const { $id: accountId } = await ana.account.get();
    const other = { accountId, provider: 'github', issuer: 'https://github.com' } as const;
    await database
      .insert(identities)
      .values(Array.from({ length: 100 }, () => ({ ...other, id: newId(), providerUid: newId() })));
    const list = async (...queries: string[]) => {
      const page = await ana.account.listIdentities(queries);
      return [page.identities.length, page.total];
    };
    expect(await list()).toEqual([25, 101]);
    expect(await list(ana.query.limit(100))).toEqual([100, 101]);
    expect(await list(ana.query.limit(101))).toEqual([100, 101]);
  });

  test('an identity is removed with the sessions it began, and not the last way in (§7-account-delete-identity, threat-provider-sign-ins)', async ({
    connection,
    database,
    provider,
    browser,
    signIn,
  }) => {
    const member = await addMember(connection);
    const person = newPerson({ email: member.email });
    provider.person = person;
    const [ana, other] = [browser(), browser()];
    await signIn(ana);
    await signIn(other);
    // Those that other identities of the account began stay.
    const begun = { accountId: member.accountId, expiresAt: new Date(nowMs() + 3600_000) };
    await database.insert(sessions).values(
      [
        { provider: 'github', providerUid: person.sub },
        { provider: 'oidc', providerUid: newId() },
      ].map((origin) => ({ ...begun, ...origin, id: newId(), secretHash: Buffer.from(newId()) })),
    );
    const [identity] = (await ana.account.listIdentities()).identities;
    const id = identity?.$id ?? '';
    const ben = await addMember(connection);
    const bens = browser();
    bens.cookies.set('a_session_tara', ben.secret);
    for (const [who, unknown] of [
      [bens, id],
      [ana, 'nothing'],
    ] as const) {
      await expect(who.account.deleteIdentity(unknown)).rejects.toEqual(
        refused(404, 'user_identity_not_found'),
      );
    }
    await ana.account.deleteIdentity(id);
    expect((await ana.account.listIdentities()).total).toBe(0);
    await expect(other.account.get()).rejects.toEqual(refused(401, 'general_unauthorized_scope'));
    expect(await database.$count(sessions, eq(sessions.accountId, member.accountId))).toBe(4);

    // An account whose provider named no email has no other way to sign in.
    const { sub } = newPerson();
    provider.person = { sub };
    const eva = browser();
    await signIn(eva);
    expect(await eva.account.get()).toMatchObject({ email: '', emailVerification: false });
    const [only] = (await eva.account.listIdentities()).identities;
    await expect(eva.account.deleteIdentity(only?.$id ?? '')).rejects.toEqual(
      refused(409, 'user_identity_last'),
    );
    await eva.account.updateEmail(`${newId()}@example.com`, 'correct horse battery');
    await eva.account.deleteIdentity(only?.$id ?? '');
    expect(await database.$count(identities, eq(identities.providerUid, sub))).toBe(0);
  });
});

const test = oauthTest;

test.for([
  ['google', true, true],
  ['apple', 'true', true],
  ['github', true, true],
  ['github', false, false],
  ['facebook', true, false],
  ['oidc', false, false],
] as const)(
  '%s, saying %s of the email, gives an account whose email is confirmed: %s',
  async ([name, claim, isConfirmed], { backend, provider, signIn }) => {
    const person = { ...newPerson(), email_verified: claim };
    provider.person = person;
    const ana = sdk27.open(backend.url);
    expect((await signIn(ana, name)).href).toBe(success);
    expect(await ana.account.get()).toMatchObject({
      email: person.email,
      emailVerification: isConfirmed,
    });
    const { sessions } = await ana.account.listSessions();
    expect(sessions).toMatchObject([{ provider: name, providerUid: person.sub }]);
    const sent = provider.queries.at(-1);
    expect(sent?.has('code_challenge')).toBe(name !== 'apple' && name !== 'facebook');
    expect(sent?.has('nonce')).toBe(name !== 'github' && name !== 'facebook');
  },
);

test('a person is known by provider, issuer and id together (threat-provider-sign-ins)', async ({
  backend,
  connection,
  database,
  provider,
  signIn,
}) => {
  const person = newPerson();
  provider.person = person;
  const { accountId } = await addMember(connection);
  await database.insert(identities).values([
    { id: newId(), accountId, provider: 'oidc', issuer: 'https://another.example', providerUid: person.sub },
    { id: newId(), accountId, provider: 'google', issuer: provider.url, providerUid: person.sub },
  ]);
  const ana = sdk27.open(backend.url);
  await signIn(ana);
  expect(await ana.account.get()).toMatchObject({ email: person.email });
});

const noEmail = { email: null, emailVerifiedAt: null };
test.for([
  ['a confirmed email', { phone: null }, true],
  ['an email and a password', { emailVerifiedAt: null, passwordHash: 'none' }, true],
  ['an unconfirmed email', { emailVerifiedAt: null }, false],
  ['a confirmed phone', { ...noEmail, phone: '+639171234700', phoneVerifiedAt: nowDate() }, true],
  ['a phone that it merely names', { ...noEmail, phone: '+639171234701' }, false],
  ['a password without an email', { ...noEmail, passwordHash: 'none' }, false],
  ['another identity', noEmail, true],
] as const)(
  'an identity is not removed where nobody could get in any more: with %s (threat-provider-sign-ins)',
  async ([what, columns, isRemoved], { backend, connection, database }) => {
    const { accountId, secret } = await addMember(connection, { passwordHash: '' });
    await database.update(accounts).set(columns).where(eq(accounts.id, accountId));
    const ids = what === 'another identity' ? [newId(), newId()] : [newId()];
    const identity = { accountId, provider: 'facebook', issuer: 'https://www.facebook.com' } as const;
    await database.insert(identities).values(ids.map((id) => ({ ...identity, id, providerUid: newId() })));
    const { statusCode } = await backend.app.inject({
      method: 'DELETE',
      url: `/v1/account/identities/${ids[0]}`,
      headers: { 'x-appwrite-session': secret },
    });
    expect(statusCode).toBe(isRemoved ? 204 : 409);
    expect(await database.$count(identities, eq(identities.accountId, accountId))).toBe(
      isRemoved ? ids.length - 1 : ids.length,
    );
  },
);

test('a page of another origin gets a secret for a session, once and for five minutes', async ({
  backend,
  database,
  provider,
  consent,
  comeBack,
}) => {
  const person = newPerson();
  provider.person = person;
  const ana = sdk27.open(backend.url, { keepsCookies: false });
  const handOver = async () => {
    ana.newest.tokenAt('oidc', success, failure);
    expect(new URL(ana.location.href).pathname).toBe('/v1/account/tokens/oauth2/oidc');
    const begun = await ana.visit(ana.location.href);
    const answer = await comeBack(ana, await consent(begun.headers.get('location') ?? ''));
    expect(answer.headers.getSetCookie().filter((cookie) => cookie.startsWith('a_session'))).toEqual([]);
    return new URL(answer.headers.get('location') ?? '');
  };
  const page = await handOver();
  expect(page.href).toMatch(`${friendlyOrigin}/welcome?from=provider&userId=`);
  const { userId = '', secret = '' } = Object.fromEntries(page.searchParams);
  await expect(ana.newest.enterSecret('another', secret)).rejects.toEqual(refused(401, 'user_invalid_token'));
  expect(await ana.newest.enterSecret(userId, secret)).toMatchObject({
    userId,
    provider: 'oidc',
    providerUid: person.sub,
  });
  expect(await ana.account.get()).toMatchObject({ $id: userId, email: person.email });
  await expect(ana.newest.enterSecret(userId, secret)).rejects.toEqual(refused(401, 'user_invalid_token'));

  const late = await handOver();
  await database.execute(`update tokens set expires_at = now() where kind = 'oauth2'`);
  await expect(ana.newest.enterSecret(userId, late.searchParams.get('secret') ?? '')).rejects.toEqual(
    refused(401, 'user_invalid_token'),
  );
});

test.for([
  ['Tara Support', ''],
  ['Tara-Support', ''],
  ['x'.repeat(200), ''],
  ['<b>', ''],
  ["Zoë O'Neil", 'Zoë ONeil'],
  ['Jean-Luc Cruz', 'Jean Luc Cruz'],
] as const)(
  'a member who is %j at a provider is called %j',
  async ([name, stored], { backend, provider, signIn }) => {
    provider.person = newPerson({ name });
    const ana = sdk27.open(backend.url);
    await signIn(ana);
    expect((await ana.account.get()).name).toBe(stored);
  },
);

test('a provider without keys, and an unknown one, is refused', async ({ connection }) => {
  const backend = await startBackend(connection);
  try {
    for (const path of ['sessions', 'tokens']) {
      const answer = async (name: string) => {
        const response = await fetch(`${backend.url}/v1/account/${path}/oauth2/${name}?project=tara`);
        return [response.status, ((await response.json()) as { type: string }).type];
      };
      expect(await answer('google')).toEqual([501, 'user_auth_method_unsupported']);
      expect(await answer('nobody')).toEqual([400, 'general_argument_invalid']);
    }
  } finally {
    await backend.close();
  }
});

test('two answers at once for a new person make one account (threat-provider-sign-ins)', async ({
  backend,
  database,
  provider,
  begin,
  consent,
  comeBack,
}) => {
  const person = newPerson();
  provider.person = person;
  const [ana, other] = [sdk13.open(backend.url), sdk13.open(backend.url)];
  const backs = [await consent(await begin(ana)), await consent(await begin(other))] as const;
  const answers = await Promise.all([comeBack(ana, backs[0]), comeBack(other, backs[1])]);
  expect(answers.map(({ headers }) => headers.get('location'))).toEqual([success, success]);
  expect(await database.$count(accounts, eq(accounts.email, person.email))).toBe(1);
  expect((await ana.account.get()).$id).toBe((await other.account.get()).$id);
});

test('a refusal and a provider that fails end at the page of failure, with the error (§7-account-oauth2)', async ({
  backend,
  provider,
  begin,
  consent,
  comeBack,
  signIn,
}) => {
  const ana = sdk27.open(backend.url);
  provider.person = null;
  const cancelled = await signIn(ana);
  expect(`${cancelled.origin}${cancelled.pathname}`).toBe(failure);
  expect(errorOf(cancelled)).toEqual({
    message: 'The sign-in was cancelled or refused - please try again',
    type: 'user_oauth2_unauthorized',
    code: 401,
  });
  provider.person = newPerson();
  const unknown = await consent(await begin(ana, 'github'));
  unknown.url.searchParams.set('code', 'unknown');
  const refusal = new URL((await comeBack(ana, unknown)).headers.get('location') ?? '');
  expect(errorOf(refusal)).toMatchObject({ type: 'user_oauth2_unauthorized' });
  provider.brokenStatus = 500;
  try {
    expect(errorOf(await signIn(ana))).toEqual({
      message: 'The other site did not answer as expected - please try again later',
      type: 'user_oauth2_provider_error',
      code: 424,
    });
  } finally {
    provider.brokenStatus = null;
  }
  await expect(ana.account.get()).rejects.toEqual(refused(401, 'general_unauthorized_scope'));
});
