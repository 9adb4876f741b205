import { Link } from '@tanstack/react-router';
import type { Interaction } from '@tara/contract/interactions';
import type { Party } from '@tara/contract/stages';
import { interactionCan } from '@tara/contract/verdicts';
import { LifeBuoy } from 'lucide-react';
import { buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

/** To the dispute of a request: for the client as long as one can be opened, for both once there is one. */
export function DisputeLink({ request, side }: { request: Interaction; side: Party }) {
  const mayOpen = side === 'client' && interactionCan.dispute(request, side) === true;
  if (!mayOpen && !request.disputed) return null;
  return (
    <Link
      to="/dispute/$id"
      params={{ id: request.id }}
      className={buttonClass({ variant: 'ghost', size: 'sm' })}
    >
      <Icon of={LifeBuoy} size={16} />
      {request.disputed ? 'See the dispute' : 'There was a problem'}
    </Link>
  );
}
