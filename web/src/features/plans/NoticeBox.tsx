import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { linkClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

/** A notice of §8 that stays on the screen: why an action is not possible, and a link to resolve it. */
export function NoticeBox({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div role="note" className="flex items-start gap-3 rounded-card bg-mango-soft p-4">
      <Icon of={Info} className="mt-0.5 text-mango-ink" />
      <div>
        <p className="font-semibold">{title}</p>
        {text && <p className="text-ink-soft first-letter:uppercase">{text}</p>}
        {children && <div className="mt-2">{children}</div>}
      </div>
    </div>
  );
}

/** To the form with the birth date, which decides who may buy and sell plans (decisions §2). */
export function BirthDateLink() {
  return (
    <Link to="/update-profile" search={{ tab: 'info' }} className={linkClass}>
      Go to your birth date
    </Link>
  );
}
