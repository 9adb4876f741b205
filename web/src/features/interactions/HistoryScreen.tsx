import { skeletons } from '@tara/contract/limits';
import { ChatLink } from './ChatLink.tsx';
import { NoRequests } from './NoRequests.tsx';
import { OwnRequests } from './OwnRequests.tsx';
import { ReviewButton } from './ReviewButton.tsx';

/** /profile/history/{id}: what was fulfilled or cancelled, with its money and its review (§2, §4). */
export function HistoryScreen({ id }: { id: string }) {
  return (
    <OwnRequests
      id={id}
      list="history"
      title="History"
      skeletons={skeletons.history}
      empty={
        <NoRequests next="people" text="Plans that took place stay here, with their payment and review." />
      }
      actions={(request) => (
        <>
          <ReviewButton request={request} />
          {request.conversationReceipt && (
            <ChatLink request={request} conversationReceipt={request.conversationReceipt} />
          )}
        </>
      )}
    />
  );
}
