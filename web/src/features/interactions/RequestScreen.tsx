import type { Interaction, InteractionList } from '@tara/contract/interactions/interactions';
import type { ReactNode } from 'react';
import { Page } from '../../ui/Page.tsx';
import { useLiveRequests } from './interaction-cache.ts';
import { RequestCard } from './RequestCard.tsx';
import { RequestList, useRequestList } from './RequestList.tsx';

interface RequestScreenProps {
  list: InteractionList;
  title: string;
  empty: ReactNode;
  actions: (request: Interaction) => ReactNode;
}

/** A screen with one list of the viewer's requests. */
export function RequestScreen({ list: name, title, empty, actions }: RequestScreenProps) {
  const list = useRequestList(name);
  useLiveRequests(list.items, list.refetch);
  return (
    <Page title={title} width="feed">
      <RequestList list={list} heading="Requests" empty={empty}>
        {(request) => <RequestCard request={request}>{actions(request)}</RequestCard>}
      </RequestList>
    </Page>
  );
}
