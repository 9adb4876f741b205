import { useLocation, useNavigate } from '@tanstack/react-router';
import { blocks } from '@tara/contract/members/blocks';
import type { Person } from '@tara/contract/members/profiles';
import { Ban, Ellipsis, Flag, Volume2, VolumeX } from 'lucide-react';
import { Suspense, useState } from 'react';
import { call, showErrorToast } from '../../lib/call.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { confirm, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { Menu } from '../../ui/lazy-overlays.tsx';
import { useSession } from '../accounts/index.ts';
import type { ReportTarget } from './ReportDialog.tsx';

/** Needs a `<Suspense>` around it. */
export const ReportDialog = lazyPart(() => import('./ReportDialog.tsx'));

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

export type Member = Pick<Person, 'id' | 'name'>;
type Change = 'block' | 'unblock' | 'mute' | 'unmute';

/** What each change asks before it is made, says once it is made, and by which change it is undone. */
const changes = {
  block: {
    question: ({ name }: Member) => ({
      title: `Block ${name}?`,
      text: `You will no longer see each other anywhere in Tara, and cannot write to each other. ${name} is not notified. A request that is open between you stays in your Plan Manager until it is over.`,
      confirmLabel: 'Block',
      tone: 'danger' as const,
    }),
    done: ({ name }: Member) => `You blocked ${name}.`,
    undo: 'unblock',
  },
  unblock: {
    question: ({ name }: Member) => ({
      title: `Unblock ${name}?`,
      text: 'You can see and find each other again, unless the other blocked you too.',
      confirmLabel: 'Unblock',
    }),
    done: ({ name }: Member) => `You unblocked ${name}.`,
    undo: 'block',
  },
  mute: {
    question: ({ name }: Member) => ({
      title: `Mute ${name}?`,
      text: `You will not see posts, comments and reviews by ${name}. Chats and requests stay, and ${name} is not notified.`,
      confirmLabel: 'Mute',
    }),
    done: ({ name }: Member) => `You muted ${name}.`,
    undo: 'unmute',
  },
  unmute: {
    question: () => null,
    done: ({ name }: Member) => `You see what ${name} shares again.`,
    undo: 'mute',
  },
} as const;

/** Makes a change without asking; the toast offers to undo it. Every list may show it, so all are fetched again. */
async function apply(change: Change, member: Member): Promise<void> {
  try {
    await call(blocks[change], { body: { profileId: member.id } });
  } catch (error) {
    showErrorToast(error);
    return;
  }
  const { done, undo } = changes[change];
  const action = { label: 'Undo', onPress: () => void apply(undo, member) };
  toast({ title: done(member), tone: 'success', action });
  await queryClient.invalidateQueries();
}

/**
 * Asks, and then blocks or mutes a member, or ends that.
 * @param onConfirmed runs before the call: a screen of a member who is about to be hidden is left.
 */
export async function changeVisibility(
  change: Change,
  member: Member,
  onConfirmed?: () => Promise<unknown>,
): Promise<void> {
  const question = changes[change].question(member);
  if (question && !(await confirm(question))) return;
  await onConfirmed?.();
  await apply(change, member);
}
