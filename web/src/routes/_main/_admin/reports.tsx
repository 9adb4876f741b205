import { createFileRoute } from '@tanstack/react-router';
import { reports } from '@tara/contract/members/reports';
import { ReportsScreen } from '../../../features/admin/ReportsScreen.tsx';
import { ReportsSkeleton } from '../../../features/admin/skeletons.tsx';
import { loadPage } from '../../../lib/load-page.ts';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/reports')({
  // The report whose detail is shown.
  validateSearch: textParams('open'),
  loader: () => loadPage('/reports', { reports }),
  component: ReportsScreen,
  pendingComponent: ReportsSkeleton,
});
