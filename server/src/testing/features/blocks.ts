import { blocks } from '@tara/contract/members/blocks';
import { blockRoutes } from '../../features/blocks/routes.ts';
import { interactionRoutes } from '../../features/interactions/index.ts';
import { escrowRoutes } from '../../features/payments/routes.ts';
import { planRoutes } from '../../features/plans/index.ts';
import { postRoutes, posts as postRows } from '../../features/posts/index.ts';
import { profileRoutes } from '../../features/profiles/index.ts';
import { receiptRoutes } from '../../features/receipts/index.ts';
import { reviewRoutes } from '../../features/reviews/index.ts';
import { newId } from '../../platform/ids.ts';
import { serverTest } from '../test.ts';
import { insertMember, type Member } from './members.ts';

/** Tests of blocks and mutes: two members, posts of theirs, and the calls that hide one from the other. */
export const blockTest = serverTest((app, platform) => {
  for (const routes of [
    blockRoutes,
    postRoutes,
    profileRoutes,
    planRoutes,
    interactionRoutes,
    escrowRoutes,
    receiptRoutes,
    reviewRoutes,
  ])
    routes(app, platform);
})
  .extend('pair', { scope: 'file' }, ({ database }) => async () => {
    const ana = await insertMember(database, { name: 'Ana' });
    const ben = await insertMember(database, { name: 'Ben' });
    return [ana, ben] as const;
  })
  .extend('publish', { scope: 'file' }, ({ database }) => async (creator: Member) => {
    const id = newId();
    await database.insert(postRows).values({ id, creatorId: creator.profileId, usedDp: true, caption: 'Hi' });
    return id;
  })
  .extend('act', { scope: 'file' }, ({ server }) => {
    type Name = 'block' | 'unblock' | 'mute' | 'unmute';
    return (who: Member, name: Name, other: Pick<Member, 'profileId'>) =>
      server.call(who, blocks[name], { body: { profileId: other.profileId } });
  });

/** Their profiles, in the order of ids. */
export const profileIds = (...members: readonly Member[]) => members.map(({ profileId }) => profileId).sort();

export const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
