import { MessageCircle } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function ConversationScreen() {
  return (
    <Page title="Conversation" width="chat">
      <EmptyState icon={MessageCircle} title="No messages." text="Say hello." />
    </Page>
  );
}
