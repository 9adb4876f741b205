import { plans as calls } from '@tara/contract/plans/plans';
import { eq } from 'drizzle-orm';
import { interactionRoutes } from '../../features/interactions/index.ts';
import { planRoutes } from '../../features/plans/index.ts';
import { profiles } from '../../features/profiles/index.ts';
import { serverTest } from '../test.ts';
import { insertMember, type Member } from './members.ts';
import { insertPicture } from './pictures.ts';

const terms = 'We meet in a public place and share the bill.';

/** Tests of plans: a verified creator, a member who is not, and plans made by the form. */
export const test = serverTest((app, platform) => {
  planRoutes(app, platform);
  interactionRoutes(app, platform);
})
  .extend('creator', { scope: 'file' }, ({ database }) =>
    insertMember(database, { name: 'Ana', verified: true, limitedPlan: 100 }),
  )
  .extend('visitor', { scope: 'file' }, ({ database }) => insertMember(database))
  .extend(
    'form',
    { scope: 'file' },
    ({ database }) =>
      async (owner: Member, changes: Record<string, unknown> = {}) => ({
        title: 'Coffee in Makati',
        desc: 'An hour of talk.',
        time: '3-4 pm',
        durationMinutes: 60,
        place: 'Legazpi Village',
        price: 250.5,
        terms,
        imageId: await insertPicture(database, { ownerAccountId: owner.accountId }),
        imageIds: [] as string[],
        ...changes,
      }),
  )
  .extend(
    'madeBy',
    { scope: 'file' },
    ({ server, form }) =>
      async (member: Member, changes: Record<string, unknown> = {}) => {
        return (await server.call(member, calls.create, { body: await form(member, changes) })).reply;
      },
  )
  .extend('readProfile', { scope: 'file' }, ({ database }) => async (member: Member) => {
    const [row] = await database.select().from(profiles).where(eq(profiles.id, member.profileId));
    return row;
  });
