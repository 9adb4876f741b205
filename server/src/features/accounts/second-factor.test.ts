import { accounts as accountCalls } from '@tara/contract/accounts/accounts';
import { secondFactor } from '@tara/contract/accounts/second-factor';
import { allCalls } from '@tara/contract/all';
import type { Call } from '@tara/contract/calls';
import { nowDate, nowMs } from '@tara/contract/clock';
import type { ProblemReply } from '@tara/contract/problems';
import { desc, eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import type { Sql } from '../../platform/database/connect.ts';
import { admit } from '../../platform/http/serve.ts';
import { viewerOf } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { backendTest } from '../../testing/backend/backend.ts';
import { addMember, openSession, type TestMember } from '../../testing/features/sessions.ts';
import { auditLog } from '../audit/index.ts';
import { demoAccounts } from './demo.ts';
import { listAdmins, resetSecondFactor, setAdmin } from './labels.ts';
import { hashPassword } from './password.ts';
import { accounts, recoveryCodes, secondFactors, sessions } from './tables.ts';

const stepMs = 30_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

// Codes depend on the time: it stands still in this process, and goes on in the database.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: nowMs() }));
afterEach(() => void vi.useRealTimers());

const codeAt = (secret: string, ms = nowMs()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ms });

interface Reply {
  status: number;
  body: Partial<ProblemReply> & Record<string, unknown>;
  retryAfter: string | null;
}

/** The type of a refusal, or `done`. */
const outcome = ({ status, body }: Reply) => (status === 200 ? 'done' : body.type);

interface Setup {
  secret: string;
  setup: string;
}

const test = backendTest({ RATE_LIMITS: 'on' })
  .extend('passwordHash', { scope: 'file' }, () => hashPassword('a long password', {}))
  /** An account with the admin label, whose session just showed its password, and no second factor yet. */
  .extend('admin', async ({ connection, database, passwordHash }) => {
    const member = await addMember(connection, { email: `${newId()}@example.com`, passwordHash });
    await setAdmin(database, member.email, true);
    return member;
  })
  /** Another one. */
  .extend('otherAdmin', async ({ connection, database, passwordHash }) => {
    const member = await addMember(connection, { email: `${newId()}@example.com`, passwordHash });
    await setAdmin(database, member.email, true);
    return member;
  })
  .extend(
    'send',
    { scope: 'file' },
    ({ backend }) =>
      async (who: { secret: string }, call: Call, body?: object) => {
        const headers = { 'x-appwrite-session': who.secret, 'content-type': 'application/json' };
        const payload = body === undefined ? undefined : JSON.stringify(body);
        const { method, path } = call;
        const response = await backend.app.inject({ method, url: path, headers, payload: payload ?? '{}' });
        const retryAfter = response.headers['retry-after'];
        return {
          status: response.statusCode,
          body: response.json(),
          retryAfter: retryAfter === undefined ? null : String(retryAfter),
        } satisfies Reply;
      },
  )
  .extend(
    'confirm',
    { scope: 'file' },
    ({ send }) =>
      (who: { secret: string }, code: string) =>
        send(who, secondFactor.confirm, { code }),
  )
  .extend('begin', { scope: 'file' }, ({ send }) => async (who: { secret: string }) => {
    const { body } = await send(who, secondFactor.begin);
    return body as unknown as Setup;
  })
  .extend('setUp', { scope: 'file' }, ({ begin, send }) => async (who: { secret: string }) => {
    const { secret, setup } = await begin(who);
    const done = await send(who, secondFactor.setUp, { setup, code: codeAt(secret) });
    expect(done.status).toBe(200);
    return { secret, recoveryCodes: done.body.recoveryCodes as string[] };
  })
  /** What only an admin may do, whose second factor is recent. */
  .extend(
    'act',
    { scope: 'file' },
    ({ send }) =>
      async (who: { secret: string }) =>
        outcome(await send(who, secondFactor.renewRecoveryCodes)),
  )
  .extend('newSession', { scope: 'file' }, ({ backend }) => async ({ accountId }: TestMember) => ({
    secret: await openSession(backend.platform, accountId),
  }))
  .extend(
    'showPassword',
    { scope: 'file' },
    ({ database, backend }) =>
      async (who: TestMember, shownAt: Date) => {
        await database
          .update(sessions)
          .set({ passwordShownAt: shownAt })
          .where(eq(sessions.accountId, who.accountId));
        backend.platform.bus.publish('viewerChanged', { accountId: who.accountId });
      },
  )
  .extend('audited', { scope: 'file' }, ({ database }) => async ({ accountId }: TestMember) => {
    const subject = `account:${accountId}`;
    const rows = await database
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, subject))
      .orderBy(desc(auditLog.id));
    return rows.map(({ action }) => action);
  });

