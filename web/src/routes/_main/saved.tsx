import { createFileRoute } from '@tanstack/react-router';
import { SavedScreen } from '../../features/posts/SavedScreen.tsx';

export const Route = createFileRoute('/_main/saved')({ component: SavedScreen });
