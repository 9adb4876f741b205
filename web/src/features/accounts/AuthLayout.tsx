import { clsx } from 'clsx';
import { type ReactNode, Suspense } from 'react';
import { HomeLink } from '../../ui/Icon.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { PageTitle, useMediaQuery } from '../../ui/Page.tsx';

const SignInIllustration = lazyPart(() => import('./SignInIllustration.tsx'));
const ART_MEDIA_QUERY = '(min-width: 64rem)';
/** What Tara is, for people who see it for the first time. */
const WELCOME =
  'Tara is a place to make friends and to hang out for real: share photos, chat, and book paid plans whose money is held until you have met.';

interface AuthLayoutProps {
  title: string;
  /** Other than the title. */
  heading?: string;
  text?: ReactNode;
  /** A portrait above the heading, on small screens over the edge of the picture. */
  portrait?: ReactNode;
  /** Says what Tara is, and shows the picture on small screens as well. */
  welcome?: boolean;
  children?: ReactNode;
}

/** The form beside a large picture, which is hidden on small screens (§2), but for the pages of newcomers. */
export function AuthLayout({
  title,
  heading = title,
  text,
  portrait,
  welcome = false,
  children,
}: AuthLayoutProps) {
  const wide = useMediaQuery(ART_MEDIA_QUERY);
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(440px,1fr)_1.2fr]">
      <PageTitle title={title} />
      <main id="main" className="flex flex-col px-safe pt-safe pb-safe">
        <HomeLink className="self-start py-5 sm:px-6" />
        {welcome && !wide && (
          <div className="mx-auto mb-6 h-44 w-full max-w-sm overflow-hidden rounded-card bg-sunken">
            <Suspense>
              <SignInIllustration crop className="size-full" />
            </Suspense>
          </div>
        )}
        {/* Aligned to the top: what appears below (demo accounts, an error) does not shift the form. */}
        <div className="mx-auto flex w-full max-w-sm flex-1 flex-col pt-2 pb-16 lg:pt-[min(12vh,8rem)]">
          {portrait && <div className="relative mb-4 max-lg:-mt-24">{portrait}</div>}
          <h1
            tabIndex={-1}
            className={clsx(
              'font-bold wrap-anywhere first-letter:uppercase',
              portrait ? 'text-3xl tracking-tight' : 'text-2xl',
            )}
          >
            {heading}
          </h1>
          {(text ?? welcome) && (
            <p className="mt-2 text-ink-soft first-letter:uppercase">{text ?? WELCOME}</p>
          )}
          <div className="mt-6 flex flex-col gap-5">{children}</div>
        </div>
      </main>
      {wide && (
        <div className="sticky top-0 h-dvh overflow-hidden">
          <Suspense>
            <SignInIllustration />
          </Suspense>
        </div>
      )}
    </div>
  );
}
