import { createFileRoute } from '@tanstack/react-router';
import { PeopleScreen } from '../../features/profiles/PeopleScreen.tsx';

export const Route = createFileRoute('/_main/all-users')({ component: PeopleScreen });
