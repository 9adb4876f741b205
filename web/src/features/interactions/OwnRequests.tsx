import { useInfiniteQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import type { Interaction, InteractionList } from '@tara/contract/interactions';
import type { ReactNode } from 'react';
import { wordsOfFailure } from '../../lib/failure.ts';
import { itemsOf } from '../../lib/queries.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeletons } from '../../ui/Skeleton.tsx';
import { useSession } from '../accounts/index.ts';
import { listPages } from './keep-request.ts';
import { RequestCard, RequestCardSkeleton } from './RequestCard.tsx';
import { RequestList } from './RequestList.tsx';
import { useLiveRequests } from './use-live-requests.ts';

interface OwnRequestsProps {
  /** Whose list the address names. */
  id: string;
  list: InteractionList;
  title: string;
  skeletons: number;
  empty: ReactNode;
  actions: (request: Interaction) => ReactNode;
}

/** A screen of one list of requests: only its owner has it (§6), others see that member's plans. */
export function OwnRequests({ id, ...screen }: OwnRequestsProps) {
  const { profile } = useSession();
  if (profile.id !== id) return <Navigate to="/profile/plans/$id" params={{ id }} replace />;
  return <Requests {...screen} />;
}

function Requests({ list: name, title, skeletons, empty, actions }: Omit<OwnRequestsProps, 'id'>) {
  const list = useInfiniteQuery(listPages(name));
  useLiveRequests(() => void list.refetch());
  return (
    <Page title={title} width="feed">
      {list.data ? (
        <RequestList items={itemsOf(list.data)} list={list} heading="Requests" empty={empty}>
          {(request) => <RequestCard request={request}>{actions(request)}</RequestCard>}
        </RequestList>
      ) : list.isPending ? (
        <Skeletons count={skeletons} label="Loading the requests" className="flex flex-col gap-4">
          {RequestCardSkeleton}
        </Skeletons>
      ) : (
        <ErrorState
          {...wordsOfFailure(list.error)}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
    </Page>
  );
}
