import { cx } from './cx.ts';

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
