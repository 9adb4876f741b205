import { useInfiniteQuery } from '@tanstack/react-query';
import { verification } from '@tara/contract/verification';
import { BadgeCheck } from 'lucide-react';
import { pagesOf } from '../../lib/queries.ts';
import { Page } from '../../ui/Page.tsx';
import { AdminQueue } from '../admin/index.ts';
import { RequestDetail } from './RequestDetail.tsx';
import { RequestRow } from './RequestRow.tsx';

/** /verify-users (§2): the requests that wait for an admin. */
export function VerifyUsersScreen({ open }: { open?: string | undefined }) {
  const list = useInfiniteQuery(pagesOf(verification.pending));
  return (
    <Page title="Verify Users" width="grid">
      <AdminQueue
        route="/verify-users"
        list={list}
        open={open}
        icon={BadgeCheck}
        about="Requests to be verified wait here."
        choose={{ title: 'Choose a request', text: 'See its pictures. Each look at them is recorded.' }}
        row={(request) => <RequestRow request={request} />}
        detail={(request) => <RequestDetail request={request} />}
      />
    </Page>
  );
}
