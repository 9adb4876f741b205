import { createFileRoute } from '@tanstack/react-router';
import { readCurrentSession } from '../../features/accounts/index.ts';
import { UpdateProfileScreen } from '../../features/profiles/UpdateProfileScreen.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/update-profile')({
  validateSearch: textParams('tab'),
  // The About section must not begin with a stored profile.
  beforeLoad: readCurrentSession,
  component: Page,
});

function Page() {
  return <UpdateProfileScreen tab={Route.useSearch().tab} />;
}
