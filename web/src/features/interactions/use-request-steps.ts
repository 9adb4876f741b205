import { useNavigate } from '@tanstack/react-router';
import { type Interaction, interactions } from '@tara/contract/interactions';
import { receipts } from '@tara/contract/receipts';
import { invalidate, useCall } from '../../lib/queries.ts';
import { confirm } from '../../ui/confirm.ts';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { keepRequest } from './keep-request.ts';

/** What either party may do with a request (§4); each keeps the lists true. */
export function useRequestSteps(request: Interaction) {
  const { account } = useSession();
  const navigate = useNavigate();
  const keep = (changed: Interaction) => keepRequest(changed, account.id);
  // Refused: the request is not as this screen shows it.
  const reload = () => invalidate(interactions.manager, interactions.interactionList);
  const body = { interactionId: request.id };

  const accept = useCall(interactions.acceptRequest, {
    onSuccess: (changed) => {
      keep(changed);
      toast({
        title: `You accepted ${changed.whoSentReq.name}`,
        text: 'You find it under Pending Friends.',
        tone: 'success',
      });
    },
    onError: reload,
  });
  const cancel = useCall(interactions.cancelRequest, {
    onSuccess: (changed) => {
      keep(changed);
      toast({ title: 'The request is cancelled', text: 'You find it in your history.' });
    },
    onError: reload,
  });
  const toChat = (conversationReceipt: string) =>
    navigate({
      to: '/manage-plans/conversation-receipt/$conversationReceipt',
      params: { conversationReceipt },
      search: { interactionId: request.id },
    });
  const openChat = useCall(receipts.createConversationReceipt, {
    invalidates: [interactions.manager],
    onSuccess: async ({ id }) => {
      await toChat(id);
    },
    // The other party may have opened it at the same moment.
    onError: reload,
  });
  return {
    accept: { run: () => accept.mutate({ body }), pending: accept.isPending },
    cancel: {
      run: async () => {
        const sure = await confirm({
          title: 'Cancel this request?',
          text: 'It can no longer be accepted or paid. A new request can be sent later.',
          confirmLabel: 'Cancel request',
          cancelLabel: 'Keep it',
          tone: 'danger',
        });
        if (sure) cancel.mutate({ body });
      },
      pending: cancel.isPending,
    },
    openChat: { run: () => openChat.mutate({ body }), pending: openChat.isPending },
  };
}
