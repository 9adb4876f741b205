import { Link, useNavigate } from '@tanstack/react-router';
import { type Interaction, interactions, partyOf } from '@tara/contract/interactions/interactions';
import { endStep, type Party } from '@tara/contract/interactions/stages';
import { cancelNoteLength } from '@tara/contract/limits';
import { receipts } from '@tara/contract/messages/receipts';
import { CalendarClock, CalendarPlus, Check, Handshake, MessageCircle, X } from 'lucide-react';
import { useState } from 'react';
import { invalidate, useCall } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Field, TextArea } from '../../ui/Field.tsx';
import { money } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { LazyComponent, lazyModule } from '../../ui/lazy-component.tsx';
import { CountBadge } from '../../ui/marks.tsx';
import { ConfirmDialog } from '../../ui/Overlays.tsx';
import { useSession } from '../accounts/index.ts';
import { useUnreadPlanChats } from '../counts/index.ts';
import { upsertInteraction } from './interaction-cache.ts';
import { quietActionsClass, RequestLinks } from './RequestCard.tsx';
import { FulfilButton, PayButton } from './RequestMoney.tsx';
import { calendarFile, proposeLabel } from './request-texts.ts';

// With the fields of forms, which the list does without.
const proposeDayDialog = lazyModule(async () => ({
  default: (await import('./RequestForms.tsx')).ProposeDayDialog,
}));

interface RequestActionsProps {
  request: Interaction;
  /** The tab to return to from the checkout. */
  tab: string;
  /** Whether its payment is being checked. */
  checking: boolean;
  /** The most urgent of its list, whose main button is red. */
  isLead: boolean;
}

/** Converts a verdict of the server to a button's `disabledReason`. */
const reasonOf = (verdict: true | string) => verdict !== true && verdict;

/** The buttons of a request in Plan Manager: what its state allows, and why not (§4). */
export function RequestActions({ request, tab, checking, isLead }: RequestActionsProps) {
  const { account } = useSession();
  const [dialog, setDialog] = useState<'propose' | 'end' | null>(null);
  const side = partyOf(request, account.id);
  const steps = useRequestSteps(request);
  const { can } = request;
  const variant = isLead ? 'primary' : 'secondary';
  const close = () => setDialog(null);
  return (
    <>
      {side === 'creator' && !request.accepted && (
        <Button
          variant="approve"
          icon={<Icon of={Check} />}
          pending={steps.accept.pending}
          disabledReason={reasonOf(can.accept)}
          onClick={steps.accept.run}
        >
          {request.proposal ? 'Accept the requested day' : 'Accept'}
        </Button>
      )}
      {can.sayMet === true && (
        <Button
          variant={variant}
          icon={<Icon of={Handshake} />}
          pending={steps.sayMet.pending}
          onClick={steps.sayMet.run}
        >
          We met
        </Button>
      )}
      {can.fulfil === true && (
        <FulfilButton
          request={request}
          isLead={isLead}
          onDone={(changed) => upsertInteraction(changed, account.id)}
        />
      )}
      {side === 'client' && !request.paid && (
        <PayButton request={request} tab={tab} checking={checking} variant={variant} />
      )}
      {request.conversationReceipt ? (
        <ChatLink request={request} conversationReceipt={request.conversationReceipt} />
      ) : (
        can.openReceipt === true && (
          <Button
            variant="secondary"
            icon={<Icon of={MessageCircle} />}
            pending={steps.openChat.pending}
            onClick={steps.openChat.run}
          >
            Open the chat
          </Button>
        )
      )}
      <div className={quietActionsClass}>
        {can.proposeDay === true && (
          <Button
            size="sm"
            variant="ghost"
            icon={<Icon of={CalendarClock} size={16} />}
            onClick={() => setDialog('propose')}
          >
            {proposeLabel(request, side)}
          </Button>
        )}
        {request.accepted && <CalendarLink request={request} side={side} />}
        <Button
          size="sm"
          variant="ghost"
          icon={<Icon of={X} size={16} />}
          disabledReason={reasonOf(can[endStep(request.stage, side)])}
          onClick={() => setDialog('end')}
        >
          {endLabel(request, side)}
        </Button>
        <RequestLinks request={request} side={side} />
      </div>
      <LazyComponent
        module={proposeDayDialog}
        isWanted={dialog === 'propose'}
        props={{ request, side, open: dialog === 'propose', onClose: close }}
      />
      <EndRequestDialog request={request} side={side} open={dialog === 'end'} onClose={close} />
    </>
  );
}

