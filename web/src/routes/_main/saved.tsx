import { createFileRoute } from '@tanstack/react-router';
import { SavedScreen } from '../../features/posts/ExploreScreen.tsx';

export const Route = createFileRoute('/_main/saved')({ component: SavedScreen });