/** `ms`: how long ago the session showed the second factor; null: never. */
const viewerWith = (ms: number | null, { hasSecondFactor = true, hasAdminLabel = true } = {}) =>
  viewerOf({
    ...{ accountId: 'a', profileId: 'a', sessionId: 'a', name: 'A', email: 'a@x' },
    ...{ emailVerified: true, verified: true, hasConsented: true, passwordShownAt: nowDate() },
    ...{ deletesAt: null, suspendedUntil: null },
    ...{ hiddenProfileIds: [], hiddenAccountIds: [], mutedProfileIds: [] },
    ...{ hasAdminLabel, hasSecondFactor },
    secondFactorShownAt: ms === null ? null : new Date(nowMs() - ms),
  });

const adminCalls = Object.entries(allCalls).flatMap(([table, calls]) =>
  Object.entries(calls)
    .filter(([, { access }]) => access === 'admin')
    .map(([name, call]) => [`${table}.${name}`, call] as const),
);

/** What `admit` says: the type of its problem, or `admitted`. */
function admission(call: Call, viewer: ReturnType<typeof viewerWith>): string {
  try {
    admit(call, viewer);
    return 'admitted';
  } catch (error) {
    if (error instanceof Problem) return error.type;
    throw error;
  }
}

describe('a stolen password does not open', () => {
  test('any call of admins: it asks for the second factor of the last 12 hours, and of the last 15 minutes for what decides (§6-admin)', () => {
    const answers = ({ recentSecondFactor }: Call) => {
      const required = recentSecondFactor ? 'recent_second_factor_required' : 'second_factor_required';
      return {
        withoutLabel: 'admin_only',
        without: 'second_factor_setup_required',
        // Of an earlier second factor, which was reset.
        reset: 'second_factor_setup_required',
        notShown: required,
        after12Hours: required,
        within12Hours: recentSecondFactor ? required : 'admitted',
        after15Minutes: recentSecondFactor ? required : 'admitted',
        within15Minutes: 'admitted',
      };
    };
    const ask = (call: Call) => ({
      withoutLabel: admission(call, viewerWith(0, { hasAdminLabel: false })),
      without: admission(call, viewerWith(null, { hasSecondFactor: false })),
      reset: admission(call, viewerWith(0, { hasSecondFactor: false })),
      notShown: admission(call, viewerWith(null)),
      after12Hours: admission(call, viewerWith(12 * hourMs + 1)),
      within12Hours: admission(call, viewerWith(12 * hourMs)),
      after15Minutes: admission(call, viewerWith(15 * minuteMs + 1)),
      within15Minutes: admission(call, viewerWith(15 * minuteMs)),
    });
    for (const [name, call] of adminCalls) expect({ name, ...ask(call) }).toEqual({ name, ...answers(call) });
  });

  test('what an admin decides, pays or opens of members after 15 minutes: only these stay open for 12 hours (threat-stolen-admin-sessions)', () => {
    const long = adminCalls.filter(([, call]) => !call.recentSecondFactor).map(([name]) => name);
    expect(long.sort()).toEqual([
      'admin.awaitingPlans',
      'adminMoney.ledgerCheck',
      'adminMoney.openMoney',
      'adminMoney.unassignedDisputes',
      'adminWork.counts',
      'adminWork.moneyOverview',
      'caseFiles.findMoney',
      'caseFiles.timeline',
      'reports.bannedRequests',
      'reports.open',
      'requestCases.chargebacks',
      'requestCases.disputes',
      'requestCases.noAnswer',
      'verification.pending',
    ]);
  });

  test('the rights of an admin beside these calls: they end while a socket stays open (threat-stolen-admin-sessions)', () => {
    expect(viewerWith(null).admin).toBe(false);
    expect(viewerWith(0, { hasAdminLabel: false }).admin).toBe(false);
    expect(viewerWith(0, { hasSecondFactor: false }).admin).toBe(false);
    const viewer = viewerWith(0);
    expect(viewer.admin).toBe(true);
    vi.setSystemTime(nowMs() + 12 * hourMs + 1);
    expect(viewer.admin).toBe(false);
  });
});

