import { useQueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, Outlet, useNavigate, useRouter } from '@tanstack/react-router';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { useEffect, useEffectEvent, useState } from 'react';
import { errorNotice, ForbiddenError, isUnreachable, type Notice, notFoundNotice } from '../lib/call.ts';
import { watchServer } from '../lib/recovery.ts';
import { buttonClass } from '../ui/Button.tsx';
import { toast } from '../ui/feedback.ts';
import { LoadingScreen } from '../ui/Icon.tsx';
import { Overlays } from '../ui/Overlays.tsx';
import { EmptyState, ErrorState, Page, PageTitle } from '../ui/Page.tsx';
import { Scene } from '../ui/Scene.tsx';

/** The first element in the tab order: skips the navigation. */
function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only z-70 rounded-control bg-ink px-4 py-3 font-semibold text-paper focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
    >
      Skip to the content
    </a>
  );
}

/** Moves the focus to the heading after a navigation, where screen readers start to read. */
function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        // The browser handles the focus of the first page.
        if (!pathChanged || !fromLocation) return;
        const heading = document.querySelector('main h1') ?? document.querySelector('main');
        if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
      }),
    [router],
  );
}

/** The frame of all screens: the skip link and the overlays. */
export function RootLayout() {
  useFocusOnNavigation();
  return (
    <>
      <SkipLink />
      <div className="contents">
        <Outlet />
        {/* Shown after a delay, only while the code of the layout is loading. */}
        <div className="animate-[fade_150ms_400ms_both] not-first:hidden">
          <LoadingScreen />
        </div>
      </div>
      <Overlays />
    </>
  );
}

/** Replaces a screen whose loader, code or rendering failed; the navigation stays. */
export function ErrorScreen({ error }: Pick<ErrorComponentProps, 'error'>) {
  if (error instanceof ForbiddenError) return <Forbidden />;
  const notFound = notFoundNotice(error);
  return notFound ? <RecordNotFound notice={notFound} /> : <Failed error={error} />;
}

/** An error with 'Try again'; an unreachable server is retried automatically. */
function Failed({ error }: { error: unknown }) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const [retrying, setRetrying] = useState(false);
  const retry = async () => {
    setRetrying(true);
    reset();
    await router.invalidate();
    setRetrying(false);
  };
  const recover = useEffectEvent(retry);
  const unreachable = isUnreachable(error);
  useEffect(() => (unreachable ? watchServer(() => recover()) : undefined), [unreachable]);
  const { title, text } = unreachable
    ? errorNotice(error)
    : { ...notices.unexpectedError, text: errorNotice(error).text };
  return (
    <Page title={title} hideTitle>
      <ErrorState
        title={title}
        text={text}
        retrying={retrying}
        onRetry={() => void retry()}
        className="min-h-[60dvh] justify-center"
      />
    </Page>
  );
}

/** The record of the URL does not exist. */
function RecordNotFound({ notice: { title, text } }: { notice: Notice }) {
  const client = useQueryClient();
  // Remove the cached error, so that the next visit fetches again.
  useEffect(
    () => () =>
      client.removeQueries({
        predicate: (query) => query.getObserversCount() === 0 && notFoundNotice(query.state.error) !== null,
      }),
    [client],
  );
  return (
    <Page title={title} hideTitle>
      <EmptyState
        scene="cat"
        title={title}
        text={text ?? 'It may have been removed, or the address is misspelt.'}
        action={
          <Link to="/" className={buttonClass()}>
            Home
          </Link>
        }
      />
    </Page>
  );
}

/** The viewer may not see this page: shows a notice, then goes home (§9). The server refuses the calls as well. */
function Forbidden() {
  const navigate = useNavigate();
  useEffect(() => {
    toast({ ...notices.receiptForbidden, tone: 'danger' });
    const leaving = setTimeout(() => void navigate({ to: '/', replace: true }), timer.forbiddenRedirectMs);
    return () => clearTimeout(leaving);
  }, [navigate]);
  const { title } = notices.receiptForbidden;
  return (
    <Page title={title} hideTitle>
      <EmptyState scene="cat" title={title} text="You are taken to the home page." />
    </Page>
  );
}

/** Any other path (§2). */
export function PageNotFound() {
  return (
    <main id="main" className="flex min-h-[80dvh] flex-col items-center justify-center gap-5 p-6 text-center">
      <PageTitle title={notices.pageNotFound.title} />
      <Scene name="cat" className="arch size-64" />
      <div>
        <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
          {notices.pageNotFound.title}
        </h1>
        <p className="mt-2 text-ink-soft">The address may be misspelt, or the page was removed.</p>
      </div>
      <Link to="/" className={buttonClass()}>
        Home
      </Link>
    </main>
  );
}
