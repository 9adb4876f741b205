import type { Call } from '@tara/contract/calls';
import { eq } from 'drizzle-orm';
import { hashPassword } from '../../features/accounts/password.ts';
import { accounts } from '../../features/accounts/tables.ts';
import { profiles } from '../../features/profiles/index.ts';
import { newId } from '../../platform/ids.ts';
import { backendTest } from '../backend/backend.ts';
import { addMember, type TestMember } from './sessions.ts';

/** The password of the members of these tests. */
export const password = 'a long password';
export const newEmail = () => `${newId()}@example.com`;
/** Tests of account settings: members with a password, who send calls to a whole backend. */
export const test = backendTest()
  .extend(
    'newMember',
    { scope: 'file' },
    ({ connection }) =>
      async (emailVerified = true): Promise<TestMember> =>
        addMember(connection, { emailVerified, passwordHash: await hashPassword(password, {}) }),
  )
  .extend(
    'send',
    { scope: 'file' },
    ({ backend }) =>
      async (who: TestMember | null, call: Pick<Call, 'method' | 'path'>, body?: object) => {
        const response = await fetch(backend.url + call.path, {
          method: call.method,
          headers: {
            'content-type': 'application/json',
            ...(who ? { 'x-appwrite-session': who.secret } : {}),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        const text = await response.text();
        return { status: response.status, body: text === '' ? null : JSON.parse(text) };
      },
  )
  .extend('stored', { scope: 'file' }, ({ database }) => async (who: TestMember) => {
    const [row] = await database
      .select()
      .from(accounts)
      .innerJoin(profiles, eq(profiles.accountId, accounts.id))
      .where(eq(accounts.id, who.accountId));
    return row;
  });