describe('setting up', () => {
  test('a code of the app stores the secret, encrypted, shows it, and returns ten recovery codes', async ({
    admin,
    begin,
    send,
    act,
    database,
    audited,
  }) => {
    expect(await act(admin)).toBe('second_factor_setup_required');
    const { secret, setup } = await begin(admin);
    const wrong = await send(admin, secondFactor.setUp, { setup, code: codeAt(secret, 0) });
    expect([wrong.status, wrong.body]).toMatchObject([
      400,
      {
        type: 'second_factor_wrong',
        fields: {
          code: 'This code is not right - codes from the app change every 30 seconds, and every code works once',
        },
      },
    ]);
    const done = await send(admin, secondFactor.setUp, { setup, code: codeAt(secret) });
    const codes = done.body.recoveryCodes as string[];
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    const stored = JSON.stringify([
      await database.select().from(secondFactors).where(eq(secondFactors.accountId, admin.accountId)),
      await database.select().from(recoveryCodes).where(eq(recoveryCodes.accountId, admin.accountId)),
    ]);
    expect(stored).not.toContain(secret);
    for (const code of codes) expect(stored).not.toContain(code.slice(0, 4) + code.slice(5, 9));
    const status = await send(admin, secondFactor.status);
    expect(status.body).toEqual({ createdAt: expect.any(String), recoveryCodesLeft: 10 });
    const [session] = await database.select().from(sessions).where(eq(sessions.id, admin.sessionId));
    const shownMs = session?.secondFactorShownAt?.getTime() ?? 0;
    const shown = async () => {
      const { body } = await send(admin, accountCalls.session);
      return (body.account as { secondFactor: unknown }).secondFactor;
    };
    const validUntil = new Date(shownMs + 12 * hourMs).toISOString();
    expect(await shown()).toEqual({ isSetUp: true, validUntil });
    expect(await act(admin)).toBe('done');
    expect(await audited(admin)).toEqual([
      'secondFactor.renewRecoveryCodes',
      'secondFactor.create',
      'admin.grant',
    ]);
    vi.setSystemTime(shownMs + 12 * hourMs + 1);
    expect(await shown()).toEqual({ isSetUp: true, validUntil: null });
  });

  test('is refused to who only has the session, and to who is no admin', async ({
    admin,
    connection,
    begin,
    send,
    showPassword,
  }) => {
    const { secret, setup } = await begin(admin);
    await showPassword(admin, new Date(0));
    for (const [call, body] of [
      [secondFactor.begin, undefined],
      [secondFactor.setUp, { setup, code: codeAt(secret) }],
    ] as const)
      expect(outcome(await send(admin, call, body))).toBe('user_recent_password_required');
    const member = await addMember(connection);
    for (const call of Object.values(secondFactor))
      expect(outcome(await send(member, call))).toBe('admin_only');
  });

  test('never replaces a second factor, also not by password and session (threat-stolen-admin-sessions)', async ({
    admin,
    begin,
    send,
    setUp,
    newSession,
    database,
  }) => {
    const thief = await newSession(admin);
    await database
      .update(sessions)
      .set({ passwordShownAt: nowDate() })
      .where(eq(sessions.accountId, admin.accountId));
    const before = await begin(thief);
    await setUp(admin);
    expect(outcome(await send(thief, secondFactor.begin))).toBe('second_factor_exists');
    const late = { setup: before.setup, code: codeAt(before.secret) };
    expect(outcome(await send(thief, secondFactor.setUp, late))).toBe('second_factor_exists');
  });

  test('is not set up without the owner being mailed (threat-stolen-admin-sessions)', async ({
    admin,
    backend,
    setUp,
  }) => {
    await setUp(admin);
    const mail = await backend.lastMailTo(admin.email);
    expect(mail?.subject).toBe('A second factor was set up for your Tara account');
    expect(mail?.text).toContain('If it was not you');
  });

  test('takes a secret from this server alone, for one session and one hour', async ({
    admin,
    begin,
    send,
    newSession,
    showPassword,
  }) => {
    const { secret, setup } = await begin(admin);
    const other = await newSession(admin);
    await showPassword(admin, new Date(nowMs() + 2 * 3_600_000));
    const answer = async (who: { secret: string }, sent: string) =>
      outcome(await send(who, secondFactor.setUp, { setup: sent, code: codeAt(secret) }));
    expect(await answer(other, setup)).toBe('second_factor_setup_expired');
    expect(await answer(admin, `${setup.slice(0, -2)}AA`)).toBe('second_factor_setup_expired');
    vi.setSystemTime(nowMs() + 3_600_001);
    expect(await answer(admin, setup)).toBe('second_factor_setup_expired');
  });

  test('happens once of two at once', async ({ admin, begin, send, newSession, showPassword }) => {
    const both = [admin, await newSession(admin)];
    await showPassword(admin, nowDate());
    const begun = await Promise.all(both.map(async (who) => ({ who, ...(await begin(who)) })));
    const outcomes = await Promise.all(
      begun.map(async ({ who, secret, setup }) =>
        outcome(await send(who, secondFactor.setUp, { setup, code: codeAt(secret) })),
      ),
    );
    expect(outcomes.sort()).toEqual(['done', 'second_factor_exists']);
  });
});

