import { useQueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { useEffect, useEffectEvent, useState } from 'react';
import {
  errorNotice,
  ForbiddenError,
  isScreenUnavailable,
  isUnreachable,
  type Notice,
  notFoundNotice,
} from '../lib/call.ts';
import { type Attempts, watchServer } from '../lib/recovery.ts';
import { buttonClass } from '../ui/Button.tsx';
import { toast } from '../ui/feedback.ts';
import { EmptyState, ErrorState, Page } from '../ui/Page.tsx';

/** Replaces a screen whose loader, code or rendering failed; the navigation stays. */
export function ErrorScreen({ error }: Pick<ErrorComponentProps, 'error'>) {
  if (error instanceof ForbiddenError) return <Forbidden />;
  const notFound = notFoundNotice(error);
  return notFound ? <RecordNotFound notice={notFound} /> : <Failed error={error} />;
}

/** Tries while a screen fails: each puts a new error screen in the place of the one before. */
const attempts: Attempts & { isRunning: boolean } = { count: 0, isRunning: false };

/** An error with 'Try again'; an unreachable server is retried automatically. */
function Failed({ error }: { error: unknown }) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  const [retrying, setRetrying] = useState(false);
  const retry = async () => {
    setRetrying(true);
    attempts.isRunning = true;
    reset();
    await router.invalidate();
    attempts.isRunning = false;
    if (!router.state.matches.some(({ error }) => isUnreachable(error))) attempts.count = 0;
    setRetrying(false);
  };
  const recover = useEffectEvent(async (isNewVersion: boolean) => {
    // The code of this version may be gone; a screen that lacks data alone does without the new one.
    if (isNewVersion && isScreenUnavailable(error)) location.reload();
    else await retry();
  });
  const unreachable = isUnreachable(error);
  useEffect(() => {
    if (!unreachable) return;
    const stop = watchServer((isNewVersion) => recover(isNewVersion), attempts);
    return () => {
      stop();
      // Left for another screen.
      if (!attempts.isRunning) attempts.count = 0;
    };
  }, [unreachable]);
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
        illustration="cat"
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
      <EmptyState illustration="cat" title={title} text="You are taken to the home page." />
    </Page>
  );
}
