import assert from 'node:assert/strict';
import { oauth2 } from '@tara/contract/wire/oauth2';
import { accountCall, type Case } from '../cases.ts';

const foreignPage = 'https://evil.example/';

/** What both ways to begin a sign-in at a provider refuse. */
const refusals: readonly Case<never>[] = [
  {
    outcome: 'general_argument_invalid',
    how: 'a page of another site to come back to',
    run: ({ guest, tara }, invoke) => invoke(guest(), 'oidc', foreignPage, `${tara.url}/sign-in`),
  },
  {
    outcome: 'general_argument_invalid',
    how: 'a provider that Tara does not know',
    run: ({ guest, tara }, invoke) => invoke(guest(), 'nothing', `${tara.url}/`, `${tara.url}/sign-in`),
  },
  {
    outcome: 'user_auth_method_unsupported',
    how: 'a provider without keys',
    run: ({ guest, tara }, invoke) => invoke(guest(), 'google', `${tara.url}/`, `${tara.url}/sign-in`),
  },
  {
    outcome: 'user_oauth2_provider_error',
    how: 'a provider that does not answer',
    run: async ({ limited }, invoke) => {
      const { guest, tara } = await limited();
      return invoke(guest(), 'oidc', `${tara.url}/`, `${tara.url}/sign-in`);
    },
  },
];

/** Signing in at another provider, and the identities there. */
export const oauthCalls = [
  accountCall(oauth2.startSession, {
    row: '§7-account-oauth2',
    methods: ['createOAuth2Session'],
    args: ['oidc'],
    cases: [
      {
        outcome: 'success',
        how: 'leads over the provider to the page of success, where the browser is signed in',
        run: async ({ guest, tara, atProvider, account }, invoke) => {
          const user = guest();
          const { email, consent } = atProvider();
          const success = `${tara.url}/welcome?from=provider`;
          const address = await invoke(user, 'oidc', success, `${tara.url}/sign-in`, ['calendar.read']);
          assert.match(new URL(String(address)).searchParams.get('scope') ?? '', /\bcalendar\.read\b/);
          const answer = await user.visit(await consent(String(address)));
          assert.deepEqual([answer.status, answer.headers.get('location')], [302, success]);
          const own = await account(user);
          assert.deepEqual([own.email, own.emailVerification], [email, true]);
        },
      },
      ...refusals,
    ],
  }),
  accountCall(oauth2.startToken, {
    row: '§7-account-oauth2',
    methods: ['createOAuth2Token'],
    args: ['oidc'],
    cases: [
      {
        outcome: 'success',
        how: 'leads to the provider',
        run: async ({ guest, tara, providerUrl }, invoke) => {
          const address = await invoke(guest(), 'oidc', `${tara.url}/`, `${tara.url}/sign-in`);
          assert.ok(String(address).startsWith(`${providerUrl}/authorize?`));
        },
      },
      ...refusals,
    ],
  }),
  accountCall(oauth2.listIdentities, {
    row: '§7-account-identities',
    methods: ['listIdentities'],
    cases: [
      {
        outcome: 'success',
        how: 'lists the identity at a provider of the same confirmed email',
        run: async ({ newMember, joinIdentity, query }, invoke) => {
          const { user, accountId, email } = await newMember();
          assert.equal((await invoke(user)).total, 0);
          await joinIdentity(email);
          const { identities } = await invoke(user, [query.equal('provider', ['oidc'])]);
          assert.deepEqual(
            identities.map(({ userId, providerEmail }) => [userId, providerEmail]),
            [[accountId, email]],
          );
        },
      },
      {
        outcome: 'general_argument_invalid',
        how: 'a query that is longer than any',
        run: async ({ member, query }, invoke) =>
          invoke((await member()).user, [query.equal('provider', ['a'.repeat(400)])]),
      },
      {
        outcome: 'general_query_invalid',
        how: 'an attribute that identities do not have',
        run: async ({ member, query }, invoke) =>
          invoke((await member()).user, [query.equal('secret', ['x'])]),
      },
      {
        outcome: 'general_cursor_not_found',
        how: 'a cursor after an unknown identity',
        run: async ({ member, query }, invoke) =>
          invoke((await member()).user, [query.cursorAfter('nothing')]),
      },
    ],
  }),
  accountCall(oauth2.deleteIdentity, {
    row: '§7-account-delete-identity',
    methods: ['deleteIdentity'],
    args: ['nothing'],
    cases: [
      {
        outcome: 'success',
        how: 'removes an identity of an account with a password',
        run: async ({ newMember, joinIdentity, identityIds }, invoke) => {
          const { user, email } = await newMember();
          await joinIdentity(email);
          const [id] = await identityIds(user);
          await invoke(user, id);
          assert.deepEqual(await identityIds(user), []);
        },
      },
      {
        outcome: 'user_identity_not_found',
        how: 'an unknown identity',
        run: async ({ member }, invoke) => invoke((await member()).user, 'nothing'),
      },
      {
        outcome: 'user_identity_last',
        how: 'the only way into the account',
        run: async ({ providerMember, identityIds }, invoke) => {
          const user = await providerMember();
          const [id] = await identityIds(user);
          return invoke(user, id);
        },
      },
    ],
  }),
];