describe('a code', () => {
  test('opens a session once, and no other session of the account', async ({
    admin,
    setUp,
    confirm,
    newSession,
    act,
    showPassword,
  }) => {
    const { secret } = await setUp(admin);
    const [second, third] = [await newSession(admin), await newSession(admin)];
    await showPassword(admin, nowDate());
    expect(await act(second)).toBe('recent_second_factor_required');
    // The code of the setup was used by it.
    expect(outcome(await confirm(second, codeAt(secret)))).toBe('second_factor_wrong');
    vi.setSystemTime(nowMs() + stepMs);
    const code = codeAt(secret);
    expect(outcome(await confirm(third, `${code.slice(0, 3)} ${code.slice(3)}`))).toBe('done');
    expect([await act(third), await act(second)]).toEqual(['done', 'recent_second_factor_required']);
    const fourth = await newSession(admin);
    expect(outcome(await confirm(fourth, code))).toBe('second_factor_wrong');
  });

  test('of one admin uses up none of another', async ({ admin, otherAdmin, setUp, confirm, newSession }) => {
    const both = [admin, otherAdmin];
    const secrets = await Promise.all(both.map(async (who) => (await setUp(who)).secret));
    vi.setSystemTime(nowMs() + stepMs);
    for (const [index, who] of both.entries())
      expect(outcome(await confirm(await newSession(who), codeAt(secrets[index] ?? '')))).toBe('done');
  });

  test('passes once when it is sent twice at once (threat-stolen-admin-sessions)', async ({
    admin,
    setUp,
    confirm,
    newSession,
  }) => {
    const { secret } = await setUp(admin);
    vi.setSystemTime(nowMs() + stepMs);
    const others = [await newSession(admin), await newSession(admin), await newSession(admin)];
    const outcomes = await Promise.all(
      others.map(async (who) => outcome(await confirm(who, codeAt(secret)))),
    );
    expect(outcomes.sort()).toEqual(['done', 'second_factor_wrong', 'second_factor_wrong']);
  });

  test('is of the present half minute, or one beside it, and never older than one that was used', async ({
    admin,
    setUp,
    confirm,
    newSession,
  }) => {
    const { secret } = await setUp(admin);
    vi.setSystemTime(nowMs() + 10 * stepMs);
    const answer = async (steps: number) =>
      outcome(await confirm(await newSession(admin), codeAt(secret, nowMs() + steps * stepMs)));
    expect(await answer(-2)).toBe('second_factor_wrong');
    expect(await answer(2)).toBe('second_factor_wrong');
    expect(await answer(-1)).toBe('done');
    expect(await answer(1)).toBe('done');
    expect(await answer(0)).toBe('second_factor_wrong');
  });

  test('cannot be guessed: each wrong one lengthens the wait, as with passwords, also for the right one', async ({
    admin,
    setUp,
    confirm,
    newSession,
  }) => {
    const { secret } = await setUp(admin);
    vi.setSystemTime(nowMs() + 10 * stepMs);
    const thief = await newSession(admin);
    const wrong = codeAt(secret, 0);
    const waits = [];
    for (const _ of [1, 2, 3, 4]) {
      const { status, retryAfter } = await confirm(thief, wrong);
      waits.push([status, retryAfter]);
    }
    expect(waits).toEqual([
      [400, '1'],
      [429, '2'],
      [429, '4'],
      [429, '8'],
    ]);
    expect(outcome(await confirm(thief, codeAt(secret)))).toBe('general_rate_limit_exceeded');
    // Another session has a wait of its own.
    expect(outcome(await confirm(await newSession(admin), codeAt(secret)))).toBe('done');
  });

  test('is no try when its text has the form of no code', async ({ admin, setUp, send, confirm }) => {
    const { secret } = await setUp(admin);
    for (const code of ['12', 'abc', '1234567', '12345a', 'a'.repeat(17), '0'.repeat(16)]) {
      const { status, body } = await send(admin, secondFactor.confirm, { code });
      expect([status, body.fields]).toEqual([
        400,
        { code: 'A code has 6 digits, a recovery code 16 letters and digits.' },
      ]);
    }
    vi.setSystemTime(nowMs() + stepMs);
    expect(outcome(await confirm(admin, codeAt(secret)))).toBe('done');
  });

  test('cannot be guessed with ever new sessions (threat-stolen-admin-sessions)', async ({
    admin,
    setUp,
    confirm,
    newSession,
  }) => {
    const { secret } = await setUp(admin);
    vi.setSystemTime(nowMs() + 10 * stepMs);
    const outcomes = [];
    for (let session = 0; session < 8; session++)
      outcomes.push(outcome(await confirm(await newSession(admin), codeAt(secret, 0))));
    expect(outcomes.slice(0, 5)).toEqual(Array(5).fill('second_factor_wrong'));
    expect(outcomes.slice(6)).toEqual(Array(2).fill('general_rate_limit_exceeded'));
  });
});

