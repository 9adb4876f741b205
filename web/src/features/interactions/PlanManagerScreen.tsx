import { useNavigate } from '@tanstack/react-router';
import { skeletons } from '@tara/contract/limits';
import type { ReactNode } from 'react';
import { wordsOfFailure } from '../../lib/failure.ts';
import { itemsOf } from '../../lib/queries.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeletons } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { NoRequests } from './NoRequests.tsx';
import { PaymentCheck } from './PaymentCheck.tsx';
import { RequestActions } from './RequestActions.tsx';
import { RequestCard, RequestCardSkeleton } from './RequestCard.tsx';
import { RequestList } from './RequestList.tsx';
import { type ManagedList, useManager } from './use-manager.ts';
import { usePaymentCheck } from './use-payment-check.ts';

const tabs = [
  { value: 'friendRequest', label: 'Friend Request' },
  { value: 'yourRequest', label: 'Your Request' },
  { value: 'pendingFriends', label: 'Pending Friends' },
] as const;
type TabName = (typeof tabs)[number]['value'];

interface PlanManagerProps {
  tab?: string;
  /** The request somebody paid and comes back for. */
  check?: string;
}

/** /manage-plans: the requests that are neither fulfilled nor cancelled (§2). */
export function PlanManagerScreen({ tab: asked, check: checked }: PlanManagerProps) {
  const navigate = useNavigate();
  const { first, lists } = useManager();
  const check = usePaymentCheck(checked);
  const tab = tabs.find(({ value }) => value === asked)?.value ?? 'pendingFriends';

  const requests = (list: ManagedList, empty: ReactNode) => (
    <RequestList
      items={itemsOf(list.data)}
      list={list}
      empty={empty}
      {...(tab === 'pendingFriends' ? {} : { heading: 'Requests' })}
    >
      {(request) => (
        <RequestCard request={request}>
          <RequestActions request={request} tab={tab} checking={check.checking && checked === request.id} />
        </RequestCard>
      )}
    </RequestList>
  );
  const contents: Record<TabName, () => ReactNode> = {
    friendRequest: () =>
      requests(
        lists.friendRequest,
        <NoRequests next="plans" text="When somebody asks for one of your plans, you accept it here." />,
      ),
    yourRequest: () =>
      requests(
        lists.yourRequest,
        <NoRequests next="people" text="The plans that you ask for wait here until they are accepted." />,
      ),
    pendingFriends: () => (
      <div className="flex flex-col gap-8">
        <Schedule title="Schedule You accept (Earn)">
          {requests(
            lists.earn,
            <NoRequests next="plans" text="Requests that you accepted, until the plan is fulfilled." />,
          )}
        </Schedule>
        <Schedule title="Schedule Others accept (expense)">
          {requests(
            lists.expense,
            <NoRequests next="people" text="Plans that others accepted to do with you." />,
          )}
        </Schedule>
      </div>
    ),
  };
  const loaded = lists.earn.data !== undefined;
  const content = (value: TabName) => {
    if (loaded) return contents[value]();
    if (!first.isError)
      return (
        <Skeletons count={skeletons.planManager} label="Loading the requests" className="flex flex-col gap-4">
          {RequestCardSkeleton}
        </Skeletons>
      );
    return (
      <ErrorState
        {...wordsOfFailure(first.error)}
        onRetry={() => void first.refetch()}
        retrying={first.isFetching}
      />
    );
  };
  return (
    <Page title="Plan Manager" width="feed">
      {checked && <PaymentCheck check={check} tab={tab} />}
      <Tabs
        label="Requests"
        value={tab}
        onChange={(value) =>
          void navigate({ to: '/manage-plans', search: { tab: value }, replace: true, resetScroll: false })
        }
        tabs={tabs.map(({ value, label }) => ({ value, label, content: value === tab && content(value) }))}
      />
    </Page>
  );
}

function Schedule({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-3 text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}
