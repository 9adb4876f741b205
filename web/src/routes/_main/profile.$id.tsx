import { createFileRoute } from '@tanstack/react-router';
import { profiles } from '@tara/contract/members/profiles';
import { plans } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import {
  friendPages,
  ProfileScreen,
  profilePlansQuery,
  profileQuery,
} from '../../features/profiles/ProfileScreen.tsx';
import { ProfileSkeleton } from '../../features/profiles/skeletons.tsx';
import { reviewPages } from '../../features/reviews/index.ts';
import { loadPage } from '../../lib/load-page.ts';
import { queryClient } from '../../lib/queries.ts';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/profile/$id')({
  // Which list is shown: 'reviews', on one's own profile 'friends', else the posts.
  validateSearch: textParams('show'),
  loader: async ({ params, location, context: { session } }) => {
    const { show } = textParams('show')(location.search);
    const isFriends = show === 'friends' && session.profile.id === params.id;
    if (show !== 'reviews' && !isFriends) {
      await loadPage('/profile/:id', { profiles, posts, plans }, params);
      return;
    }
    await Promise.all([
      queryClient.prefetchQuery(profilePlansQuery(params.id)),
      queryClient.ensureQueryData(profileQuery(params.id)),
      isFriends
        ? queryClient.ensureInfiniteQueryData(friendPages)
        : queryClient.ensureInfiniteQueryData(reviewPages(params.id)),
    ]);
  },
  component: ProfileScreen,
  pendingComponent: ProfileSkeleton,
});
