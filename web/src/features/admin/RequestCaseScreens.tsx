import { getRouteApi } from '@tanstack/react-router';
import { disputeReasons, type RequestCase, requestCases } from '@tara/contract/disputes';
import { partyOf } from '@tara/contract/interactions';
import { interactionCan } from '@tara/contract/verdicts';
import { CircleHelp, Hash, LifeBuoy, Tag } from 'lucide-react';
import { pagesOf, useCall, useLoadedPages } from '../../lib/queries.ts';
import { Money, money, StateLine, StateList } from '../../ui/facts.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { Stories } from '../disputes/index.ts';
import { MoneyLine } from '../interactions/index.ts';
import { AdminQueue, AdminQueueSkeleton, StepList, UndecidableNote } from './AdminQueue.tsx';
import { AuditedPlanChat } from './AuditedPlanChat.tsx';
import { CaseDecision } from './CaseDecision.tsx';
import { AcceptedTerms, RequestHead, RequestRow } from './RequestParts.tsx';

const disputesRoute = getRouteApi('/_main/_admin/disputes');
const noAnswerRoute = getRouteApi('/_main/_admin/no-answer');

export const disputePages = pagesOf(requestCases.disputes);
export const noAnswerPages = pagesOf(requestCases.noAnswer);

export const DisputesSkeleton = () => <AdminQueueSkeleton title="Disputes" />;
export const NoAnswerSkeleton = () => <AdminQueueSkeleton title="No answer" />;

/** `/disputes`: requests whose client says that there was a problem. */
export function DisputesScreen() {
  const { open } = disputesRoute.useSearch();
  return (
    <Page title="Disputes" width="grid">
      <AdminQueue
        route="/disputes"
        list={useLoadedPages(disputePages)}
        open={open}
        icon={LifeBuoy}
        about="Paid requests whose client says that there was a problem appear here."
        choose={{ title: 'Choose a dispute', text: 'See what both sides say, and decide about the money.' }}
        row={(item) => <CaseRow item={item} />}
        detail={(item) => <CaseDetail item={item} list="disputes" />}
      />
    </Page>
  );
}

/** `/no-answer`: paid requests whose client did not say within a week whether they met. */
export function NoAnswerScreen() {
  const { open } = noAnswerRoute.useSearch();
  return (
    <Page title="No answer" width="grid">
      <AdminQueue
        route="/no-answer"
        list={useLoadedPages(noAnswerPages)}
        open={open}
        icon={CircleHelp}
        about="Paid requests appear here when their client has not said for a week whether they met."
        choose={{ title: 'Choose a request', text: 'See what happened when, and decide about the money.' }}
        row={(item) => <CaseRow item={item} />}
        detail={(item) => <CaseDetail item={item} list="noAnswer" />}
      />
    </Page>
  );
}

function CaseRow({ item: { request, dispute, steps } }: { item: RequestCase }) {
  const since = dispute?.client.createdAt ?? request.dayStartsAt ?? steps[0]?.at ?? request.createdAt;
  return (
    <RequestRow request={request} since={since}>
      <span className="block truncate text-sm text-ink-soft">
        {request.whoSentReq.name} with {request.creator.name}
      </span>
      <span className="block truncate text-sm text-ink-soft">
        <Money pesos={request.price} /> ·{' '}
        {dispute ? disputeReasons[dispute.reason] : answerLabel(request.creatorMet)}
      </span>
    </RequestRow>
  );
}

const answerLabel = (creatorMet: boolean) =>
  creatorMet ? 'The creator said that they met' : 'Neither said anything';

/** One request with what happened when, what both say, the plan chat, and the decision. */
function CaseDetail({ item, list }: { item: RequestCase; list: 'disputes' | 'noAnswer' }) {
  const { request, dispute, steps, terms } = item;
  const { account } = useSession();
  const step = list === 'disputes' ? 'decideDispute' : 'decideNoAnswer';
  const party = partyOf(request, account.id);
  const verdict = interactionCan[step](request, party);
  return (
    <Card className="flex flex-col gap-5">
      <RequestHead request={request} />
      <StateList className="border-y border-line">
        <StateLine icon={Tag} label="Price" value={money(request.price)} />
        <MoneyLine request={request} side="other" />
        {request.referenceNumber && (
          <StateLine icon={Hash} label="Payment reference" value={request.referenceNumber} />
        )}
      </StateList>
      {dispute ? (
        <Stories
          dispute={dispute}
          headingLevel={3}
          client={request.whoSentReq.name}
          creator={request.creator.name}
        />
      ) : (
        <p className="rounded-control bg-sunken p-3">
          {request.creatorMet
            ? `${request.creator.name} said that they met. ${request.whoSentReq.name} said nothing.`
            : 'Neither of the two said whether they met.'}
        </p>
      )}
      <StepList steps={steps} />
      <AcceptedTerms terms={terms} />
      {party === 'other' && request.conversationReceipt && <CaseChat interactionId={request.id} />}
      {verdict === true ? (
        <CaseDecision request={request} list={list} />
      ) : (
        <UndecidableNote reason={verdict} />
      )}
    </Card>
  );
}

function CaseChat({ interactionId }: { interactionId: string }) {
  const { mutate, isPending } = useCall(requestCases.planChat, {});
  return (
    <AuditedPlanChat
      isPending={isPending}
      read={(before, onSuccess) =>
        mutate({ body: { interactionId, ...(before === undefined ? {} : { before }) } }, { onSuccess })
      }
    />
  );
}
