import { createFileRoute } from '@tanstack/react-router';
import { HomeScreen } from '../../features/posts/HomeScreen.tsx';

export const Route = createFileRoute('/_main/')({ component: HomeScreen });
