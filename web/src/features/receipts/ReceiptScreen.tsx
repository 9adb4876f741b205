import { useNavigate } from '@tanstack/react-router';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { Lock } from 'lucide-react';
import { useEffect } from 'react';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page } from '../../ui/Page.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { ReceiptChat } from './ReceiptChat.tsx';
import { ReceiptSkeleton } from './ReceiptSkeleton.tsx';
import { useReceipt } from './use-receipt.ts';

interface ReceiptScreenProps {
  conversationReceipt: string;
  /** The address carries it (§2); the chat knows its request by itself. */
  interactionId?: string | undefined;
}

/** How many first characters of each party's id stand in a receipt's id (§3). */
const PART = 5;

/** /manage-plans/conversation-receipt/{conversationReceipt}: the chat of one paid plan, for its two parties (§5). */
export function ReceiptScreen({ conversationReceipt }: ReceiptScreenProps) {
  const { profile } = useSession();
  return conversationReceipt.includes(profile.id.slice(0, PART)) ? (
    <OwnReceipt id={conversationReceipt} />
  ) : (
    <Forbidden />
  );
}

function OwnReceipt({ id }: { id: string }) {
  const { query, stored, outgoing } = useReceipt(id);
  if (isProblem(query.error, 'receipt_not_found')) return <Forbidden />;
  if (query.data) return <ReceiptChat id={id} opened={query.data} stored={stored} outgoing={outgoing} />;
  if (query.isPending) return <ReceiptSkeleton />;
  return (
    <Page title="Plan chat" width="chat">
      <ErrorState
        {...wordsOfFailure(query.error)}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    </Page>
  );
}

/** Somebody else's chat: said, then home (§9). The server refuses its calls as well. */
function Forbidden() {
  const navigate = useNavigate();
  useEffect(() => {
    toast({ ...notices.receiptForbidden, tone: 'danger' });
    const leaving = setTimeout(() => void navigate({ to: '/', replace: true }), timer.forbiddenRedirect);
    return () => clearTimeout(leaving);
  }, [navigate]);
  return (
    <Page title="Plan chat" width="chat">
      <EmptyState icon={Lock} title={notices.receiptForbidden.title} text="We take you home." />
    </Page>
  );
}
