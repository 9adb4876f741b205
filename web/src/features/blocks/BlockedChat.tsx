import { Link } from '@tanstack/react-router';
import { conversations } from '@tara/contract/conversations';
import { maxPagesPerCall } from '@tara/contract/limits';
import { Suspense, useState } from 'react';
import { call } from '../../lib/call.ts';
import { showErrorToast } from '../../lib/failure.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { useSession } from '../accounts/index.ts';
import { conversationLink } from '../conversations/index.ts';
import type { ReportTarget } from './ReportDialog.tsx';

const ReportDialog = lazyPart(() => import('./ReportDialog.tsx'));

interface BlockedChatProps {
  /** Of the blocked member. */
  name: string;
  /** Pair key of the chat with them. */
  mixId: string;
}

/** What remains of the chat with a blocked member: it can be read and reported, as evidence. */
export function BlockedChat({ name, mixId }: BlockedChatProps) {
  const { account, profile } = useSession();
  const [isLooking, setIsLooking] = useState(false);
  const [target, setTarget] = useState<ReportTarget | null>(null);

  /** The newest message of the member; the report copies those before it as well. */
  const findNewest = async (): Promise<ReportTarget | undefined> => {
    const { conversation, messages } = await call(conversations.conversation, {
      params: { mixId },
      query: { pages: maxPagesPerCall },
    });
    const [newest] = messages.items
      .filter(({ userId, admin, unsent }) => userId !== profile.id && !admin && !unsent)
      .toSorted((one, other) => other.sequence - one.sequence);
    return newest && { kind: 'message', recordId: newest.id, chatId: conversation.id };
  };
  const report = async () => {
    setIsLooking(true);
    try {
      const newest = await findNewest();
      if (newest) setTarget(newest);
      else toast({ title: `There are no messages of ${name} to report.` });
    } catch (error) {
      showErrorToast(error);
    }
    setIsLooking(false);
  };
  return (
    <div className="flex w-full flex-wrap gap-2">
      <Link
        {...conversationLink({ mixId }, account.id)}
        aria-label={`Read the chat with ${name}`}
        className={buttonClass({ variant: 'secondary', size: 'sm' })}
      >
        Read the chat
      </Link>
      <Button
        variant="ghost"
        size="sm"
        pending={isLooking}
        aria-label={`Report these messages of ${name}`}
        onClick={() => void report()}
      >
        Report these messages
      </Button>
      {target && (
        <Suspense>
          <ReportDialog what={`the messages of ${name}`} target={target} onClose={() => setTarget(null)} />
        </Suspense>
      )}
    </div>
  );
}
