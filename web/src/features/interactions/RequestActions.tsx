import { type Interaction, interactionCan, partyOf } from '@tara/contract/interactions';
import { Check, MessageCircle, X } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSession } from '../accounts/index.ts';
import { ChatLink } from './ChatLink.tsx';
import { PayButton } from './PayButton.tsx';
import { useRequestSteps } from './use-request-steps.ts';

interface RequestActionsProps {
  request: Interaction;
  /** The tab the checkout leads back to. */
  tab: string;
  /** Its payment is being looked up. */
  checking: boolean;
}

/** A verdict of `interactionCan` as a button takes it. */
const reasonOf = (verdict: true | string) => verdict !== true && verdict;

/** The buttons of a request in Plan Manager: what its state allows, and why not (§4). */
export function RequestActions({ request, tab, checking }: RequestActionsProps) {
  const { account } = useSession();
  const side = partyOf(request, account.id);
  const steps = useRequestSteps(request);
  return (
    <>
      {side === 'creator' && !request.accepted && (
        <Button
          icon={<Icon of={Check} />}
          pending={steps.accept.pending}
          disabledReason={reasonOf(interactionCan.accept(request, side))}
          onClick={steps.accept.run}
        >
          Accept
        </Button>
      )}
      {side === 'client' && !request.paid && <PayButton request={request} tab={tab} checking={checking} />}
      {request.conversationReceipt ? (
        <ChatLink request={request} conversationReceipt={request.conversationReceipt} />
      ) : (
        <Button
          variant="secondary"
          icon={<Icon of={MessageCircle} />}
          pending={steps.openChat.pending}
          disabledReason={reasonOf(interactionCan.openReceipt(request, side))}
          onClick={steps.openChat.run}
        >
          Open the chat
        </Button>
      )}
      <Button
        variant="ghost"
        icon={<Icon of={X} />}
        pending={steps.cancel.pending}
        disabledReason={reasonOf(interactionCan.cancel(request, side))}
        onClick={() => void steps.cancel.run()}
      >
        Cancel
      </Button>
    </>
  );
}
