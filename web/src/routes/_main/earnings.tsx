import { createFileRoute } from '@tanstack/react-router';
import { earnings } from '@tara/contract/money/earnings';
import { EarningsScreen } from '../../features/earnings/EarningsScreen.tsx';
import { EarningsSkeleton } from '../../features/earnings/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/earnings')({
  loader: () => loadPage('/earnings', { earnings }),
  component: EarningsScreen,
  pendingComponent: EarningsSkeleton,
});
