import { createFileRoute } from '@tanstack/react-router';
import { SignInScreen } from '../../features/accounts/SignInScreen.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_public/sign-in')({
  // Where to go afterwards, and why another provider led back here.
  validateSearch: textParams('redirect', 'error'),
  component: SignInScreen,
});
