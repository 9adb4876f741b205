import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accounts as accountCalls } from '@tara/contract/accounts/accounts';
import { nowDate, nowMs } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { hashPassword } from '../../features/accounts/password.ts';
import { issueToken } from '../../features/accounts/secrets.ts';
import { accounts, identities, sessions } from '../../features/accounts/tables.ts';
import { deleteAccount } from '../../features/personal-data/delete.ts';
import { decideReport } from '../../features/reports/decide.ts';
import { reports } from '../../features/reports/tables.ts';
import type { Database } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import { quietLog } from '../../platform/log.ts';
import type { TestBackend } from '../../testing/backend/backend.ts';
import { realtimeTest } from '../../testing/backend/realtime.ts';
import { addMember, openSession, type TestMember } from '../../testing/features/sessions.ts';

const test = realtimeTest();
const password = 'kape at pandesal 7';

/** What ends sessions of a member. */
interface Road {
  /** Whether the session that does it stays; without, every session of the account ends. */
  keepsOwn: boolean;
  /** Prepares the account, whose other session is `other`. */
  prepare?(fixtures: { database: Database; ana: TestMember; other: TestMember }): Promise<unknown>;
  end(fixtures: {
    backend: TestBackend;
    database: Database;
    admin: TestMember;
    ana: TestMember;
    other: TestMember;
    call(method: string, path: string, body?: object): Promise<unknown>;
  }): Promise<unknown>;
}

const roads: Record<string, Road> = {
  'the end of one session': {
    keepsOwn: true,
    end: ({ call, other }) => call('DELETE', `/v1/account/sessions/${other.sessionId}`),
  },
  'the end of the other sessions': {
    keepsOwn: true,
    end: ({ call }) => call(accountCalls.endOtherSessions.method, accountCalls.endOtherSessions.path),
  },
  'a new password': {
    keepsOwn: true,
    end: ({ call }) =>
      call('PATCH', '/v1/account/password', { password: 'a better password', oldPassword: password }),
  },
  'a first password with an email': {
    keepsOwn: true,
    prepare: ({ database, ana }) =>
      database
        .update(accounts)
        .set({ email: null, emailVerifiedAt: null, passwordHash: '' })
        .where(eq(accounts.id, ana.accountId)),
    end: ({ call }) => call('PATCH', '/v1/account/email', { email: `${newId()}@example.com`, password }),
  },
  'the end of the identity by which it began': {
    keepsOwn: true,
    prepare: async ({ database, ana, other }) => {
      const { accountId } = ana;
      await database.insert(identities).values({
        ...{ id: `${accountId}-i`, accountId, provider: 'facebook', issuer: 'https://www.facebook.com' },
        ...{ providerUid: accountId, providerEmail: '' },
      });
      await database
        .update(sessions)
        .set({ provider: 'facebook', providerUid: accountId })
        .where(eq(sessions.id, other.sessionId));
    },
    end: ({ call, ana }) => call('DELETE', `/v1/account/identities/${ana.accountId}-i`),
  },
  'the sign-in that is one too many': {
    keepsOwn: true,
    prepare: async ({ database, ana, other }) => {
      await database
        .update(sessions)
        .set({ createdAt: new Date(0) })
        .where(eq(sessions.id, other.sessionId));
      for (let count = 0; count < 8; count++) await openSession({ database }, ana.accountId);
    },
    end: ({ call, ana }) => call('POST', '/v1/account/sessions/email', { email: ana.email, password }),
  },
  'the end of all sessions': { keepsOwn: false, end: ({ call }) => call('DELETE', '/v1/account/sessions') },
  'a recovery': {
    keepsOwn: false,
    end: async ({ call, database, ana }) => {
      const { secret } = await database.transaction((transaction) =>
        issueToken(transaction, ana.accountId, 'recovery'),
      );
      await call('PUT', '/v1/account/recovery', {
        ...{ userId: ana.accountId, secret, password: 'a better password' },
        passwordAgain: 'a better password',
      });
    },
  },
  'a ban': {
    keepsOwn: false,
    end: async ({ backend, database, admin, ana }) => {
      const report = {
        id: newId(),
        reporterId: admin.profileId,
        kind: 'member',
        recordId: ana.profileId,
      } as const;
      const snapshot = { title: '', text: '', imageUrl: null, createdAt: nowDate().toISOString() };
      await database
        .insert(reports)
        .values({ ...report, memberId: ana.profileId, reason: 'spam', snapshot, decision: null });
      const decision = { id: report.id, decision: 'ban', note: '' };
      await decideReport(backend.platform, { ...admin, profileId: 'other' } as never, decision as never);
    },
  },
  leaving: { keepsOwn: false, end: ({ call }) => call('PATCH', '/v1/account/status') },
  'the deletion of the account': {
    keepsOwn: false,
    end: async ({ backend, database, ana }) => {
      await database
        .update(accounts)
        .set({ deletesAt: new Date(nowMs() - 1000) })
        .where(eq(accounts.id, ana.accountId));
      await deleteAccount(backend.platform, ana.accountId, {
        log: quietLog(),
        signal: AbortSignal.timeout(60_000),
      });
    },
  },
};

