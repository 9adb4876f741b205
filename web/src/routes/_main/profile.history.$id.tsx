import { createFileRoute } from '@tanstack/react-router';
import { HistoryScreen } from '../../features/interactions/HistoryScreen.tsx';

export const Route = createFileRoute('/_main/profile/history/$id')({ component: Page });

function Page() {
  const { id } = Route.useParams();
  // Another id is another screen: nothing of the one before stays.
  return <HistoryScreen key={id} id={id} />;
}
