import { createFileRoute } from '@tanstack/react-router';
import { loadReports, ReportsScreen, ReportsSkeleton } from '../../../features/admin/ReportsScreen.tsx';
import { textParams } from '../../../lib/url.ts';

export const Route = createFileRoute('/_main/_admin/reports')({
  // The report whose detail is shown.
  validateSearch: textParams('open'),
  loader: loadReports,
  component: ReportsScreen,
  pendingComponent: ReportsSkeleton,
});
