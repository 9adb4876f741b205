import { createFileRoute, redirect } from '@tanstack/react-router';
import { CreatePlanScreen } from '../../features/plans/CreatePlanScreen.tsx';

export const Route = createFileRoute('/_main/profile/create-plans/$id')({
  // Members can create plans only for themselves.
  beforeLoad: ({ context, params }) => {
    const { id } = context.session.profile;
    if (id !== params.id) throw redirect({ to: '/profile/create-plans/$id', params: { id }, replace: true });
  },
  component: Page,
});

function Page() {
  return <CreatePlanScreen id={Route.useParams().id} />;
}
