import { nowMs } from '@tara/contract/clock';
import { verification } from '@tara/contract/members/verification';
import { expect } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { test as verificationTest } from '../../testing/features/verification.ts';
import { verifications } from './tables.ts';
import { measureUsualTime } from './usual-time.ts';

const hourMs = 3_600_000;

const test = verificationTest.extend(
  'insertAccepted',
  ({ database }) =>
    /** Requests that took as many hours, the first accepted first. */
    async (...hours: number[]) => {
      for (const [index, took] of hours.entries()) {
        const { profileId } = await insertMember(database);
        const acceptedAt = new Date(nowMs() - (hours.length - index) * 60_000);
        await database.insert(verifications).values({
          ...{ id: profileId, userId: profileId, address: '1 Mabini Street, Cebu', valid: true, acceptedAt },
          createdAt: new Date(acceptedAt.getTime() - took * hourMs),
        });
      }
    },
);

test.beforeEach(async ({ connection }) => {
  await connection.sql`delete from verifications`;
});

test('the usual time of a verification is the median of those accepted, from the fifth on', async ({
  database,
  insertAccepted,
}) => {
  await insertAccepted(1, 2, 90, 4);
  expect(await measureUsualTime(database)).toEqual({ minutes: null });
  await insertAccepted(3);
  expect(await measureUsualTime(database)).toEqual({ minutes: 3 * 60 });
});

test('the usual time of a verification is that of the latest 50 alone', async ({
  database,
  insertAccepted,
}) => {
  await insertAccepted(...Array.from({ length: 60 }, (_, index) => (index < 30 ? 100 : 2)));
  // 20 of the latest 50 took 100 hours.
  expect(await measureUsualTime(database)).toEqual({ minutes: 2 * 60 });
});

test('a request that waits does not count for the usual time of a verification', async ({
  database,
  insertAccepted,
  ana,
  request,
}) => {
  await insertAccepted(1, 1, 1, 1);
  await request(ana);
  expect(await measureUsualTime(database)).toEqual({ minutes: null });
});

test('a member is answered the usual time as it was measured within ten minutes', async ({
  server,
  ana,
  insertAccepted,
}) => {
  const answer = async () => (await server.call(ana, verification.usualTime)).reply;
  await insertAccepted(1, 1, 1, 1, 1);
  expect(await answer()).toEqual({ minutes: 60 });
  await insertAccepted(5, 5, 5, 5, 5, 5, 5);
  expect(await answer()).toEqual({ minutes: 60 });
});
