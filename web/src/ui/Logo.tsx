import { Link } from '@tanstack/react-router';
import { cx } from './cx.ts';

/** Two friends in a banca, which together are a smiling face. Also drawn in public/favicon.svg. */
function LogoMark({ size = 32, className }: { size?: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      aria-hidden="true"
      className={cx('shrink-0', className)}
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
    <span className={cx('inline-flex items-center gap-2.5', className)}>
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
      className={cx('inline-flex min-h-11 items-center rounded-control', className)}
    >
      {mark ? <LogoMark size={36} /> : <Logo size={30} />}
    </Link>
  );
}
