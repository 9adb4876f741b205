import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import { Card } from './Page.tsx';

interface SectionProps {
  title: string;
  /** Where links lead to. */
  id?: string;
  action?: ReactNode;
  children: ReactNode;
}

/** A group of settings under its heading. */
export function SettingsSection({ title, id, action, children }: SectionProps) {
  return (
    <section aria-label={title} id={id}>
      <div className="mb-2 flex min-h-9 items-center justify-between gap-3 px-1">
        <h2 className="text-lg font-semibold">{title}</h2>
        {action}
      </div>
      <Card padding="none">
        <ul className="divide-y divide-line">{children}</ul>
      </Card>
    </section>
  );
}

interface RowProps {
  label: string;
  value: ReactNode;
  /** Below the value. */
  note?: ReactNode;
  icon?: LucideIcon;
  /** The action at the end. */
  children?: ReactNode;
}

/** One setting with its value and what can be done with it. */
export function SettingsRow({ label, value, note, icon, children }: RowProps) {
  return (
    <li className="flex min-h-16 items-center gap-3 px-4 py-3 sm:px-5">
      {icon && <Icon of={icon} className="text-ink-soft" />}
      <div className="min-w-0 flex-1">
        <p className="font-medium">{label}</p>
        <div className="text-ink-soft wrap-anywhere">{value}</div>
        {note && <div className="mt-1 text-sm text-ink-soft">{note}</div>}
      </div>
      {children && <div className="shrink-0">{children}</div>}
    </li>
  );
}
