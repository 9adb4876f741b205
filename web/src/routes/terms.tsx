import { createFileRoute } from '@tanstack/react-router';
import { publicPages } from '@tara/contract/public-pages';
import { PublicPageScreen } from '../features/public-pages/index.tsx';

export const Route = createFileRoute('/terms')({
  component: () => <PublicPageScreen page={publicPages.terms} />,
});
