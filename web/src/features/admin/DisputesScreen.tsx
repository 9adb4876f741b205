import { requestCases } from '@tara/contract/money/disputes';
import { LifeBuoy } from 'lucide-react';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { AdminQueue } from './AdminQueue.tsx';
import { CaseDetail, CaseRow } from './RequestCase.tsx';

const disputePages = pagesOf(requestCases.disputes);

/** `/disputes`: requests whose client says that there was a problem. */
export function DisputesScreen() {
  return (
    <AdminQueue
      route="/disputes"
      title="Disputes"
      list={useLoadedPages(disputePages)}
      icon={LifeBuoy}
      about="Paid requests whose client says that there was a problem appear here."
      choose={{ title: 'Choose a dispute', text: 'See what both sides say, and decide about the money.' }}
      row={(item) => <CaseRow item={item} />}
      detail={(item) => <CaseDetail item={item} list="disputes" />}
    />
  );
}
