import { nowMs } from '@tara/contract/clock';
import { devices as calls } from '@tara/contract/notifications/devices';
import { pushRenewalPath } from '@tara/contract/url';
import { and, eq, ne } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { RetryLater } from '../../platform/jobs/task.ts';
import type { PushOutcome } from '../../platform/push.ts';
import { insertDevice } from '../../testing/features/devices.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { testBrowser } from '../../testing/push-service.ts';
import { serverTest } from '../../testing/test.ts';
import { accounts, endSession, sessions } from '../accounts/index.ts';
import { deliverPush, deviceRoutes, devices } from './index.ts';

const newSubscription = () => testBrowser(`https://fcm.googleapis.com/fcm/send/${newId()}`).target;
const android =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36';
const noVisit = { ip: '', userAgent: '' };

const test = serverTest(deviceRoutes)
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana' }))
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben' }))
  .extend('register', ({ server }) => async (who: Member, subscription: object = newSubscription()) => {
    const response = await server.request(who, {
      method: 'POST',
      url: calls.register.path,
      headers: { 'user-agent': android },
      payload: subscription,
    });
    if (response.statusCode !== 200) throw new Error(response.body);
    return response.json<{ id: string }>();
  })
  .extend(
    'rows',
    ({ database }) =>
      (who: Member) =>
        database.select().from(devices).where(eq(devices.accountId, who.accountId)),
  )
  /** A device of another session of the member. */
  .extend(
    'insertOther',
    ({ database }) =>
      (member: Member, part: Parameters<typeof insertDevice>[2] = {}) =>
        insertDevice(database, member, part),
  );

test('a browser is registered once for its session, listed with its name, and known by its owner alone', async ({
  server,
  platform,
  ana,
  ben,
  register,
  rows,
  insertOther,
}) => {
  await register(ana);
  const { id } = await register(ana);
  const { reply } = await server.call(ana, calls.list);
  expect(reply).toMatchObject({
    publicKey: platform.push.publicKey,
    devices: [
      {
        id,
        clientName: 'Mobile Chrome',
        osName: 'Android',
        deviceName: 'smartphone',
        current: true,
        showsText: false,
      },
    ],
  });
  expect(JSON.stringify(reply)).not.toContain('fcm');
  expect((await server.call(ben, calls.list)).reply.devices).toEqual([]);
  for (const call of [calls.test, calls.update]) {
    const body = { deviceId: id, ...(call === calls.update && { showsText: true }) };
    expect((await server.call(ben, call, { body })).problem.type).toBe('device_not_found');
  }
  await server.call(ben, calls.remove, { body: { deviceId: id } });
  expect(await rows(ana)).toHaveLength(1);
  const other = await insertOther(ana);
  await server.call(ana, calls.update, { body: { deviceId: id, showsText: true } });
  const withText = (await rows(ana)).filter(({ showsText }) => showsText);
  expect(withText).toMatchObject([{ id }]);
  await server.call(ana, calls.remove, { body: { deviceId: id } });
  expect(await rows(ana)).toMatchObject([{ id: other.id }]);
});

test('a subscription belongs to who registered it last', async ({ ana, ben, register, rows }) => {
  const subscription = newSubscription();
  await register(ana, subscription);
  await register(ben, subscription);
  expect(await rows(ana)).toEqual([]);
  expect(await rows(ben)).toHaveLength(1);
});

test('of more than ten devices the oldest gives way, also when two are registered at once', async ({
  ana,
  register,
  rows,
  insertOther,
}) => {
  const others: string[] = [];
  for (let day = 1; day <= 11; day++) {
    const { id } = await insertOther(ana, { createdAt: new Date(nowMs() - day * 86_400_000) });
    others.push(id);
  }
  const registered = await Promise.all([register(ana), register(ana)]);
  const left = (await rows(ana)).map(({ id }) => id);
  expect(left).toHaveLength(10);
  expect(left.filter((id) => registered.some((device) => device.id === id))).toHaveLength(1);
  expect(left).toEqual(expect.arrayContaining(others.slice(0, 9)));
});

