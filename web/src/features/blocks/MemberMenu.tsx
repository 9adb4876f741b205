import { useLocation, useNavigate } from '@tanstack/react-router';
import { Ban, Ellipsis, Flag, Volume2, VolumeX } from 'lucide-react';
import { Suspense, useState } from 'react';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/lazy-overlays.tsx';
import { useSession } from '../accounts/index.ts';
import { changeVisibility, type Member } from './change-visibility.ts';
import { ReportDialog } from './lazy-report-dialog.ts';
import type { ReportTarget } from './ReportDialog.tsx';

interface MemberMenuProps {
  /** The member whose profile or record it is on. */
  member: Member;
  /** Whether the viewer muted the member; false where it is not known. */
  muted?: boolean;
  /** What 'Report' is about; the member without it. */
  target?: ReportTarget;
}

/** The '…' button of what another member made: mute, report and block. Nothing on one's own, or on a name without a profile. */
export function MemberMenu({ member, muted = false, target }: MemberMenuProps) {
  const { profile } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [isReporting, setIsReporting] = useState(false);
  if (member.id === profile.id || member.id === '') return null;
  // A screen of the member or of their record would be 'not found' after the block; that of a comment need not be theirs.
  const leave = async () => {
    if (target?.kind !== 'comment' && /^[/](profile|post|review-details)[/]/.test(pathname))
      await navigate({ to: '/' });
  };
  return (
    <>
      <Menu
        label={`About ${member.name}`}
        trigger={
          <IconButton label={`More about ${member.name}`} quiet>
            <Icon of={Ellipsis} />
          </IconButton>
        }
        items={[
          {
            label: muted ? 'Unmute' : 'Mute',
            icon: muted ? Volume2 : VolumeX,
            onSelect: () => void changeVisibility(muted ? 'unmute' : 'mute', member),
          },
          { label: 'Report', icon: Flag, onSelect: () => setIsReporting(true) },
          {
            label: 'Block',
            icon: Ban,
            tone: 'danger',
            onSelect: () => void changeVisibility('block', member, leave),
          },
        ]}
      />
      {isReporting && (
        <Suspense>
          <ReportDialog
            what={target ? `the ${target.kind} by ${member.name}` : member.name}
            target={target ?? { kind: 'member', recordId: member.id }}
            onClose={() => setIsReporting(false)}
          />
        </Suspense>
      )}
    </>
  );
}
