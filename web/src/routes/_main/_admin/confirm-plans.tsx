import { createFileRoute } from '@tanstack/react-router';
import { ConfirmPlansScreen } from '../../../features/admin/ConfirmPlansScreen.tsx';
import { textParams } from '../../../lib/search.ts';

export const Route = createFileRoute('/_main/_admin/confirm-plans')({
  // The request whose detail is shown.
  validateSearch: textParams('open'),
  component: Page,
});

function Page() {
  return <ConfirmPlansScreen open={Route.useSearch().open} />;
}
