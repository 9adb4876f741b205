import { createFileRoute, redirect } from '@tanstack/react-router';
import { listPages } from '../../features/interactions/interaction-cache.ts';
import {
  FriendRequestsScreen,
  FriendRequestsSkeleton,
} from '../../features/interactions/RequestListScreens.tsx';
import { queryClient } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/profile/friend-request/$id')({
  // Only its owner has this list (§6); others see that member's plans.
  beforeLoad: ({ context, params }) => {
    if (context.session.profile.id !== params.id)
      throw redirect({ to: '/profile/plans/$id', params, replace: true });
  },
  loader: () => queryClient.ensureInfiniteQueryData(listPages('friendRequest')),
  component: FriendRequestsScreen,
  pendingComponent: FriendRequestsSkeleton,
});