describe('a device ends', () => {
  test('with its session (threat-push-endpoints)', async ({
    database,
    platform,
    ana,
    register,
    rows,
    insertOther,
  }) => {
    await register(ana);
    const { sessionId } = await insertOther(ana);
    await endSession({ database, bus: platform.bus }, ana.accountId, sessionId, noVisit);
    expect(await rows(ana)).toMatchObject([{ sessionId: ana.sessionId }]);
  });

  test('with the password, and with nothing else of the account (threat-push-endpoints)', async ({
    database,
    ana,
    ben,
    register,
    rows,
    insertOther,
  }) => {
    await register(ben);
    await register(ana);
    await insertOther(ana);
    const own = eq(accounts.id, ana.accountId);
    await database.update(accounts).set({ name: 'Anna', passwordHash: 'none' }).where(own);
    expect(await rows(ana)).toHaveLength(2);
    await database.update(accounts).set({ passwordHash: 'other' }).where(own);
    expect(await rows(ana)).toEqual([]);
    expect(await rows(ben)).toHaveLength(1);
  });

  test('and its session cannot register it again', async ({ server, database, ana }) => {
    await database.delete(sessions).where(eq(sessions.id, ana.sessionId));
    const { problem } = await server.call(ana, calls.register, { body: newSubscription() });
    expect(problem.type).toBe('general_unauthorized_scope');
  });
});

test('a start of the app stores the subscription of now, and says when notifications have ended', async ({
  server,
  platform,
  ana,
  ben,
  register,
  rows,
  insertOther,
}) => {
  expect(calls.renew.path).toBe(pushRenewalPath);
  const renew = (body: object) => server.call(ana, calls.renew, { body });
  const renewed = newSubscription();
  expect((await renew(renewed)).problem.type).toBe('device_not_found');
  const other = await insertOther(ana);
  await register(ben);
  // Of who was signed in with this browser before.
  await insertOther(ben, { endpoint: renewed.endpoint });
  const { id } = await register(ana);
  for (let count = 0; count < 2; count++)
    expect((await renew(renewed)).reply).toEqual({ publicKey: platform.push.publicKey });
  const own = (await rows(ana)).filter(({ sessionId }) => sessionId === ana.sessionId);
  expect(own).toMatchObject([{ id, ...renewed }]);
  expect((await rows(ana)).map((row) => row.id).sort()).toEqual([id, other.id].sort());
  expect(await rows(ben)).toMatchObject([{ sessionId: ben.sessionId }]);
});

test('the choice to show texts stays when the browser is registered again', async ({
  server,
  ana,
  register,
  rows,
  insertOther,
}) => {
  const subscription = newSubscription();
  await insertOther(ana, { endpoint: subscription.endpoint });
  const { id } = await register(ana);
  await server.call(ana, calls.update, { body: { deviceId: id, showsText: true } });
  await register(ana);
  expect(await rows(ana)).toContainEqual(
    expect.objectContaining({ sessionId: ana.sessionId, showsText: true }),
  );
  // Also with a subscription that another session had.
  await register(ana, subscription);
  expect(await rows(ana)).toMatchObject([{ ...subscription, showsText: true }]);
});

test.for([
  ['a host that is no push service', { endpoint: 'https://push.example.com/abc' }, 'push_service_unknown'],
  ['another port', { endpoint: 'https://fcm.googleapis.com:444/abc' }, 'push_service_unknown'],
  ['an address', { endpoint: 'https://10.0.0.1/abc' }, 'push_service_unknown'],
  ['no encryption', { endpoint: 'http://fcm.googleapis.com/abc' }, 'general_argument_invalid'],
  [
    'a long endpoint',
    { endpoint: `https://fcm.googleapis.com/${'a'.repeat(2_000)}` },
    'general_argument_invalid',
  ],
  ['a key that is no point', { p256dh: `B${'A'.repeat(86)}` }, 'general_argument_invalid'],
  ['a short secret', { auth: 'abc' }, 'general_argument_invalid'],
] as const)(
  'a subscription with %s is refused (threat-push-endpoints)',
  async ([, part, type], { server, ana, rows, register }) => {
    const body = { ...newSubscription(), ...part };
    expect((await server.call(ana, calls.register, { body })).problem.type).toBe(type);
    expect(await rows(ana)).toEqual([]);
    await register(ana);
    expect((await server.call(ana, calls.renew, { body })).problem.type).toBe(type);
  },
);

