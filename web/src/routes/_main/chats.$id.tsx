import { createFileRoute } from '@tanstack/react-router';
import { ConversationScreen, loadConversation } from '../../features/conversations/ConversationScreen.tsx';
import { ConversationSkeleton } from '../../features/conversations/skeletons.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/chats/$id')({
  // `id` is the conversation's id, `mixId` the pair key (§2).
  validateSearch: textParams('id', 'mixId'),
  loader: ({ location, context }) =>
    loadConversation(textParams('mixId')(location.search).mixId, context.session),
  component: ConversationScreen,
  pendingComponent: ConversationSkeleton,
});
