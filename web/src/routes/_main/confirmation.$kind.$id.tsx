import { createFileRoute } from '@tanstack/react-router';
import { payments } from '@tara/contract/money/payments';
import { ConfirmationScreen } from '../../features/confirmations/ConfirmationScreen.tsx';
import { ConfirmationSkeleton } from '../../features/confirmations/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';

export const Route = createFileRoute('/_main/confirmation/$kind/$id')({
  loader: ({ params }) => loadPage('/confirmation/:kind/:id', { payments }, params),
  component: ConfirmationScreen,
  pendingComponent: ConfirmationSkeleton,
});
