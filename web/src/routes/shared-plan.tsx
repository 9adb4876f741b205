import { createFileRoute } from '@tanstack/react-router';
import { SharedPlanScreen, sharedPlanQuery } from '../features/shared-plans/SharedPlanScreen.tsx';
import { SharedPlanSkeleton } from '../features/shared-plans/skeletons.tsx';
import { queryClient } from '../lib/queries.ts';
import { textParams } from '../lib/url.ts';

export const Route = createFileRoute('/shared-plan')({
  validateSearch: textParams('token'),
  loaderDeps: ({ search }: { search: { token?: string } }) => search,
  loader: ({ deps }) => queryClient.ensureQueryData(sharedPlanQuery(deps.token)),
  component: SharedPlanScreen,
  pendingComponent: SharedPlanSkeleton,
});