describe('a message to a device', () => {
  const message = { title: 'Ben accepted', url: '/manage-plans', urgency: 'high' } as const;
  const job = { attempt: 1, maxAttempts: 3 };
  const answers = test.extend(
    'deliver',
    ({ platform, ana, register }) =>
      async (outcome: PushOutcome, part = {}) => {
        const { id: deviceId } = await register(ana);
        platform.pushes.length = 0;
        platform.pushOutcome.current = outcome;
        return deliverPush(platform, { deviceId, message }, { ...job, ...part });
      },
  );

  answers('is sent with the keys of its browser', async ({ platform, deliver, ana, rows }) => {
    expect(await deliver({ kind: 'accepted' })).toBe(true);
    const [device] = await rows(ana);
    expect(platform.pushes).toEqual([
      { endpoint: device?.endpoint, p256dh: device?.p256dh, auth: device?.auth, message },
    ]);
  });

  answers(
    'removes a device that is gone, and is sent to none that was removed',
    async ({ platform, deliver, ana, rows }) => {
      expect(await deliver({ kind: 'gone' })).toBe(false);
      expect(await rows(ana)).toEqual([]);
      platform.pushes.length = 0;
      expect(await deliverPush(platform, { deviceId: 'none', message }, job)).toBe(false);
      expect(platform.pushes).toEqual([]);
    },
  );

  answers(
    'is tried again at the time that the push service names, and given up in the last try',
    async ({ deliver, ana, rows }) => {
      const until = new Date(nowMs() + 60_000);
      const busy: PushOutcome = { kind: 'later', until, reason: 'It answered 429' };
      const failure = await deliver(busy).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(RetryLater);
      expect(failure).toMatchObject({ until, message: 'It answered 429' });
      await expect(deliver({ ...busy, until: null })).rejects.toThrow('It answered 429');
      expect(await deliver(busy, { attempt: 3 })).toBe(false);
      expect(await rows(ana)).toHaveLength(1);
    },
  );

  test('is not sent where the session is over', async ({ database, platform, ana, insertOther }) => {
    const { id: deviceId, sessionId } = await insertOther(ana);
    platform.pushes.length = 0;
    platform.pushOutcome.current = { kind: 'accepted' };
    await database
      .update(sessions)
      .set({ expiresAt: new Date(nowMs() - 1_000) })
      .where(eq(sessions.id, sessionId));
    expect(await deliverPush(platform, { deviceId, message }, job)).toBe(false);
    expect(platform.pushes).toEqual([]);
  });

  test('leaves a device that got another subscription meanwhile', async ({
    server,
    platform,
    ana,
    register,
    rows,
  }) => {
    const { id: deviceId } = await register(ana);
    const send = async () => {
      await server.call(ana, calls.renew, { body: newSubscription() });
      return { kind: 'gone' } as const;
    };
    const context = { ...platform, push: { ...platform.push, send } };
    expect(await deliverPush(context, { deviceId, message }, job)).toBe(false);
    expect(await rows(ana)).toMatchObject([{ id: deviceId }]);
  });

  answers('that is refused leaves the device', async ({ deliver, ana, rows }) => {
    expect(await deliver({ kind: 'refused', reason: 'It answered 403' })).toBe(false);
    expect(await rows(ana)).toHaveLength(1);
  });
});

test('a test reaches one device, and says what became of it', async ({
  server,
  platform,
  database,
  ana,
  register,
  insertOther,
}) => {
  const { id: deviceId } = await register(ana);
  await insertOther(ana);
  platform.pushes.length = 0;
  for (const kind of ['accepted', 'refused', 'later', 'gone'] as const) {
    platform.pushOutcome.current = { kind, until: null, reason: 'none' };
    expect((await server.call(ana, calls.test, { body: { deviceId } })).reply).toEqual({ outcome: kind });
  }
  expect(new Set(platform.pushes.map(({ endpoint }) => endpoint)).size).toBe(1);
  const left = await database.$count(
    devices,
    and(eq(devices.accountId, ana.accountId), ne(devices.sessionId, ana.sessionId)),
  );
  expect(left).toBe(1);
  expect((await server.call(ana, calls.test, { body: { deviceId } })).problem.type).toBe('device_not_found');
});
