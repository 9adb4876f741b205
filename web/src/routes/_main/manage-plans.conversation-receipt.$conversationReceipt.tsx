import { createFileRoute } from '@tanstack/react-router';
import { loadReceipt, ReceiptScreen } from '../../features/receipts/ReceiptScreen.tsx';
import { ReceiptSkeleton } from '../../features/receipts/skeletons.tsx';
import { textParams } from '../../lib/url.ts';

export const Route = createFileRoute('/_main/manage-plans/conversation-receipt/$conversationReceipt')({
  validateSearch: textParams('interactionId'),
  loader: ({ context, params }) => loadReceipt(params.conversationReceipt, context.session.profile.id),
  component: ReceiptScreen,
  pendingComponent: ReceiptSkeleton,
});
