import { createFileRoute } from '@tanstack/react-router';
import { earnings } from '@tara/contract/money/earnings';
import { EarningsScreen, EarningsSkeleton } from '../../features/earnings/EarningsScreen.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/earnings')({
  loader: () => loadPage('/earnings', { earnings }),
  component: EarningsScreen,
  pendingComponent: EarningsSkeleton,
});
