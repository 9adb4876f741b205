import { cx } from './cx.ts';

/** A spinner in the current text colour. Decorative: the text beside it describes the state. */
export function Spinner({ size = 20, className }: { size?: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width={size}
      height={size}
      aria-hidden="true"
      className={cx('shrink-0 animate-spin', className)}
    >
      <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path d="M10 2a8 8 0 0 1 8 8" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}

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

/** How much is done, 0–1. */
export function ProgressBar({ value, label, onDark }: { value: number; label: string; onDark?: boolean }) {
  const percent = Math.round(Math.min(Math.max(value, 0), 1) * 100);
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className={cx(
          'h-1.5 min-w-0 flex-1 overflow-hidden rounded-full',
          onDark ? 'bg-white/30' : 'bg-sunken',
        )}
      >
        <div
          className={cx('h-full origin-left transition-transform', onDark ? 'bg-white' : 'bg-lagoon')}
          style={{ transform: `scaleX(${percent / 100})` }}
        />
      </div>
      <span aria-hidden="true" className="figures w-10 text-right text-sm font-semibold">
        {percent}%
      </span>
    </div>
  );
}
