import { createFileRoute } from '@tanstack/react-router';
import { ConversationsScreen, loadConversations } from '../../features/conversations/ConversationsScreen.tsx';
import { ConversationsSkeleton } from '../../features/conversations/skeletons.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/chats/')({
  // Which list is shown: 'requests', else the chats.
  validateSearch: textParams('show'),
  loader: ({ location }) => loadConversations(textParams('show')(location.search).show),
  component: ConversationsScreen,
  pendingComponent: ConversationsSkeleton,
});