test.for(Object.entries(roads))(
  '%s announces each session that it ends, and closes its sockets (threat-stolen-sessions)',
  async ([, road], { backend, connection, database, listening }) => {
    const passwordHash = await hashPassword(password, { ip: '' });
    const ana = await addMember(connection, { passwordHash });
    const admin = await addMember(connection, { labels: ['admin'] });
    const stranger = await addMember(connection);
    const other: TestMember = { ...ana, secret: await openSession({ database }, ana.accountId) };
    const rows = await database.select().from(sessions).where(eq(sessions.accountId, ana.accountId));
    other.sessionId = rows.find(({ id }) => id !== ana.sessionId)?.id ?? '';
    await road.prepare?.({ database, ana, other });
    const own = await listening(ana, 'account');
    const ended = await listening(other, 'account');
    const foreign = await listening(stranger, 'account', `account.${ana.accountId}`);

    const call = async (method: string, path: string, body: object = {}) => {
      const response = await fetch(`${backend.url}${path}`, {
        method,
        headers: { 'x-appwrite-session': ana.secret, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      });
      expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
    };
    await road.end({ backend, database, admin, ana, other, call });

    expect(await ended.closed).toBe(4401);
    const name = `users.${ana.accountId}.sessions`;
    const endsIn = (
      frames: readonly { data?: { events?: string[]; payload: { $id: string; secret: string } } }[],
    ) =>
      frames.flatMap(({ data }) => {
        if (!data?.events?.[0]?.startsWith(name) || !data.events[0].endsWith('.delete')) return [];
        expect(data.events[0]).toBe(`${name}.${data.payload.$id}.delete`);
        expect(data.payload).toMatchObject({ userId: ana.accountId, secret: '' });
        return [data.payload.$id];
      });
    if (road.keepsOwn) {
      expect(endsIn(await own.untilNow())).toEqual([other.sessionId]);
      expect(endsIn(ended.heard())).toEqual([other.sessionId]);
    } else {
      expect(await own.closed).toBe(4401);
      const both = [ana.sessionId, other.sessionId].toSorted();
      for (const client of [own, ended]) expect(endsIn(client.heard()).toSorted()).toEqual(both);
    }
    expect(endsIn(await foreign.untilNow())).toEqual([]);
    await backend.mails();
  },
);

test('sessions are ended in one place, but for accounts that begin anew and what has expired', () => {
  const serverFolder = fileURLToPath(new URL('../..', import.meta.url));
  const files = globSync('**/*.ts', { cwd: serverFolder, exclude: ['**/*.test.ts', 'testing/**'] });
  const ending = files.filter((file) =>
    /\.delete\(sessions\)|delete from \$?\{?sessions/.test(readFileSync(serverFolder + file, 'utf8')),
  );
  expect(ending).toEqual(['features/accounts/sessions.ts']);
});