describe('a recovery code', () => {
  test('replaces a code of the app once, also when it is sent twice at once, and is audited', async ({
    admin,
    setUp,
    confirm,
    newSession,
    send,
    audited,
  }) => {
    const { recoveryCodes: codes } = await setUp(admin);
    const code = codes[3] ?? '';
    const others = [await newSession(admin), await newSession(admin)];
    const outcomes = await Promise.all(
      others.map(async (who) => outcome(await confirm(who, ` ${code.toUpperCase().replaceAll('-', ' ')}`))),
    );
    expect(outcomes.sort()).toEqual(['done', 'second_factor_wrong']);
    expect(outcome(await confirm(await newSession(admin), code))).toBe('second_factor_wrong');
    expect((await send(admin, secondFactor.status)).body).toMatchObject({ recoveryCodesLeft: 9 });
    expect((await audited(admin))[0]).toBe('secondFactor.recover');
  });

  test('opens no session of another admin (threat-stolen-admin-sessions)', async ({
    admin,
    otherAdmin,
    setUp,
    confirm,
    newSession,
  }) => {
    const [, { recoveryCodes: codes }] = [await setUp(admin), await setUp(otherAdmin)];
    expect(outcome(await confirm(await newSession(admin), codes[0] ?? ''))).toBe('second_factor_wrong');
    expect(outcome(await confirm(await newSession(otherAdmin), codes[0] ?? ''))).toBe('done');
  });

  test('ends with the next renewal', async ({ admin, setUp, confirm, newSession, send }) => {
    const { recoveryCodes: old } = await setUp(admin);
    const renewed = (await send(admin, secondFactor.renewRecoveryCodes)).body.recoveryCodes as string[];
    expect(outcome(await confirm(await newSession(admin), old[0] ?? ''))).toBe('second_factor_wrong');
    expect(outcome(await confirm(await newSession(admin), renewed[0] ?? ''))).toBe('done');
  });
});

