import { createFileRoute } from '@tanstack/react-router';
import { ExploreScreen } from '../../features/posts/ExploreScreen.tsx';

export const Route = createFileRoute('/_main/explore')({ component: ExploreScreen });
