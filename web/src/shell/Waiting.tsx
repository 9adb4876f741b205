import { Spinner } from '../ui/Spinner.tsx';

/** A screen's code is on its way. */
export function Waiting() {
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
