import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { backendTest } from '../../testing/backend/backend.ts';
import { addMember } from '../../testing/features/sessions.ts';

const test = backendTest({ RATE_LIMITS: 'on' }).extend(
  'statuses',
  { scope: 'file' },
  ({ backend }) =>
    /** Makes a call so many times from an address of its own, and returns the statuses in their sequence. */
    async (times: number, { method, path, payload, secret, from = address() }: Call) => {
      const seen: [status: number, times: number][] = [];
      for (let call = 0; call < times; call++) {
        const { statusCode } = await backend.app.inject({
          method,
          url: `/v1/account/${path}`,
          remoteAddress: from,
          ...(payload === undefined ? {} : { payload }),
          ...(secret === undefined ? {} : { headers: { 'x-appwrite-session': secret } }),
        });
        const last = seen.at(-1);
        if (last?.[0] === statusCode) last[1]++;
        else seen.push([statusCode, 1]);
      }
      return seen;
    },
);

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  payload?: object;
  /** Secret of the session that makes it. */
  secret?: string;
  from?: string;
}

let addresses = 0;
/** An address whose network no other call comes from. */
const address = () => `203.${addresses++}.113.7`;

test('a neighbour’s unknown secrets do not keep a browser whose session is over from signing in (threat-starvation)', async ({
  connection,
  statuses,
}) => {
  const from = address();
  const unknown = await Promise.all(
    Array.from({ length: 1_250 }, () => statuses(1, { method: 'GET', path: 'prefs', secret: newId(), from })),
  );
  const seen = unknown.map(([status]) => status?.[0]);
  expect([...new Set(seen)].sort()).toEqual([401, 429]);
  const { email } = await addMember(connection);
  const payload = { email, password: 'not this one' };
  const signIn = { method: 'POST', path: 'sessions/email', payload, secret: newId(), from } as const;
  expect(await statuses(1, signIn)).toEqual([[401, 1]]);
  // Of the rest nothing is answered as to a guest.
  expect(await statuses(1, { method: 'POST', path: 'jwts', payload: {}, secret: newId(), from })).toEqual([
    [429, 1],
  ]);
});

test.for([
  ['extending sessions', { method: 'PATCH', path: 'sessions/current' }, 200, 10],
  ['ending sessions', { method: 'DELETE', path: 'sessions/nothing' }, 404, 100],
  ['making tokens', { method: 'POST', path: 'jwts', payload: {} }, 201, 120],
] as const)(
  'a member goes on %s until the limit',
  async ([_what, call, status, limit], { connection, statuses }) => {
    const [ana, ben] = [await addMember(connection), await addMember(connection)];
    const from = address();
    expect(await statuses(limit + 1, { ...call, secret: ana.secret, from })).toEqual([
      [status, limit],
      [429, 1],
    ]);
    // Another member behind the same address is not limited.
    expect(await statuses(1, { ...call, secret: ben.secret, from })).toEqual([[status, 1]]);
  },
);

test.for([
  ['PUT', 'sessions/magic-url', {}],
  ['PUT', 'sessions/phone', {}],
  ['POST', 'sessions/token', {}],
  ['PUT', 'verifications/email', {}],
  ['PUT', 'verifications/phone', {}],
  ['PUT', 'recovery', { password: 'correct horse battery' }],
] as const)(
  '%s %s: the secret of one person is tried ten times from an address',
  async ([method, path, more], { statuses }) => {
    const from = address();
    const tries = (userId: string) => ({
      method,
      path,
      from,
      payload: { userId, secret: '000000', ...more },
    });
    const [ana, ben] = [newId(), newId()];
    expect(await statuses(11, tries(ana))).toEqual([
      [401, 10],
      [429, 1],
    ]);
    expect(await statuses(1, tries(ben))).toEqual([[401, 1]]);
    // A stranger used up nothing of Ana's own.
    expect(await statuses(1, { ...tries(ana), from: address() })).toEqual([[401, 1]]);
  },
);

test('codes are mailed to one email a few times from an address, and nineteen times a day in all', async ({
  backend,
  statuses,
}) => {
  const email = `${newId()}@example.com`;
  const call = { method: 'POST', path: 'tokens/email', payload: { userId: 'unique()', email } } as const;
  expect(await statuses(6, { ...call, from: address() })).toEqual([
    [201, 5],
    [429, 1],
  ]);
  // Requests from elsewhere are answered alike, and from the 20th on no code is mailed; an owner gets the last link.
  for (let round = 0; round < 4; round++) expect(await statuses(5, call)).toEqual([[201, 5]]);
  expect((await backend.mails()).filter(({ to }) => to === email)).toHaveLength(19);
});
