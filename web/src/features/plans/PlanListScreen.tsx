import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { skeletons } from '@tara/contract/limits';
import { empty } from '@tara/contract/notices';
import { plans } from '@tara/contract/plans';
import { CalendarHeart, CalendarPlus, Handshake, History } from 'lucide-react';
import { wordsOfFailure } from '../../lib/failure.ts';
import { itemsOf, pagesOf } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeletons } from '../../ui/Skeleton.tsx';
import { useSession } from '../accounts/index.ts';
import { PhoneNumberPrompt } from './PhoneNumberPrompt.tsx';
import { PlanCard, PlanCardSkeleton } from './PlanCard.tsx';

/** /profile/plans/{id}: a member's plans; its owner also gets what they do with them (§6). */
export function PlanListScreen({ id }: { id: string }) {
  const { profile } = useSession();
  const isOwner = profile.id === id;
  const list = useInfiniteQuery(pagesOf(plans.byCreator, { params: { id } }));
  const items = itemsOf(list.data);
  const creator = items[0]?.creator.name;
  const title = isOwner ? 'Your plans' : creator ? `Plans of ${creator}` : 'Plans';
  return (
    <Page title={title} width="grid" actions={isOwner && <OwnerLinks id={id} />}>
      {isOwner && profile.phoneNumber === '' && <PhoneNumberPrompt />}
      {list.isPending ? (
        <Skeletons count={skeletons.planList} label="Loading the plans" className="tiles">
          {PlanCardSkeleton}
        </Skeletons>
      ) : list.isError && items.length === 0 ? (
        <ErrorState
          {...wordsOfFailure(list.error)}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      ) : items.length === 0 ? (
        <EmptyState
          icon={CalendarHeart}
          title={empty.plans}
          text={
            isOwner
              ? 'A plan is a way to meet you: a walk, a coffee, a game. Friends ask for it here.'
              : 'Come back later: what this member offers to do together appears here.'
          }
          action={
            isOwner ? (
              <Link to="/profile/create-plans/$id" params={{ id }} className={buttonClass()}>
                Create your first plan
              </Link>
            ) : (
              <Link to="/all-users" className={buttonClass({ variant: 'secondary' })}>
                Find other friends
              </Link>
            )
          }
        />
      ) : (
        <InfiniteList
          hasMore={list.hasNextPage}
          pending={list.isFetchingNextPage}
          failed={list.isFetchNextPageError}
          loadMore={() => void list.fetchNextPage()}
        >
          <ul className="tiles">
            {items.map((plan, place) => (
              <PlanCard key={plan.id} plan={plan} eager={place < 4} />
            ))}
          </ul>
        </InfiniteList>
      )}
    </Page>
  );
}

/** 'Add Plan', 'Friend Request' and 'History' are the plan owner's (§6). */
function OwnerLinks({ id }: { id: string }) {
  const quiet = buttonClass({ variant: 'secondary' });
  return (
    <>
      <Link to="/profile/create-plans/$id" params={{ id }} className={buttonClass()}>
        <Icon of={CalendarPlus} />
        Add Plan
      </Link>
      <Link to="/profile/friend-request/$id" params={{ id }} className={quiet}>
        <Icon of={Handshake} />
        Friend Request
      </Link>
      <Link to="/profile/history/$id" params={{ id }} className={quiet}>
        <Icon of={History} />
        History
      </Link>
    </>
  );
}