/** Saves the agreed day for a calendar app. */
function CalendarLink({ request, side }: { request: Interaction; side: Party }) {
  const { id, planTitle, place, meetsAt, meetsUntil, updatedAt } = request;
  if (meetsAt === null || meetsUntil === null) return null;
  const other = side === 'creator' ? request.whoSentReq.name : request.creator.name;
  const file = calendarFile({
    id,
    title: `${planTitle} with ${other}`,
    place,
    meetsAt,
    meetsUntil,
    updatedAt,
  });
  return (
    <a
      href={`data:text/calendar;charset=utf-8,${encodeURIComponent(file)}`}
      download="tara-plan.ics"
      className={buttonClass({ variant: 'ghost', size: 'sm' })}
    >
      <Icon of={CalendarPlus} size={16} />
      Add to calendar
    </a>
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
  const sayMet = useCall(interactions.sayMet, {
    onSuccess: (changed) => {
      upsert(changed);
      toast({
        title: 'You said that you met',
        text: `We ask ${changed.whoSentReq.name} to mark the plan as fulfilled.`,
        tone: 'success',
      });
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
    sayMet: { run: () => sayMet.mutate({ body }), pending: sayMet.isPending },
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
  const unread = useUnreadPlanChats().get(conversationReceipt) ?? 0;
  return (
    <Link
      to="/manage-plans/conversation-receipt/$conversationReceipt"
      params={{ conversationReceipt }}
      search={{ interactionId: request.id }}
      className={`relative ${buttonClass({ variant: 'secondary' })}`}
    >
      <Icon of={MessageCircle} />
      Go to the chat
      <CountBadge count={unread} label="unread" className="absolute -top-2 -right-2" />
    </Link>
  );
}

const texts = {
  withdraw: { button: 'Withdraw', title: 'Withdraw this request?', done: 'Your request is withdrawn' },
  decline: { button: 'Decline', title: 'Decline this request?', done: 'You declined the request' },
  cancel: { button: 'Cancel plan', title: 'Cancel this plan?', done: 'The plan is cancelled' },
} as const;

/** What the button that ends a request says to one side of it. */
export const endLabel = (request: Interaction, side: Party) => texts[endStep(request.stage, side)].button;

/** What happens to the money, before somebody decides. */
function moneyText({ paid, price, whoSentReq }: Interaction, side: Party): string {
  if (price === 0) return 'The plan is free: there is no money to give back.';
  if (!paid) return 'Nothing was paid. The payment page is closed.';
  return side === 'creator'
    ? `${whoSentReq.name} gets ${money(price)} back in full.`
    : `You get ${money(price)} back in full, the way you paid.`;
}

/** Withdraws, declines or cancels: says what happens to the money, and a creator can say why. */
export function EndRequestDialog({
  request,
  side,
  open,
  onClose,
}: {
  request: Interaction;
  side: Party;
  open: boolean;
  onClose: () => void;
}) {
  const { account } = useSession();
  const [reason, setReason] = useState('');
  const { title, button, done } = texts[endStep(request.stage, side)];
  const end = useCall(interactions.cancelRequest, {
    onSuccess: (changed) => {
      upsertInteraction(changed, account.id);
      onClose();
      toast({ title: done, text: 'It is now in your history.' });
    },
    onError: onClose,
  });
  const written = reason.trim();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={title}
      text={moneyText(request, side)}
      confirmLabel={button}
      cancelLabel="Keep it"
      tone="danger"
      pending={end.isPending}
      onConfirm={() =>
        end.mutate({ body: { interactionId: request.id, ...(written && { reason: written }) } })
      }
    >
      {side === 'creator' && (
        <Field
          label={`Why? ${request.whoSentReq.name} reads it.`}
          optional
          count={{ used: reason.length, limit: cancelNoteLength }}
        >
          <TextArea
            value={reason}
            maxLength={cancelNoteLength}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      )}
    </ConfirmDialog>
  );
}
