import { getRouteApi, Link } from '@tanstack/react-router';
import { Interaction, interactions, partyOf } from '@tara/contract/interactions/interactions';
import type { Party } from '@tara/contract/interactions/stages';
import { firstPages } from '@tara/contract/limits';
import { receipts } from '@tara/contract/messages/receipts';
import { problemNotice } from '@tara/contract/problems';
import { channel } from '@tara/contract/wire/realtime';
import { clsx } from 'clsx';
import { ArrowDownToLine, ArrowLeft, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { ForbiddenError, isProblem, type Reply } from '../../lib/call.ts';
import { queryClient, queryOf, readReply, useCall, useLoaded } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { useRefreshAt } from '../../lib/refresh.ts';
import { StoredPicture } from '../../lib/stored-picture.tsx';
import { Button, buttonClass, iconButtonClass } from '../../ui/Button.tsx';
import { Collapsible, PersonName, StateList } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useMediaQuery } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { DisputeLink, FulfilButton, MoneyLine, nextStep, upsertInteraction } from '../interactions/index.ts';
import { ChatPage, ChatPanel, preloadWarning, storeChat, useChat } from '../messages/index.ts';
import { PriceLabel } from '../plans/index.ts';
import { SharePlanButton } from '../shared-plans/index.ts';

const route = getRouteApi('/_main/manage-plans/conversation-receipt/$conversationReceipt');

/** Number of leading characters of each party's id in a receipt's id (§3). */
const ID_PART_LENGTH = 5;

/** Loads a chat for one of its parties, whose id is part of the chat's id (§5). @throws ForbiddenError for anybody else */
export async function loadReceipt(id: string, profileId: string): Promise<void> {
  if (!id.includes(profileId.slice(0, ID_PART_LENGTH))) throw new ForbiddenError();
  try {
    await Promise.all([queryClient.ensureQueryData(receiptQuery(id)), preloadWarning()]);
  } catch (error) {
    throw isProblem(error, 'receipt_not_found') ? new ForbiddenError() : error;
  }
}

/** /manage-plans/conversation-receipt/{conversationReceipt}: the chat of one paid plan, for its two parties (§5). */
export function ReceiptScreen() {
  // The URL also has the request's id (§2), but the chat includes its request.
  const { conversationReceipt: id } = route.useParams();
  const { account } = useSession();
  const { interaction } = useLoaded(receiptQuery(id));
  const open = () => queryClient.fetchQuery(receiptQuery(id));
  const live = useChat({ id, kind: 'receipt', open });
  useRefreshAt([interaction.changesAt], open);
  useRealtime([channel.document('planInteractions', interaction.id)], ({ payload }) => {
    const changed = Interaction.safeParse(payload);
    if (!changed.success) return;
    setReceiptInteraction(id, changed.data);
    upsertInteraction(changed.data, account.id);
  });
  const side = partyOf(interaction, account.id);
  const other = side === 'creator' ? interaction.whoSentReq : interaction.creator;
  const isBlocked = interaction.blocked || live.chat.readOnly === 'blocked';
  const { title, text } = problemNotice('chat_read_only');
  const maySend = isBlocked ? `${title}: ${text}.` : interaction.can.sendMessage;
  const card = <PaymentCard receiptId={id} request={interaction} side={side} />;
  return (
    <ChatPage
      title={interaction.planTitle}
      person={other}
      line={
        <span className="flex min-w-0 gap-1">
          with <PersonName person={other} />
        </span>
      }
      back={
        <Link to="/manage-plans" aria-label="Back to Plan Manager" className={iconButtonClass()}>
          <Icon of={ArrowLeft} />
        </Link>
      }
    >
      {!interaction.cardDown && card}
      {/* Without permission to send, e.g. once completed (§4), the reason is shown instead. */}
      <ChatPanel
        live={live}
        name={other.name}
        emptyText="Agree here on where and when you meet."
        readOnly={maySend === true ? undefined : maySend}
      />
      {interaction.cardDown && card}
    </ChatPage>
  );
}

