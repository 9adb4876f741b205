import { createFileRoute } from '@tanstack/react-router';
import { GetVerifiedScreen } from '../../features/verification/GetVerifiedScreen.tsx';

export const Route = createFileRoute('/_main/verifying-identity')({ component: GetVerifiedScreen });
