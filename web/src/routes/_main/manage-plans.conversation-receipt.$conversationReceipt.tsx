import { createFileRoute } from '@tanstack/react-router';
import * as z from 'zod';
import { ReceiptScreen } from '../../features/receipts/ReceiptScreen.tsx';

export const Route = createFileRoute('/_main/manage-plans/conversation-receipt/$conversationReceipt')({
  validateSearch: z.object({ interactionId: z.string().optional() }),
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
