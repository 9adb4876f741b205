import { Link, linkOptions, useNavigate } from '@tanstack/react-router';
import { type Conversation, conversations } from '@tara/contract/conversations';
import { notices } from '@tara/contract/notices';
import type { Person } from '@tara/contract/profiles';
import { MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../lib/call.ts';
import { errorNotice, isProblem, showErrorToast } from '../../lib/failure.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { useSession } from '../accounts/index.ts';
import { refreshLists } from './conversation-cache.ts';

/** Whether nobody can write any more; a paid request between the two keeps a conversation open (§4). */
const hasExpired = ({ removeExpired, chat }: Conversation) => !removeExpired && chat.readOnly === 'expired';

/** Opens conversations; of one that expired it shows the notice, by an `ExpiredDialog` with `expired`. */
export function useOpenConversation() {
  const { account, profile } = useSession();
  const navigate = useNavigate();
  const [openingId, setOpeningId] = useState<string | null>(null);
  const [expired, showExpired] = useExpiredDialog();

  const create = async (person: Person) => {
    const body = { creator1: profile.id, creator2: person.id };
    const created = await call(conversations.createConversation, { body });
    refreshLists();
    return created;
  };
  const find = async (person: Person) => {
    try {
      const mixId = account.id + person.accountId;
      const args = { params: { mixId }, query: { pages: 1 } };
      return (await call(conversations.conversation, args)).conversation;
    } catch (error) {
      if (isProblem(error, 'conversation_not_found')) return null;
      throw error;
    }
  };
  const showFailure = (error: unknown, person: Person) => {
    if (!isProblem(error, 'conversation_not_wanted')) return showErrorToast(error);
    const onPress = () => void navigate({ to: '/profile/plans/$id', params: { id: person.id } });
    toast({ ...errorNotice(error), tone: 'danger', action: { label: 'View Plans', onPress } });
  };

  return {
    /** Profile id of the member whose conversation is being opened. */
    openingId,
    expired,
    /**
     * Opens the conversation with a member, which is created when there is none (§4).
     * @returns false when that failed, which was shown.
     */
    async open(person: Person): Promise<boolean> {
      if (openingId !== null) return false;
      setOpeningId(person.id);
      try {
        const conversation = (await find(person)) ?? (await create(person));
        if (hasExpired(conversation)) showExpired(conversation);
        else await navigate(conversationLink(conversation, account.id));
        return true;
      } catch (error) {
        showFailure(error, person);
        return false;
      } finally {
        setOpeningId(null);
      }
    },
  };
}

/** 'Message' on the profile of another member (§4). */
export function MessageButton({ person }: { person: Person }) {
  const { open, openingId, expired } = useOpenConversation();
  return (
    <>
      <Button
        variant="secondary"
        icon={<Icon of={MessageCircle} />}
        pending={openingId !== null}
        onClick={() => void open(person)}
      >
        Message
      </Button>
      <ExpiredDialog {...expired} />
    </>
  );
}

export interface ExpiredConversation extends ConversationAddress {
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

/** A conversation by what its address has: the ids of the two accounts joined, and its own where it is known. */
export interface ConversationAddress {
  id?: string;
  mixId: string;
}

/** The account id of the other member: what is left of the pair key without the viewer's. */
const otherAccountId = (mixId: string, ownAccountId: string) =>
  mixId.startsWith(ownAccountId) ? mixId.slice(ownAccountId.length) : mixId.slice(0, -ownAccountId.length);

/** `/chats/{accountId}?id={conversation id}&mixId={pair key}` (§2). */
export const conversationLink = ({ id, mixId }: ConversationAddress, ownAccountId: string) =>
  linkOptions({
    to: '/chats/$id',
    params: { id: otherAccountId(mixId, ownAccountId) },
    search: { ...(id === undefined ? {} : { id }), mixId },
  });
