import { getRouteApi, Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { Interaction, interactionCan, partyOf } from '@tara/contract/interactions';
import { Message } from '@tara/contract/messages';
import { channel } from '@tara/contract/realtime';
import { ArrowLeft } from 'lucide-react';
import type { Reply } from '../../lib/call.ts';
import { ForbiddenError, isProblem } from '../../lib/failure.ts';
import { queryClient, useLoaded } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { iconButtonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { announce } from '../../ui/LiveRegion.tsx';
import { Page } from '../../ui/Page.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { PersonName } from '../../ui/PersonName.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useSession } from '../accounts/index.ts';
import { upsertInteraction } from '../interactions/index.ts';
import { MessageInput } from './MessageInput.tsx';
import { MessageList } from './MessageList.tsx';
import { type Outgoing, useOutbox } from './outbox.ts';
import { PaymentCard } from './PaymentCard.tsx';
import { catchUp, receiptQuery, receiveMessage, setReceiptInteraction } from './receipt-query.ts';

const route = getRouteApi('/_main/manage-plans/conversation-receipt/$conversationReceipt');

/** Number of leading characters of each party's id in a receipt's id (§3). */
const ID_PART_LENGTH = 5;

/** Loads a chat for one of its parties, whose id is part of the chat's id (§5). @throws ForbiddenError for anybody else */
export async function loadReceipt(id: string, profileId: string): Promise<void> {
  if (!id.includes(profileId.slice(0, ID_PART_LENGTH))) throw new ForbiddenError();
  try {
    await queryClient.ensureQueryData(receiptQuery(id));
  } catch (error) {
    throw isProblem(error, 'receipt_not_found') ? new ForbiddenError() : error;
  }
}

/** /manage-plans/conversation-receipt/{conversationReceipt}: the chat of one paid plan, for its two parties (§5). */
export function ReceiptScreen() {
  // The URL also has the request's id (§2), but the chat includes its request.
  const { conversationReceipt: id } = route.useParams();
  const { receipt, outgoing } = useReceipt(id);
  return <ReceiptChat id={id} opened={receipt} stored={receipt.messages.items} outgoing={outgoing} />;
}

interface ReceiptChatProps {
  id: string;
  opened: Reply<typeof import('@tara/contract/receipts').receipts.receipt>;
  stored: readonly Message[];
  outgoing: readonly Outgoing[];
}

/** The chat with its payment card, as high as the window; only the messages scroll. */
function ReceiptChat({ id, opened, stored, outgoing }: ReceiptChatProps) {
  const { account } = useSession();
  const { interaction, messages } = opened;
  const side = partyOf(interaction, account.id);
  const other = side === 'creator' ? interaction.whoSentReq : interaction.creator;
  const maySend = interaction.blocked
    ? 'This chat is read-only: you can no longer write to each other.'
    : interactionCan.sendMessage(interaction, side);
  const card = <PaymentCard receiptId={id} request={interaction} side={side} />;
  return (
    <div
      data-composer
      className="mx-auto flex h-[calc(100dvh-var(--bottom-bar,0px)-env(safe-area-inset-bottom))] min-h-120 w-full max-w-chat flex-col pt-safe"
    >
      <PageTitle title={interaction.planTitle} />
      <header className="flex items-center gap-2 border-b border-line px-2 py-2 sm:px-4">
        <Link to="/manage-plans" aria-label="Back to Plan Manager" className={iconButtonClass()}>
          <Icon of={ArrowLeft} />
        </Link>
        {other.id !== '' && (
          <Link
            to="/profile/$id"
            params={{ id: other.id }}
            aria-label={`Profile of ${other.name}`}
            className="flex size-11 items-center justify-center rounded-full"
          >
            <Avatar name={other.name} src={urlAtWidth(other.picture.imageUrl, 96)} />
          </Link>
        )}
        <div className="min-w-0">
          <h1 tabIndex={-1} className="truncate text-lg leading-tight font-bold">
            {interaction.planTitle}
          </h1>
          <p className="flex gap-1 text-sm text-ink-soft">
            with <PersonName person={other} />
          </p>
        </div>
      </header>
      {!interaction.cardDown && card}
      <MessageList id={id} stored={stored} outgoing={outgoing} hasOlder={messages.hasMore} />
      {/* Without permission to send, e.g. once completed (§4), the reason is shown instead. */}
      {maySend === true ? (
        <MessageInput id={id} />
      ) : (
        <p className="border-t border-line p-4 text-center text-ink-soft">{maySend}</p>
      )}
      {interaction.cardDown && card}
    </div>
  );
}

const WIDTHS = ['55%', '40%', '62%', '30%', '48%', '58%'];

/** The skeleton of a chat. */
export function ReceiptSkeleton() {
  return (
    <Page title="Plan chat" width="chat" hideTitle>
      <div role="status" aria-label="Loading the chat" aria-busy="true" className="flex flex-col gap-4">
        <Skeleton shape="box" height={140} className="rounded-card" />
        {WIDTHS.map((width, index) => (
          <Skeleton
            key={width}
            shape="box"
            width={width}
            height={52}
            className={index % 2 === 0 ? undefined : 'self-end'}
          />
        ))}
      </div>
    </Page>
  );
}

/** One per-plan chat with live updates: its request, its stored messages, and the viewer's unsent messages. */
function useReceipt(id: string) {
  const { account, profile } = useSession();
  const receipt = useLoaded(receiptQuery(id));

  const announceMessages = (messages: readonly Message[]) => {
    const others = messages.filter(({ userId }) => userId !== profile.id);
    for (const { name, body } of others) announce(`${name}: ${body || 'a picture'}`);
  };
  useRealtime(
    [channel.document('conversationReceipts', id)],
    ({ payload }) => {
      const message = Message.safeParse(payload);
      // If fetching missed messages fails, the next message or catch-up fetches them.
      if (message.success) receiveMessage(id, message.data).then(announceMessages, () => undefined);
    },
    () => void catchUp(id).then(announceMessages, () => undefined),
  );
  useRealtime([channel.document('planInteractions', receipt.interaction.id)], ({ payload }) => {
    const changed = Interaction.safeParse(payload);
    if (!changed.success) return;
    setReceiptInteraction(id, changed.data);
    upsertInteraction(changed.data, account.id);
  });

  const arrived = new Set(receipt.messages.items.map(({ clientKey }) => clientKey));
  const outgoing = useOutbox().messages.filter(
    ({ conversation, clientKey }) => conversation === id && !arrived.has(clientKey),
  );
  return { receipt, outgoing };
}
