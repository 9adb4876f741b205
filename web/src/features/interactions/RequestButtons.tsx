import { Link } from '@tanstack/react-router';
import { type Interaction, interactions } from '@tara/contract/interactions';
import { areYouSure } from '@tara/contract/notices';
import type { Party } from '@tara/contract/stages';
import { interactionCan } from '@tara/contract/verdicts';
import { CircleCheck, LifeBuoy, Scale } from 'lucide-react';
import { invalidate, useCall } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Money } from '../../ui/facts.tsx';
import { confirm } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';

interface FulfilButtonProps {
  /** The viewer is its client. */
  request: Interaction;
  size?: 'sm' | 'md';
  onDone: (changed: Interaction) => void;
}

/** 'Plan is fulfilled' (§4): the main thing to do from the plan's day on, possible before. */
export function FulfilButton({ request, size = 'md', onDone }: FulfilButtonProps) {
  const done = useCall(interactions.markDone, {
    onSuccess: onDone,
    onError: () => invalidate(interactions.interactionList),
  });
  const verdict = interactionCan.fulfil(request, 'client');
  const fulfil = async () => {
    const isConfirmed = await confirm({
      ...areYouSure.fulfilPlan,
      text: (
        <>
          <span className="block">{areYouSure.fulfilPlan.text}</span>
          {!request.dayReached && (
            <span className="mt-2 block font-semibold text-ink">
              The agreed day has not come yet. Say so only once you have met.
            </span>
          )}
          <span className="mt-2 block">
            {request.price === 0 ? (
              'The plan is free: nothing is paid out.'
            ) : (
              <>
                {request.creator.name} receives <Money pesos={request.price} /> once an admin has confirmed
                it.
              </>
            )}
          </span>
        </>
      ),
      confirmLabel: 'Plan is fulfilled',
    });
    if (isConfirmed) done.mutate({ body: { interactionId: request.id } });
  };
  return (
    <Button
      size={size}
      variant={request.dayReached ? 'primary' : 'secondary'}
      icon={<Icon of={CircleCheck} size={size === 'sm' ? 16 : 20} />}
      pending={done.isPending}
      disabledReason={verdict !== true && verdict}
      onClick={() => void fulfil()}
    >
      Plan is fulfilled
    </Button>
  );
}

/** To the dispute of a request, for the client as long as one can be opened, and for both to it or to an admin's decision. */
export function DisputeLink({ request, side }: { request: Interaction; side: Party }) {
  const mayOpen = side === 'client' && interactionCan.dispute(request, side) === true;
  if (!mayOpen && !request.disputed && !request.decided) return null;
  return (
    <Link
      to="/dispute/$id"
      params={{ id: request.id }}
      className={buttonClass({ variant: 'ghost', size: 'sm' })}
    >
      <Icon of={request.decided ? Scale : LifeBuoy} size={16} />
      {request.decided ? 'See the decision' : request.disputed ? 'See the dispute' : 'There was a problem'}
    </Link>
  );
}
