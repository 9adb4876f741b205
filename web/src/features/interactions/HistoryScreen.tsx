import { Link } from '@tanstack/react-router';
import { type Interaction, partyOf } from '@tara/contract/interactions/interactions';
import { notices } from '@tara/contract/notices';
import { CalendarHeart, Star } from 'lucide-react';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSession } from '../accounts/index.ts';
import { ChatLink } from './RequestActions.tsx';
import { quietActionsClass, RequestLinks } from './RequestCard.tsx';
import { NoRequests } from './RequestList.tsx';
import { RequestScreen } from './RequestScreen.tsx';

/** /profile/history/{id}: fulfilled and cancelled requests, with payment and review (§2, §4). */
export function HistoryScreen() {
  const { account } = useSession();
  return (
    <RequestScreen
      list="history"
      title="History"
      empty={<NoRequests next="people" text="Past plans stay here, with their payment and review." />}
      actions={(request) => (
        <>
          <ReviewButton request={request} />
          <PlanAgainLink request={request} />
          {request.conversationReceipt && (
            <ChatLink request={request} conversationReceipt={request.conversationReceipt} />
          )}
          <div className={quietActionsClass}>
            <RequestLinks request={request} side={partyOf(request, account.id)} />
          </div>
        </>
      )}
    />
  );
}

/** Links to the client's review, or to writing it once an admin has confirmed the plan (§4). */
function ReviewButton({ request }: { request: Interaction }) {
  const { account } = useSession();
  if (partyOf(request, account.id) !== 'client' || request.cancelled) return null;
  if (!request.adminSetDone) {
    const { title, text } = notices.reviewNotYet;
    return (
      <Button variant="secondary" icon={<Icon of={Star} />} disabledReason={text}>
        {title}
      </Button>
    );
  }
  if (request.reviewSubmitted && request.reviewId) {
    return (
      <Link
        to="/review-details/$id"
        params={{ id: request.reviewId }}
        className={buttonClass({ variant: 'secondary' })}
      >
        <Icon of={Star} />
        View review
      </Link>
    );
  }
  return (
    <Link to="/write-a-review/$id" params={{ id: request.id }} className={buttonClass()}>
      <Icon of={Star} />
      Write a review
    </Link>
  );
}

/** Back to the plan of a request that ended, for its client, unless one of the two blocked the other. */
function PlanAgainLink({ request }: { request: Interaction }) {
  const { account } = useSession();
  const isClient = partyOf(request, account.id) === 'client';
  if (!isClient || !request.cancelled || request.creator.id === '') return null;
  return (
    <Link
      to="/profile/plan-details/$id"
      params={{ id: request.planId }}
      className={buttonClass({ variant: 'secondary' })}
    >
      <Icon of={CalendarHeart} />
      See the plan again
    </Link>
  );
}
