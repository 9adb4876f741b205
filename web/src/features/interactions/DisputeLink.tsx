import { Link } from '@tanstack/react-router';
import type { Interaction } from '@tara/contract/interactions';
import type { Party } from '@tara/contract/stages';
import { interactionCan } from '@tara/contract/verdicts';
import { LifeBuoy, Scale } from 'lucide-react';
import { buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

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
