import { createFileRoute } from '@tanstack/react-router';
import { textParams } from '../../lib/url.ts';
import { loadWelcome, WelcomeScreen } from '../../shell/WelcomeScreen.tsx';
import { WelcomeSkeleton } from '../../shell/WelcomeSkeleton.tsx';

export const Route = createFileRoute('/_main/welcome')({
  validateSearch: textParams('step'),
  loaderDeps: ({ search }: { search: { step?: string } }) => search,
  loader: ({ deps }) => loadWelcome(deps),
  component: WelcomeScreen,
  pendingComponent: WelcomeSkeleton,
});
