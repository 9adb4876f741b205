import { createFileRoute } from '@tanstack/react-router';
import { SignUpScreen } from '../../features/accounts/SignUpScreen.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_public/sign-up')({
  // Where to go afterwards.
  validateSearch: textParams('redirect'),
  component: SignUpScreen,
});
