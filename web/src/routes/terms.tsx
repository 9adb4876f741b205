import { createFileRoute } from '@tanstack/react-router';
import { publicPages } from '@tara/contract/public-pages';
import { PublicPageScreen } from '../features/public-pages/PublicPageScreen.tsx';

export const Route = createFileRoute('/terms')({
  component: () => <PublicPageScreen page={publicPages.terms} />,
});
