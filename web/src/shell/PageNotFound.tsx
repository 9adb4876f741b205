import { Link } from '@tanstack/react-router';
import { notices } from '@tara/contract/notices';
import { buttonClass } from '../ui/Button.tsx';

/** Any other path (§2). */
export function PageNotFound() {
  return (
    <main id="main" className="flex min-h-[80dvh] flex-col items-center justify-center gap-5 p-6 text-center">
      <title>{`${notices.pageNotFound.title} · Tara`}</title>
      <p aria-hidden="true" className="figures text-3xl font-bold text-guava">
        404
      </p>
      <div>
        <h1 tabIndex={-1} className="text-2xl font-bold">
          {notices.pageNotFound.title}
        </h1>
        <p className="mt-2 text-ink-soft">The address may be misspelt, or what was here is gone.</p>
      </div>
      <Link to="/" className={buttonClass()}>
        Home
      </Link>
    </main>
  );
}
