import { createFileRoute } from '@tanstack/react-router';
import { ChatScreen } from '../../features/chats/ChatsScreen.tsx';
import { textParams } from '../../lib/search.ts';

export const Route = createFileRoute('/_main/chats/$id')({
  // `query` is the conversation's id, `mixId` the pair key (§2).
  validateSearch: textParams('query', 'mixId'),
  component: ChatScreen,
});
