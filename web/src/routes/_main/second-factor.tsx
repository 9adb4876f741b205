import { createFileRoute } from '@tanstack/react-router';
import { secondFactor } from '@tara/contract/accounts/second-factor';
import { requireAdminLabel } from '../../features/accounts/index.ts';
import { SecondFactorScreen } from '../../features/accounts/SecondFactorScreen.tsx';
import { SecondFactorSkeleton } from '../../features/accounts/skeletons.tsx';
import { loadPage } from '../../lib/load-page.ts';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/second-factor')({
  // The admin page that was wanted.
  validateSearch: textParams('redirect'),
  beforeLoad: requireAdminLabel,
  loader: () => loadPage('/second-factor', { secondFactor }),
  component: SecondFactorScreen,
  pendingComponent: SecondFactorSkeleton,
});
