import { createFileRoute } from '@tanstack/react-router';
import { earnings } from '@tara/contract/earnings';
import { EarningsScreen, EarningsSkeleton } from '../../features/earnings/EarningsScreen.tsx';
import { queryClient, queryOf } from '../../lib/queries.ts';

export const Route = createFileRoute('/_main/earnings')({
  loader: () => queryClient.ensureQueryData(queryOf(earnings.get)),
  component: EarningsScreen,
  pendingComponent: EarningsSkeleton,
});
