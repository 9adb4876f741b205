import { createFileRoute } from '@tanstack/react-router';
import { TermsScreen } from '../features/public-pages/PublicPageScreen.tsx';

export const Route = createFileRoute('/terms')({ component: TermsScreen });
