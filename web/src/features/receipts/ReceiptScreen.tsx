import { MessageCircle } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';

export function ReceiptScreen(_props: { conversationReceipt: string; interactionId?: string | undefined }) {
  return (
    <Page title="Plan chat" width="chat">
      <EmptyState icon={MessageCircle} title="No messages." text="The chat of one plan." />
    </Page>
  );
}