interface PaymentCardProps {
  receiptId: string;
  request: Interaction;
  side: Party;
}

/** A window that has room for the open card above the messages. */
const ROOMY = '(min-width: 48rem) and (min-height: 43.75rem)';

/** The plan, its payment and the next step: above the chat, or below it once the card was put down (§4). */
export function PaymentCard({ receiptId, request, side }: PaymentCardProps) {
  const { account } = useSession();
  const upsert = (changed: Interaction) => {
    setReceiptInteraction(receiptId, changed);
    upsertInteraction(changed, account.id);
  };
  const down = useCall(interactions.cardDown, { onSuccess: upsert });
  // One line where the messages would have no room.
  const [isOpen, setIsOpen] = useState(useMediaQuery(ROOMY) && !request.cardDown);
  const body = { interactionId: request.id };
  const mayPutDown = request.can.putCardDown;
  const content = (
    <>
      <div className="flex items-center gap-3">
        <div className="w-14 shrink-0">
          <StoredPicture picture={request.cover} ratio="1 / 1" sizes="56px" className="rounded-control" />
        </div>
        <StateList className="min-w-0 flex-1">
          <MoneyLine request={request} side={side} />
        </StateList>
      </div>
      <p className="text-sm text-ink-soft">{nextStep(request, side)}</p>
      <div className="flex flex-wrap gap-2">
        {side === 'client' && !request.userSetDone && (
          <FulfilButton request={request} size="sm" onDone={upsert} />
        )}
        {!request.cardDown && !request.completed && (
          <Button
            size="sm"
            variant="secondary"
            icon={<Icon of={ArrowDownToLine} size={16} />}
            pending={down.isPending}
            disabledReason={mayPutDown !== true && mayPutDown}
            onClick={() => down.mutate({ body })}
          >
            Put the card down
          </Button>
        )}
        <DisputeLink request={request} />
        <SharePlanButton
          request={request}
          otherName={side === 'creator' ? request.whoSentReq.name : request.creator.name}
        />
        <Link to="/safety" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          <Icon of={ShieldCheck} size={16} />
          Meeting safely
        </Link>
      </div>
    </>
  );
  return (
    <section
      aria-label="Payment and plan"
      className={clsx(
        'max-h-[45dvh] shrink-0 overflow-y-auto px-3 py-2 sm:px-4',
        !request.cardDown && 'border-b border-line',
      )}
    >
      <Collapsible
        open={isOpen}
        onOpenChange={setIsOpen}
        title={
          <span className="flex min-w-0 flex-1 items-center justify-between gap-3">
            <span className="truncate">Payment and plan</span>
            <span className="font-normal text-lagoon group-open:invisible">
              <PriceLabel pesos={request.price} />
            </span>
          </span>
        }
      >
        <div className="flex flex-col gap-2">{content}</div>
      </Collapsible>
    </section>
  );
}

type ReceiptData = Omit<Reply<typeof receipts.receipt>, 'chat' | 'messages'>;

/** A chat's receipt and request; its messages go to the cache that both kinds of chat share. */
export function receiptQuery(id: string) {
  const where = { params: { id }, query: firstPages('receipt') };
  return {
    queryKey: queryOf(receipts.receipt, where).queryKey as readonly unknown[],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReceiptData> => {
      const { chat, messages, ...data } = await readReply(receipts.receipt, { ...where, signal });
      storeChat({ chat, messages });
      return data;
    },
    // Realtime keeps the data fresh; a remount refetches it.
    staleTime: 0,
    refetchOnWindowFocus: false,
  };
}

/** Updates the request of a chat in the cache. */
export function setReceiptInteraction(id: string, interaction: ReceiptData['interaction']): void {
  queryClient.setQueryData<ReceiptData>(
    receiptQuery(id).queryKey,
    (before) => before && { ...before, interaction },
  );
}
