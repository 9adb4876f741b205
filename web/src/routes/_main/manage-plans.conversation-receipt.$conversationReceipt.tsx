import { createFileRoute } from '@tanstack/react-router';
import { ReceiptScreen } from '../../features/receipts/ReceiptScreen.tsx';
import { textParams } from '../../lib/search.ts';

export const Route = createFileRoute('/_main/manage-plans/conversation-receipt/$conversationReceipt')({
  validateSearch: textParams('interactionId'),
  component: Page,
});

function Page() {
  const { conversationReceipt } = Route.useParams();
  const { interactionId } = Route.useSearch();
  return (
    <ReceiptScreen
      key={conversationReceipt}
      conversationReceipt={conversationReceipt}
      interactionId={interactionId}
    />
  );
}
