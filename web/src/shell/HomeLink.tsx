import { Link } from '@tanstack/react-router';
import { cx } from '../ui/cx.ts';
import { Logo, LogoMark } from '../ui/Logo.tsx';

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
