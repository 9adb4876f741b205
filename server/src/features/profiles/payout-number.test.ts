import { eachAboutText, profiles } from '@tara/contract/members/profiles';
import { longDateTime } from '@tara/contract/philippine-time';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { takeMails } from '../../testing/features/mails.ts';
import { insertMember, type Member, withOldPassword } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { profileRoutes } from './routes.ts';
import { profiles as rows } from './tables.ts';

const about = {
  ...eachAboutText(() => 'Hello'),
  birthDate: '2001-05-06',
};

const test = serverTest((app, platform) => profileRoutes(app, platform))
  .extend('ana', ({ database }) =>
    insertMember(database, {
      name: 'Ana',
      phoneNumber: '0917 123 4567',
      birthDate: '2000-02-03',
    }),
  )
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben' }))
  .extend('stored', { scope: 'file' }, ({ database }) => async (member: Member) => {
    const [row] = await database.select().from(rows).where(eq(rows.id, member.profileId));
    return row;
  })
  .extend(
    'readNumber',
    { scope: 'file' },
    ({ stored }) =>
      async (member: Member) =>
        (await stored(member))?.phoneNumber,
  )
  .extend(
    'change',
    { scope: 'file' },
    ({ server }) =>
      (who: Member, phoneNumber: string) =>
        server.call(who, profiles.updateAbout, { body: { ...about, phoneNumber } }),
  )
  .extend('readDelay', { scope: 'file' }, ({ connection }) => async (member: Member) => {
    const [row] =
      await connection.sql`select extract(epoch from payout_number_from - updated_at)::int as seconds from profiles where id = ${member.profileId}`;
    return row?.seconds;
  });

describe('the phone number that receives payouts', () => {
  test.for([
    ['another', '0918 765 4321'],
    ['none', ''],
  ] as const)(
    'is not changed to %s by a session that showed its password long ago (threat-stolen-sessions)',
    async ([_name, phoneNumber], { ana, readNumber, stored, change }) => {
      const { problem } = await change(withOldPassword(ana), phoneNumber);
      expect(problem).toMatchObject({ type: 'user_recent_password_required', code: 403 });
      expect(await readNumber(ana)).toBe('0917 123 4567');
      expect((await stored(ana))?.bio).toBe('');
      expect((await change(ana, phoneNumber)).status).toBe(200);
    },
  );

  test('is not set for the first time by such a session either', async ({ ben, readNumber, change }) => {
    expect((await change(withOldPassword(ben), '09187654321')).problem.type).toBe(
      'user_recent_password_required',
    );
    expect(await readNumber(ben)).toBe('');
  });

  test('the first one is used at once, without a mail', async ({ platform, ben, change, readDelay }) => {
    const { reply } = await change(ben, '09187654321');
    expect(reply).toMatchObject({ phoneNumber: '09187654321', payoutNumberFrom: null });
    expect(await readDelay(ben)).toBeNull();
    expect((await takeMails(platform)).filter(({ to }) => to === ben.email)).toEqual([]);
  });

  test.for([
    ['another', ['0918 765 4321']],
    ['another after it was removed', ['', '0918 765 4321']],
  ] as const)(
    'a thief cannot have payouts go to %s before 24 hours are over, nor without a mail (threat-changed-payout-number)',
    async ([_name, numbers], { platform, ana, stored, change, readDelay }) => {
      for (const number of numbers) await change(ana, number);
      expect(await readDelay(ana)).toBe(24 * 3600);
      const mail = (await takeMails(platform)).findLast(({ to }) => to === ana.email);
      expect(mail?.subject).toBe('Your phone number for payouts changed');
      const from = (await stored(ana))?.payoutNumberFrom ?? new Date(0);
      expect(mail?.text).toContain(`wait until ${longDateTime(from)} (Philippine time)`);
      expect(mail?.text).not.toContain('0918');
    },
  );

  test('may be written in another way, and the rest changed, without asking for the password', async ({
    ana,
    readNumber,
    change,
    readDelay,
  }) => {
    expect((await change(withOldPassword(ana), '+63 (917) 123-4567')).status).toBe(200);
    expect(await readNumber(ana)).toBe('+63 (917) 123-4567');
    expect(await readDelay(ana)).toBeNull();
  });
});
