import { Info } from 'lucide-react';
import { Icon } from '../../ui/Icon.tsx';

/** In place of an admin's buttons: why this record cannot be decided by them. */
export function UndecidableNote({ reason }: { reason: string }) {
  return (
    <p className="flex items-start gap-2 rounded-control bg-sunken p-3 text-ink-soft">
      <Icon of={Info} className="mt-0.5 shrink-0" />
      {reason}
    </p>
  );
}
