import { createFileRoute } from '@tanstack/react-router';
import { PlanManagerScreen } from '../../features/interactions/PlanManagerScreen.tsx';

export const Route = createFileRoute('/_main/manage-plans/')({ component: PlanManagerScreen });
