import { createFileRoute } from '@tanstack/react-router';
import { adminWork } from '@tara/contract/admin';
import { adminMoney } from '@tara/contract/admin-money';
import { casePages, MoneyScreen, MoneySkeleton } from '../../../features/admin/MoneyScreen.tsx';
import { queryClient, queryOf } from '../../../lib/queries.ts';

export const Route = createFileRoute('/_main/_admin/money')({
  loader: () =>
    Promise.all([
      queryClient.ensureQueryData(queryOf(adminWork.moneyOverview)),
      queryClient.ensureQueryData(queryOf(adminMoney.ledgerCheck)),
      queryClient.ensureInfiniteQueryData(casePages.toPayOut),
      queryClient.ensureInfiniteQueryData(casePages.failed),
    ]),
  component: MoneyScreen,
  pendingComponent: MoneySkeleton,
});
