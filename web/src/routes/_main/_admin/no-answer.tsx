import { createFileRoute } from '@tanstack/react-router';
import {
  NoAnswerScreen,
  NoAnswerSkeleton,
  noAnswerPages,
} from '../../../features/admin/RequestCaseScreens.tsx';
import { queryClient } from '../../../lib/queries.ts';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/no-answer')({
  // The request whose detail is shown.
  validateSearch: textParams('open'),
  loader: () => queryClient.ensureInfiniteQueryData(noAnswerPages),
  component: NoAnswerScreen,
  pendingComponent: NoAnswerSkeleton,
});
