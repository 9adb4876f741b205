import { Link } from '@tanstack/react-router';
import { type Interaction, partyOf } from '@tara/contract/interactions';
import { notices } from '@tara/contract/notices';
import { Star } from 'lucide-react';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSession } from '../accounts/index.ts';

/** The client's way to write or read their review, once an admin confirmed the plan (§4). */
export function ReviewButton({ request }: { request: Interaction }) {
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
