import { createFileRoute } from '@tanstack/react-router';
import { caseFiles } from '@tara/contract/money/case-files';
import { TimelineSkeleton } from '../../../features/case-files/skeletons.tsx';
import { TimelineScreen } from '../../../features/case-files/TimelineScreen.tsx';
import { loadPage } from '../../../lib/load-page.ts';

export const Route = createFileRoute('/_main/_admin/timeline/$id')({
  loader: ({ params }) => loadPage('/timeline/:id', { caseFiles }, params),
  component: TimelineScreen,
  pendingComponent: TimelineSkeleton,
});
