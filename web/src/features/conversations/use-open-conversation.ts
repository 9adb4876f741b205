import { useNavigate } from '@tanstack/react-router';
import type { Person } from '@tara/contract/members/profiles';
import { type Conversation, conversations } from '@tara/contract/messages/conversations';
import { useState } from 'react';
import { call, errorNotice, isProblem, showErrorToast } from '../../lib/call.ts';
import { toast } from '../../ui/feedback.ts';
import { useSession } from '../accounts/index.ts';
import { conversationLink } from './conversation-link.ts';
import { refreshLists } from './conversation-lists.ts';
import { useExpiredDialog } from './ExpiredDialog.tsx';

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
