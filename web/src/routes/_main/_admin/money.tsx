import { createFileRoute } from '@tanstack/react-router';
import { adminWork } from '@tara/contract/admin';
import { adminMoney } from '@tara/contract/money/admin-money';
import { MoneyScreen } from '../../../features/admin/MoneyScreen.tsx';
import { MoneySkeleton } from '../../../features/admin/skeletons.tsx';
import { loadPage } from '../../../lib/load-page.ts';

export const Route = createFileRoute('/_main/_admin/money')({
  loader: () => loadPage('/money', { adminWork, adminMoney }),
  component: MoneyScreen,
  pendingComponent: MoneySkeleton,
});
