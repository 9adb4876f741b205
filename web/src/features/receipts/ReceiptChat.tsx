import { Link } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import { interactionCan, partyOf } from '@tara/contract/interactions';
import type { ReceiptMessage } from '@tara/contract/receipts';
import { ArrowLeft } from 'lucide-react';
import type { Reply } from '../../lib/call.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { iconButtonClass } from '../../ui/IconButton.tsx';
import { useSession } from '../accounts/index.ts';
import { MessageInput } from './MessageInput.tsx';
import { MessageList } from './MessageList.tsx';
import type { Outgoing } from './outbox.ts';
import { PaymentCard } from './PaymentCard.tsx';

interface ReceiptChatProps {
  id: string;
  opened: Reply<typeof import('@tara/contract/receipts').receipts.receipt>;
  stored: readonly ReceiptMessage[];
  outgoing: readonly Outgoing[];
}

/** The chat with its payment card, as high as the window: only the messages scroll. */
export function ReceiptChat({ id, opened, stored, outgoing }: ReceiptChatProps) {
  const { account } = useSession();
  const { interaction, messages } = opened;
  const side = partyOf(interaction, account.id);
  const other = side === 'creator' ? interaction.whoSentReq : interaction.creator;
  const maySend = interactionCan.sendMessage(interaction, side);
  const card = <PaymentCard receiptId={id} request={interaction} side={side} />;
  return (
    <div
      data-composer
      className="mx-auto flex h-[calc(100dvh-var(--bottom-bar,0px)-env(safe-area-inset-bottom))] min-h-120 w-full max-w-chat flex-col pt-safe"
    >
      <title>{`${interaction.planTitle} · Tara`}</title>
      <header className="flex items-center gap-2 border-b border-line px-2 py-2 sm:px-4">
        <Link to="/manage-plans" aria-label="Back to Plan Manager" className={iconButtonClass()}>
          <Icon of={ArrowLeft} />
        </Link>
        <Link
          to="/profile/$id"
          params={{ id: other.id }}
          aria-label={`Profile of ${other.name}`}
          className="flex size-11 items-center justify-center rounded-full"
        >
          <Avatar name={other.name} src={sized(other.picture.imageUrl, 96)} />
        </Link>
        <div className="min-w-0">
          <h1 tabIndex={-1} className="truncate text-lg leading-tight font-bold">
            {interaction.planTitle}
          </h1>
          <p className="truncate text-sm text-ink-soft">with {other.name}</p>
        </div>
      </header>
      {!interaction.cardDown && card}
      <MessageList id={id} stored={stored} outgoing={outgoing} hasOlder={messages.hasMore} />
      {/* Hidden once completed (§4); before that the reason is said instead. */}
      {maySend === true ? (
        <MessageInput id={id} />
      ) : (
        <p className="border-t border-line p-4 text-center text-ink-soft">{maySend}</p>
      )}
      {interaction.cardDown && card}
    </div>
  );
}
