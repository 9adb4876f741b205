import { createFileRoute } from '@tanstack/react-router';
import { InvitationScreen } from '../features/public-links/InvitationScreen.tsx';
import { loadInvitation } from '../features/public-links/queries.ts';
import { InvitationSkeleton } from '../features/public-links/skeletons.tsx';

export const Route = createFileRoute('/invite/$id')({
  loader: ({ params }) => loadInvitation(params.id),
  component: InvitationScreen,
  pendingComponent: InvitationSkeleton,
});
