import { createFileRoute } from '@tanstack/react-router';
import { SafetyScreen } from '../features/public-pages/PublicPageScreen.tsx';

export const Route = createFileRoute('/safety')({ component: SafetyScreen });
