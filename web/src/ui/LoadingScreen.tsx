import { Spinner } from './Icon.tsx';

/** Shown while the code of a screen is loading, before its own skeleton. */
export function LoadingScreen() {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="flex min-h-[50dvh] items-center justify-center text-ink-soft"
    >
      <Spinner size={28} />
    </div>
  );
}
