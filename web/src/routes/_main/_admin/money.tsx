import { createFileRoute } from '@tanstack/react-router';
import { adminWork } from '@tara/contract/admin';
import { MoneyScreen, MoneySkeleton } from '../../../features/admin/MoneyScreen.tsx';
import { queryClient, queryOf } from '../../../lib/queries.ts';

export const Route = createFileRoute('/_main/_admin/money')({
  loader: () => queryClient.ensureQueryData(queryOf(adminWork.moneyOverview)),
  component: MoneyScreen,
  pendingComponent: MoneySkeleton,
});