/** Locks the recovery codes of an account until `release`. */
async function holdCodes(sql: Sql, accountId: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const held = sql.begin(async (transaction) => {
    await transaction`select from recovery_codes where account_id = ${accountId} for update`;
    isLocked();
    await released;
  });
  await locked;
  return { held, release };
}

const waitForLocks = (sql: Sql, count: number) =>
  vi.waitFor(async () => {
    const waiting = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect(waiting).toHaveLength(count);
  });

describe('commands end the rights of an admin at once', () => {
  test('a reset, which is audited, and after which a new second factor is set up', async ({
    admin,
    setUp,
    act,
    database,
    audited,
    confirm,
  }) => {
    const { recoveryCodes: codes, secret } = await setUp(admin);
    expect((await listAdmins(database)).find(({ email }) => email === admin.email)).toMatchObject({
      hasSecondFactor: true,
    });
    expect(await resetSecondFactor(database, admin.email)).toBe('changed');
    expect((await audited(admin))[0]).toBe('secondFactor.reset');
    await vi.waitFor(async () => expect(await act(admin)).toBe('second_factor_setup_required'));
    vi.setSystemTime(nowMs() + stepMs);
    for (const code of [codes[0] ?? '', codeAt(secret)])
      expect(outcome(await confirm(admin, code))).toBe('second_factor_setup_required');
    expect(await resetSecondFactor(database, admin.email)).toBe('unchanged');
    expect(await resetSecondFactor(database, 'nobody@example.com')).toBe('unknown');
    await setUp(admin);
    expect(await act(admin)).toBe('done');
  });

  test('a reset while a code is confirmed, and neither waits for the other', async ({
    admin,
    setUp,
    confirm,
    newSession,
    act,
    connection,
    database,
  }) => {
    const { recoveryCodes: codes } = await setUp(admin);
    const other = await newSession(admin);
    // Holds the codes, until both have begun.
    const { held, release } = await holdCodes(connection.sql, admin.accountId);
    const confirmed = confirm(other, codes[0] ?? '');
    await waitForLocks(connection.sql, 1);
    const reset = resetSecondFactor(database, admin.email);
    await waitForLocks(connection.sql, 2);
    release();
    await held;
    expect(outcome(await confirmed)).toBe('done');
    expect(await reset).toBe('changed');
    await vi.waitFor(async () => expect(await act(other)).toBe('second_factor_setup_required'));
    const rows = await database.select().from(sessions).where(eq(sessions.accountId, admin.accountId));
    expect(rows.map(({ secondFactorShownAt }) => secondFactorShownAt)).toEqual([null, null]);
  });

  test('a revocation', async ({ admin, setUp, act, database }) => {
    await setUp(admin);
    await setAdmin(database, admin.email, false);
    await vi.waitFor(async () => expect(await act(admin)).toBe('admin_only'));
  });
});

test('the sign-in page of the demo shows a code that works now, and none of an account that is not of the demo', async ({
  admin,
  setUp,
  confirm,
  newSession,
  backend,
  database,
}) => {
  await setUp(admin);
  const shown = async () => (await demoAccounts(backend.platform)).find(({ email }) => email === admin.email);
  expect(await shown()).toBeUndefined();
  await database.update(accounts).set({ demo: true }).where(eq(accounts.id, admin.accountId));
  // The code of this half minute was used by the setup: the next one is good already.
  expect(outcome(await confirm(await newSession(admin), (await shown())?.code ?? ''))).toBe('done');
  expect((await shown())?.code).toBeNull();
  vi.setSystemTime(nowMs() + stepMs);
  expect(outcome(await confirm(await newSession(admin), (await shown())?.code ?? ''))).toBe('done');
});
