import { createFileRoute } from '@tanstack/react-router';
import {
  friendPages,
  ProfileScreen,
  ProfileSkeleton,
  profilePostsPages,
  profileQuery,
} from '../../features/profiles/ProfileScreen.tsx';
import { reviewPages } from '../../features/reviews/index.tsx';
import { queryClient } from '../../lib/queries.ts';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/profile/$id')({
  // Which list is shown: 'reviews', on one's own profile 'friends', else the posts.
  validateSearch: textParams('show'),
  loader: async ({ params: { id }, location, context: { session } }) => {
    const { show } = textParams('show')(location.search);
    await Promise.all([
      queryClient.ensureQueryData(profileQuery(id)),
      show === 'reviews'
        ? queryClient.ensureInfiniteQueryData(reviewPages(id))
        : show === 'friends' && session.profile.id === id
          ? queryClient.ensureInfiniteQueryData(friendPages)
          : queryClient.ensureInfiniteQueryData(profilePostsPages(id)),
    ]);
  },
  component: ProfileScreen,
  pendingComponent: ProfileSkeleton,
});
