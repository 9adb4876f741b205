import { Link, useNavigate } from '@tanstack/react-router';
import {
  endStep,
  type Interaction,
  interactionCan,
  interactions,
  partyOf,
} from '@tara/contract/interactions';
import { receipts } from '@tara/contract/receipts';
import { Check, CreditCard, MessageCircle, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { invalidate, useCall } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { confirm } from '../../ui/confirm.ts';
import { Icon } from '../../ui/Icon.tsx';
import { money } from '../../ui/Money.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { checkoutUrlWithReturn } from './checkout-url.ts';
import { upsertInteraction } from './interaction-cache.ts';

interface RequestActionsProps {
  request: Interaction;
  /** The tab to return to from the checkout. */
  tab: string;
  /** Whether its payment is being checked. */
  checking: boolean;
}

/** Converts a verdict of `interactionCan` to a button's `disabledReason`. */
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
        disabledReason={reasonOf(interactionCan[endStep(request, side)](request, side))}
        onClick={() => void steps.cancel.run()}
      >
        Cancel
      </Button>
    </>
  );
}

interface PayButtonProps {
  request: Interaction;
  tab: string;
  checking: boolean;
}

/** Links to the provider's checkout; pending while the link is created or the payment is checked. */
function PayButton({ request, tab, checking }: PayButtonProps) {
  const verdict = interactionCan.pay(request, 'client');
  if (verdict !== true) {
    return <Button disabledReason={verdict}>{`Pay ${money(request.price)}`}</Button>;
  }
  if (request.needsRefundNumber) {
    return <Button disabledReason="Name a number for refunds first.">{`Pay ${money(request.price)}`}</Button>;
  }
  if (checking) return <Button pending>Checking the payment…</Button>;
  if (request.checkoutUrl === null) return <PrepareButton request={request} />;
  return (
    <a href={checkoutUrlWithReturn(request.checkoutUrl, { tab, id: request.id })} className={buttonClass()}>
      <Icon of={CreditCard} />
      {`Pay ${money(request.price)}`}
    </a>
  );
}

/** How long a link may take to be made before the client can ask for it, in ms. */
const linkWaitMs = 8_000;

/** Shows that the link is being made; when it is late or cannot be made, it is asked for again (§8). */
function PrepareButton({ request }: Pick<PayButtonProps, 'request'>) {
  const { account } = useSession();
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), linkWaitMs);
    return () => clearTimeout(timer);
  }, []);
  const prepare = useCall(interactions.checkPayment, {
    onSuccess: (changed) => upsertInteraction(changed, account.id),
  });
  if (!isLate || prepare.isPending) return <Button pending>Preparing the payment…</Button>;
  return (
    <Button
      icon={<Icon of={CreditCard} />}
      onClick={() => prepare.mutate({ body: { interactionId: request.id } })}
    >
      Try again
    </Button>
  );
}

/** The steps of either party (§4); each updates the cached lists. */
function useRequestSteps(request: Interaction) {
  const { account } = useSession();
  const navigate = useNavigate();
  const upsert = (changed: Interaction) => upsertInteraction(changed, account.id);
  // The server refused: the request has changed since it was fetched.
  const reload = () => invalidate(interactions.interactionList);
  const body = { interactionId: request.id };

  const accept = useCall(interactions.acceptRequest, {
    onSuccess: (changed) => {
      upsert(changed);
      toast({
        title: `You accepted ${changed.whoSentReq.name}`,
        text: 'It is now under Pending Friends.',
        tone: 'success',
      });
    },
    onError: reload,
  });
  const cancel = useCall(interactions.cancelRequest, {
    onSuccess: (changed) => {
      upsert(changed);
      toast({ title: 'The request is cancelled', text: 'It is now in your history.' });
    },
    onError: reload,
  });
  const goToChat = (conversationReceipt: string) =>
    navigate({
      to: '/manage-plans/conversation-receipt/$conversationReceipt',
      params: { conversationReceipt },
      search: { interactionId: request.id },
    });
  const openChat = useCall(receipts.createConversationReceipt, {
    invalidates: [interactions.interactionList],
    onSuccess: async ({ id }) => {
      await goToChat(id);
    },
    // The other party may have opened it at the same moment.
    onError: reload,
  });
  return {
    accept: { run: () => accept.mutate({ body }), pending: accept.isPending },
    cancel: {
      run: async () => {
        const isConfirmed = await confirm({
          title: 'Cancel this request?',
          text: 'It can no longer be accepted or paid. A new request can be sent later.',
          confirmLabel: 'Cancel request',
          cancelLabel: 'Keep it',
          tone: 'danger',
        });
        if (isConfirmed) cancel.mutate({ body });
      },
      pending: cancel.isPending,
    },
    openChat: { run: () => openChat.mutate({ body }), pending: openChat.isPending },
  };
}

/** A link to the chat of a request. */
export function ChatLink({
  request,
  conversationReceipt,
}: {
  request: Interaction;
  conversationReceipt: string;
}) {
  return (
    <Link
      to="/manage-plans/conversation-receipt/$conversationReceipt"
      params={{ conversationReceipt }}
      search={{ interactionId: request.id }}
      className={buttonClass({ variant: 'secondary' })}
    >
      <Icon of={MessageCircle} />
      Go to the chat
    </Link>
  );
}
