import { VolumeX } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { changeVisibility, type Member } from './change-visibility.ts';

/** On the profile of a muted member: why no posts and reviews are shown, and the way to show them again. */
export function MutedNotice({ member }: { member: Member }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-card bg-sunken p-4">
      <p className="flex min-w-0 items-center gap-3">
        <Icon of={VolumeX} className="shrink-0 text-ink-soft" />
        <span className="min-w-0 wrap-anywhere">
          You muted {member.name}: their posts, comments and reviews are hidden.
        </span>
      </p>
      <Button variant="secondary" size="sm" onClick={() => void changeVisibility('unmute', member)}>
        Unmute
      </Button>
    </div>
  );
}
