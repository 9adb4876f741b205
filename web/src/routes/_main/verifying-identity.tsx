import { createFileRoute } from '@tanstack/react-router';
import { GetVerifiedScreen } from '../../features/verification/GetVerifiedScreen.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/verifying-identity')({
  validateSearch: textParams('plan'),
  component: GetVerifiedScreen,
});
