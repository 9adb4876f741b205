import { createFileRoute } from '@tanstack/react-router';
import { verification } from '@tara/contract/members/verification';
import { readCurrentSession } from '../../features/accounts/index.ts';
import { GetVerifiedScreen } from '../../features/verification/GetVerifiedScreen.tsx';
import { GetVerifiedSkeleton } from '../../features/verification/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/verifying-identity')({
  validateSearch: textParams('plan'),
  beforeLoad: readCurrentSession,
  loader: () => loadPage('/verifying-identity', { verification }),
  component: GetVerifiedScreen,
  pendingComponent: GetVerifiedSkeleton,
});
