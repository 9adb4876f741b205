import { Link } from '@tanstack/react-router';
import type { Notice } from '../../lib/call.ts';
import { useOptional } from '../../lib/queries.ts';
import { destinationSearch } from '../../lib/url.ts';
import { buttonClass, linkClass } from '../../ui/Button.tsx';
import { AuthLayout, sessionQuery } from '../accounts/index.ts';
import { PublicPageLinks } from '../public-pages/index.ts';

/** For a guest: to sign up, or in, and then on to where the page leads. */
export function JoinButtons({ label, destination }: { label: string; destination?: string }) {
  const search = destinationSearch(destination);
  return (
    <div className="flex flex-col gap-4">
      <Link to="/sign-up" search={search} className={buttonClass({ size: 'lg', block: true })}>
        {label}
      </Link>
      <p className="text-center text-ink-soft">
        Already on Tara?{' '}
        <Link to="/sign-in" search={search} className={linkClass}>
          Sign in
        </Link>
      </p>
    </div>
  );
}

/** In place of what a link showed: it has ended, and Tara is there all the same. */
export function LinkEnded({ notice: { title, text } }: { notice: Notice }) {
  const isMember = useOptional(sessionQuery) !== null;
  return (
    <AuthLayout title={title} text={text} welcome>
      {isMember ? (
        <Link to="/explore" search={{ show: 'plans' }} className={buttonClass({ size: 'lg', block: true })}>
          See other plans
        </Link>
      ) : (
        <JoinButtons label="Join Tara" />
      )}
      <PublicPageLinks />
    </AuthLayout>
  );
}
