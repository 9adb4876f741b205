import { useInfiniteQuery } from '@tanstack/react-query';
import { admin } from '@tara/contract/interactions';
import { ClipboardCheck } from 'lucide-react';
import { pagesOf } from '../../lib/queries.ts';
import { Page } from '../../ui/Page.tsx';
import { AdminQueue } from './AdminQueue.tsx';
import { PlanToConfirm } from './PlanToConfirm.tsx';
import { PlanToConfirmRow } from './PlanToConfirmRow.tsx';

/** /confirm-plans (§2): fulfilled requests whose money waits for an admin's word. */
export function ConfirmPlansScreen({ open }: { open?: string | undefined }) {
  const list = useInfiniteQuery(pagesOf(admin.awaitingPlans));
  return (
    <Page title="Confirm Plans" width="grid">
      <AdminQueue
        route="/confirm-plans"
        list={list}
        open={open}
        icon={ClipboardCheck}
        about="Fulfilled plans wait here for their payout."
        choose={{ title: 'Choose a plan', text: 'See who met, and what is paid out when you confirm.' }}
        row={(request) => <PlanToConfirmRow request={request} />}
        detail={(request) => <PlanToConfirm request={request} />}
      />
    </Page>
  );
}
