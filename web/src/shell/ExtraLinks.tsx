import { Link } from '@tanstack/react-router';
import { useSession } from '../features/accounts/index.ts';
import { Icon } from '../ui/Icon.tsx';
import { extraLinks } from './extra-links.ts';

/** The extra links as a list. */
export function ExtraLinks() {
  const { profile } = useSession();
  return (
    <nav aria-label="Extra links">
      <ul className="flex flex-col gap-1">
        {extraLinks(profile).map(({ label, icon, link }) => (
          <li key={label}>
            <Link
              {...link}
              className="flex min-h-11 items-center gap-3 rounded-control px-3 py-2 font-medium text-ink-soft hover:bg-sunken hover:text-ink"
            >
              <Icon of={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
