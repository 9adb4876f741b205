import { createFileRoute } from '@tanstack/react-router';
import { caseFiles } from '@tara/contract/money/case-files';
import { FindMoneyScreen, findMoneyQuery } from '../../../features/case-files/FindMoneyScreen.tsx';
import { FindMoneySkeleton } from '../../../features/case-files/skeletons.tsx';
import { loadPage } from '../../../lib/load-page.ts';
import { queryClient } from '../../../lib/queries.ts';
import { searchParam } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/find-payment')({
  validateSearch: searchParam,
  loader: ({ location }) => {
    const { search } = searchParam(location.search);
    return search
      ? queryClient.ensureQueryData(findMoneyQuery(search))
      : loadPage('/find-payment', { caseFiles });
  },
  component: FindMoneyScreen,
  pendingComponent: FindMoneySkeleton,
});
