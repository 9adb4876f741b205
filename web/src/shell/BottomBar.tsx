import { Link } from '@tanstack/react-router';
import { Icon } from '../ui/Icon.tsx';
import { type NavigationMode, navigation } from './navigation.ts';

/** Below 768 px: the five places within a thumb's reach, above the phone's own bar. */
export function BottomBar({ mode }: { mode: NavigationMode }) {
  return (
    <nav
      data-bottom-bar
      aria-label={mode === 'admin' ? 'Admin' : 'Main'}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-safe md:hidden"
    >
      <ul className="flex h-16">
        {navigation[mode].bottom.map(({ to, label, short, icon }) => (
          <li key={to} className="flex-1">
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              activeProps={{ className: 'text-guava!' }}
              className="flex h-full flex-col items-center justify-center gap-1 text-xs font-medium text-ink-soft -outline-offset-2"
            >
              <Icon of={icon} />
              <span aria-hidden="true">{short ?? label}</span>
              <span className="sr-only">{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
