import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';

/** A lucide icon with our defaults: 20 px, 1.75 stroke, hidden from screen readers. */
export function Icon({
  of: Glyph,
  size = 20,
  filled,
  className,
}: {
  of: LucideIcon;
  size?: number;
  /** Solid, e.g. a heart that is liked. */
  filled?: boolean;
  className?: string;
}) {
  return (
    <Glyph
      size={size}
      strokeWidth={1.75}
      absoluteStrokeWidth={size > 24}
      fill={filled ? 'currentColor' : 'none'}
      aria-hidden="true"
      className={clsx('shrink-0', className)}
    />
  );
}

/** A spinner in the current text colour. Decorative: the text beside it describes the state. */
export function Spinner({ size = 20, className }: { size?: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width={size}
      height={size}
      aria-hidden="true"
      className={clsx('shrink-0 animate-spin', className)}
    >
      <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path d="M10 2a8 8 0 0 1 8 8" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
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
        className={clsx(
          'h-1.5 min-w-0 flex-1 overflow-hidden rounded-full',
          onDark ? 'bg-white/30' : 'bg-sunken',
        )}
      >
        <div
          className={clsx('h-full origin-left transition-transform', onDark ? 'bg-white' : 'bg-lagoon')}
          style={{ transform: `scaleX(${percent / 100})` }}
        />
      </div>
      <span aria-hidden="true" className="figures w-10 text-right text-sm font-semibold">
        {percent}%
      </span>
    </div>
  );
}

/** Two friends in a banca, which together are a smiling face. Also drawn in public/favicon.svg. */
function LogoMark({ size = 32, className }: { size?: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      aria-hidden="true"
      className={clsx('shrink-0', className)}
    >
      <rect width="32" height="32" rx="9" className="fill-guava" />
      <circle cx="11" cy="11.2" r="3" className="fill-on-guava" />
      <circle cx="21" cy="11.2" r="3" fill="#ffc247" />
      <path d="M5.2 17.2h21.6c-.9 5.6-5.2 9.3-10.8 9.3S6.1 22.8 5.2 17.2Z" className="fill-on-guava" />
    </svg>
  );
}

/** The mark and the name. */
export function Logo({ size = 32, className }: { size?: number; className?: string }) {
  return (
    <span className={clsx('inline-flex items-center gap-2.5', className)}>
      <LogoMark size={size} />
      <span
        className="font-extrabold tracking-tight text-ink"
        style={{ fontSize: size * 0.8, lineHeight: 1 }}
      >
        Tara
      </span>
    </span>
  );
}

/** The logo, which leads home. */
export function HomeLink({ mark, className }: { mark?: boolean; className?: string }) {
  return (
    <Link
      to="/"
      aria-label="Tara, home"
      className={clsx('inline-flex min-h-11 items-center rounded-control', className)}
    >
      {mark ? <LogoMark size={36} /> : <Logo size={30} />}
    </Link>
  );
}
