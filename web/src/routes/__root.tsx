import { createRootRoute } from '@tanstack/react-router';
import { RootLayout } from '../shell/RootLayout.tsx';

export const Route = createRootRoute({ component: RootLayout });
