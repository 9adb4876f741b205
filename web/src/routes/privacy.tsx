import { createFileRoute } from '@tanstack/react-router';
import { PrivacyScreen } from '../features/public-pages/PublicPageScreen.tsx';

export const Route = createFileRoute('/privacy')({ component: PrivacyScreen });
