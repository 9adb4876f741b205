import { createFileRoute } from '@tanstack/react-router';
import { requestCases } from '@tara/contract/money/disputes';
import { NoAnswerScreen } from '../../../features/admin/NoAnswerScreen.tsx';
import { NoAnswerSkeleton } from '../../../features/admin/skeletons.tsx';
import { loadPage } from '../../../lib/load-page.ts';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/no-answer')({
  // The request whose detail is shown.
  validateSearch: textParams('open'),
  loader: () => loadPage('/no-answer', { requestCases }),
  component: NoAnswerScreen,
  pendingComponent: NoAnswerSkeleton,
});
