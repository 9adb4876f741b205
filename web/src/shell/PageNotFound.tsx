import { Link } from '@tanstack/react-router';
import { notices } from '@tara/contract/notices';
import { buttonClass } from '../ui/Button.tsx';
import { Illustration } from '../ui/Illustration.tsx';
import { PageTitle } from '../ui/Page.tsx';

/** Any other path (§2). */
export function PageNotFound() {
  return (
    <main id="main" className="flex min-h-[80dvh] flex-col items-center justify-center gap-5 p-6 text-center">
      <PageTitle title={notices.pageNotFound.title} />
      <Illustration name="cat" className="arch size-64" />
      <div>
        <h1 tabIndex={-1} className="text-3xl font-bold tracking-tight">
          {notices.pageNotFound.title}
        </h1>
        <p className="mt-2 text-ink-soft">The address may be misspelt, or the page was removed.</p>
      </div>
      <Link to="/" className={buttonClass()}>
        Home
      </Link>
    </main>
  );
}
