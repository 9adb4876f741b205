import { requestCases } from '@tara/contract/money/disputes';
import { CircleHelp } from 'lucide-react';
import { pagesOf, useLoadedPages } from '../../lib/queries.ts';
import { AdminQueue } from './AdminQueue.tsx';
import { CaseDetail, CaseRow } from './RequestCase.tsx';

const noAnswerPages = pagesOf(requestCases.noAnswer);

/** `/no-answer`: paid requests whose client did not say within a week whether they met. */
export function NoAnswerScreen() {
  return (
    <AdminQueue
      route="/no-answer"
      title="No answer"
      list={useLoadedPages(noAnswerPages)}
      icon={CircleHelp}
      about="Paid requests appear here when their client has not said for a week whether they met."
      choose={{ title: 'Choose a request', text: 'See what happened when, and decide about the money.' }}
      row={(item) => <CaseRow item={item} />}
      detail={(item) => <CaseDetail item={item} list="noAnswer" />}
    />
  );
}
