import { MessageCircle } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function ChatsScreen() {
  return (
    <Page title="Messages" width="chat">
      <EmptyState icon={MessageCircle} title="No Chats" text="Your conversations with friends stand here." />
    </Page>
  );
}
