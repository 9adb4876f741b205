import { getRouteApi, Link } from '@tanstack/react-router';
import { Interaction, partyOf } from '@tara/contract/interactions';
import { channel } from '@tara/contract/realtime';
import { interactionCan } from '@tara/contract/verdicts';
import { ArrowLeft } from 'lucide-react';
import { ForbiddenError, isProblem } from '../../lib/failure.ts';
import { queryClient, useLoaded } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { iconButtonClass } from '../../ui/Button.tsx';
import { PersonName } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSession } from '../accounts/index.ts';
import { upsertInteraction } from '../interactions/index.ts';
import {
  ChatPage,
  ChatPanel,
  ChatSkeleton,
  cachedChat,
  type OpenChat,
  preloadWarning,
  useChat,
} from '../messages/index.ts';
import { PaymentCard } from './PaymentCard.tsx';
import { receiptQuery, setReceiptInteraction } from './receipt-query.ts';

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
  const live = useChat({ id, kind: 'receipt', open: () => openReceipt(id) });
  useRealtime([channel.document('planInteractions', interaction.id)], ({ payload }) => {
    const changed = Interaction.safeParse(payload);
    if (!changed.success) return;
    setReceiptInteraction(id, changed.data);
    upsertInteraction(changed.data, account.id);
  });
  const side = partyOf(interaction, account.id);
  const other = side === 'creator' ? interaction.whoSentReq : interaction.creator;
  const isBlocked = interaction.blocked || live.chat.readOnly === 'blocked';
  const maySend = isBlocked
    ? 'This chat is read-only: you can no longer write to each other.'
    : interactionCan.sendMessage(interaction, side);
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

/** Opens a chat again. */
async function openReceipt(id: string): Promise<OpenChat> {
  await queryClient.fetchQuery(receiptQuery(id));
  const opened = cachedChat(id);
  if (opened === undefined) throw new Error(`The chat ${id} was not stored.`);
  return opened;
}

/** The skeleton of a plan chat. */
export const ReceiptSkeleton = () => <ChatSkeleton title="Plan chat" hasCard />;
