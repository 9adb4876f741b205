import { Megaphone, UserRoundPlus } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { LazyComponent, lazyModule } from '../../ui/lazy-component.tsx';
import { useOpenState } from '../../ui/lazy-overlays.tsx';

const dialog = lazyModule(() => import('./PublicLinkDialog.tsx'));

/** Opens the member's invitation, a link for people without an account. */
export function InviteButton({ size = 'md' }: { size?: 'sm' | 'md' }) {
  const { isOpen, open, close } = useOpenState();
  return (
    <>
      <Button
        variant="secondary"
        size={size}
        icon={<Icon of={UserRoundPlus} size={size === 'sm' ? 16 : 20} />}
        onClick={open}
      >
        Invite friends
      </Button>
      <LazyComponent module={dialog} isWanted={isOpen} props={{ open: isOpen, onClose: close }} />
    </>
  );
}

/** Opens the link to the public page of a plan, for its creator. */
export function SharePlanPageButton({ planId }: { planId: string }) {
  const { isOpen, open, close } = useOpenState();
  return (
    <>
      <Button variant="secondary" size="sm" icon={<Icon of={Megaphone} size={16} />} onClick={open}>
        Public page
      </Button>
      <LazyComponent module={dialog} isWanted={isOpen} props={{ planId, open: isOpen, onClose: close }} />
    </>
  );
}
