import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { notices } from '@tara/contract/notices';
import { useEffect } from 'react';
import { OfflineError, wordsOfFailure } from '../lib/failure.ts';
import { ErrorState } from '../ui/ErrorState.tsx';

/** A screen broke: the words of §2, and a way to try again without losing the rest of the page. */
export function Crashed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  useEffect(() => {
    console.error(error);
  }, [error]);
  const again = () => {
    reset();
    void router.invalidate();
  };
  const offline = error instanceof OfflineError;
  return (
    <ErrorState
      title={notices.crashed.title}
      text={offline ? error.words.title : wordsOfFailure(error).text}
      onRetry={again}
      className="min-h-[60dvh] justify-center"
    />
  );
}
