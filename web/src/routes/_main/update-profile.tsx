import { createFileRoute } from '@tanstack/react-router';
import { UpdateProfileScreen } from '../../features/profiles/UpdateProfileScreen.tsx';

export const Route = createFileRoute('/_main/update-profile')({ component: UpdateProfileScreen });
