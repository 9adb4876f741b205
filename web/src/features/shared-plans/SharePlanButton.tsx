import type { Interaction } from '@tara/contract/interactions/interactions';
import { Share2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';

const SharePlanDialog = lazyPart(() => import('./SharePlanDialog.tsx'));

type SharedRequest = Pick<Interaction, 'id' | 'accepted' | 'cancelled' | 'completed'>;

interface SharePlanButtonProps {
  request: SharedRequest;
  /** Whom the member meets. */
  otherName: string;
}

/** 'Share my plan', for an agreed request; nothing for any other. */
export function SharePlanButton({ request, otherName }: SharePlanButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  if (!request.accepted || request.cancelled || request.completed) return null;
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        icon={<Icon of={Share2} size={16} />}
        onClick={() => {
          setWasOpened(true);
          setIsOpen(true);
        }}
      >
        Share my plan
      </Button>
      {wasOpened && (
        <Suspense>
          <SharePlanDialog
            interactionId={request.id}
            otherName={otherName}
            open={isOpen}
            onOpenChange={setIsOpen}
          />
        </Suspense>
      )}
    </>
  );
}
