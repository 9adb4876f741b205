import { createFileRoute } from '@tanstack/react-router';
import { UpdateProfileScreen } from '../../features/profiles/UpdateProfileScreen.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/update-profile')({
  validateSearch: textParams('tab'),
  component: Page,
});

function Page() {
  return <UpdateProfileScreen tab={Route.useSearch().tab} />;
}
