import { Link } from '@tanstack/react-router';
import type { Interaction } from '@tara/contract/interactions';
import { MessageCircle } from 'lucide-react';
import { buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

/** The way to the chat of a request. */
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
