import { Link } from '@tanstack/react-router';
import type { Person } from '@tara/contract/members/profiles';
import { notices } from '@tara/contract/notices';
import { useState } from 'react';
import { buttonClass } from '../../ui/Button.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { useSession } from '../accounts/index.ts';
import { type ConversationAddress, conversationLink } from './conversation-link.ts';

interface ExpiredConversation extends ConversationAddress {
  person: Pick<Person, 'id' | 'name'>;
}

interface ExpiredDialogProps {
  /** The conversation that expired, also while its notice closes. */
  conversation: ExpiredConversation | null;
  open: boolean;
  onClose: () => void;
}

/** What `ExpiredDialog` needs, and the function that shows it. */
export function useExpiredDialog(): [ExpiredDialogProps, (conversation: ExpiredConversation) => void] {
  const [state, setState] = useState<Omit<ExpiredDialogProps, 'onClose'>>({
    conversation: null,
    open: false,
  });
  return [
    { ...state, onClose: () => setState((shown) => ({ ...shown, open: false })) },
    (conversation) => setState({ conversation, open: true }),
  ];
}

/** The notice 'Expired Conversation' (§8): the way to the other's plans, and to what was written. */
export function ExpiredDialog({ conversation, open, onClose }: ExpiredDialogProps) {
  const { account } = useSession();
  const { title, text } = notices.expiredConversation;
  return (
    <ResponsiveDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={text}
      actions={
        conversation && (
          <>
            <Link
              {...conversationLink(conversation, account.id)}
              onClick={onClose}
              className={buttonClass({ variant: 'secondary' })}
            >
              Read the chat
            </Link>
            {conversation.person.id !== '' && (
              <Link
                to="/profile/plans/$id"
                params={{ id: conversation.person.id }}
                onClick={onClose}
                className={buttonClass()}
              >
                View Plans
              </Link>
            )}
          </>
        )
      }
    />
  );
}
