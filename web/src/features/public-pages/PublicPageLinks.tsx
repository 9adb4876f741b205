import { Link } from '@tanstack/react-router';
import type { PublicPageName } from '@tara/contract/public-pages';

/** What leads to each page that everybody can read. The texts of the pages themselves are loaded with them. */
const LABELS: Record<PublicPageName, string> = {
  safety: 'Meeting safely',
  terms: 'Terms',
  privacy: 'Privacy',
};
const names = Object.keys(LABELS) as PublicPageName[];

/** Links to the pages that everybody can read; the present one is marked. */
export function PublicPageLinks() {
  return (
    <nav aria-label="Safety and rules">
      <ul className="-mx-2.5 flex flex-wrap">
        {names.map((name) => (
          <li key={name}>
            <Link
              to={`/${name}`}
              className="flex min-h-11 items-center rounded-control px-2.5 text-ink-soft hover:text-ink hover:underline"
              activeProps={{ className: 'font-semibold text-ink' }}
            >
              {LABELS[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
