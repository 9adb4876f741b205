import { nowDate } from '@tara/contract/clock';
import { and, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { accounts } from '../../features/accounts/index.ts';
import { notifications } from '../../features/notifications/index.ts';
import { profiles } from '../../features/profiles/index.ts';
import { password, test, withDevice } from '../../testing/backend/strangers.ts';

test('a sign-in on a device that is not known is mailed at once, the first one and those of known devices are not (threat-stolen-sessions)', async ({
  backend,
  signIn,
  newAccount,
}) => {
  const email = await newAccount();
  const subjects = async () =>
    (await backend.mails()).filter(({ to }) => to === email).map(({ subject }) => subject);
  await backend.platform.database
    .update(accounts)
    .set({ emailVerifiedAt: nowDate() })
    .where(eq(accounts.email, email));
  await subjects();
  // What another account signs in on is no earlier sign-in of this one.
  await signIn(await newAccount(), password);
  const { cookies } = await signIn(email, password);
  await signIn(email, password, { headers: withDevice(cookies) });
  expect(await subjects()).toEqual([]);
  const userAgent =
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36';
  await signIn(email, password, { headers: { 'user-agent': userAgent } });
  expect(await subjects()).toEqual(['A new device signed in to your account']);
  const rows = await backend.platform.database
    .select({ details: notifications.details })
    .from(notifications)
    .innerJoin(profiles, eq(profiles.id, notifications.profileId))
    .innerJoin(accounts, eq(accounts.id, profiles.accountId))
    .where(and(eq(accounts.email, email), eq(notifications.event, 'signedIn')));
  expect(rows).toEqual([{ details: { device: 'Mobile Chrome on Android' } }]);
});
