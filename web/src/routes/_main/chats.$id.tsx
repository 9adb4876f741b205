import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod';
import { ChatScreen } from '../../features/chats/ChatScreen.tsx';

export const Route = createFileRoute('/_main/chats/$id')({
  // `query` is the conversation's id, `mixId` the pair key (§2).
  validateSearch: z.object({ query: z.string().optional(), mixId: z.string().optional() }),
  component: Page,
});

function Page() {
  const { id } = Route.useParams();
  const { query, mixId } = Route.useSearch();
  return <ChatScreen key={id} id={id} query={query} mixId={mixId} />;
}
