import type { Interaction } from '@tara/contract/interactions/interactions';
import { type AwaitingPlan, admin } from '@tara/contract/money/confirmations';
import { notices } from '@tara/contract/notices';
import { Check, ClipboardCheck, Hourglass } from 'lucide-react';
import { Suspense } from 'react';
import { isProblem } from '../../lib/call.ts';
import { pagesOf, useCall, useLoadedPages } from '../../lib/queries.ts';
import { useRefreshAt } from '../../lib/refresh.ts';
import { StoredPicture } from '../../lib/stored-picture.tsx';
import { Button } from '../../ui/Button.tsx';
import { Money, money, PersonName } from '../../ui/facts.tsx';
import { confirm, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';
import { Card } from '../../ui/Page.tsx';
import { exactTime } from '../../ui/TimeLabel.tsx';
import { AdminQueue, irreversible, PersonLine, UndecidableNote, useLeave } from './AdminQueue.tsx';
import { PlanHeading, RequestMoney, RequestRow, StepList } from './RequestParts.tsx';

const RefundRequest = lazyPart(async () => ({ default: (await import('./MoneyDialogs.tsx')).RefundRequest }));

const awaitingPages = pagesOf(admin.awaitingPlans);

/** /confirm-plans (§2): fulfilled requests whose payout an admin must confirm. */
export function ConfirmPlansScreen() {
  const list = useLoadedPages(awaitingPages);
  useRefreshAt(
    list.items.map(({ changesAt }) => changesAt),
    list.refetch,
  );
  return (
    <AdminQueue
      route="/confirm-plans"
      title="Confirm Plans"
      list={list}
      icon={ClipboardCheck}
      about="Fulfilled plans appear here until you confirm their payout."
      choose={{ title: 'Choose a plan', text: 'See who met, and what is paid out when you confirm.' }}
      row={(request) => <PlanToConfirmRow request={request} />}
      detail={(request) => <PlanToConfirm request={request} />}
    />
  );
}

/** The plan, its parties, its price, and since when it waits. */
function PlanToConfirmRow({ request }: { request: Interaction }) {
  const { cover, creator, whoSentReq, price, updatedAt } = request;
  return (
    <>
      <StoredPicture
        picture={cover}
        alt=""
        ratio="1 / 1"
        sizes="48px"
        className="w-12! shrink-0 rounded-control"
      />
      <RequestRow request={request} since={updatedAt}>
        <span className="flex flex-wrap gap-x-1 text-sm text-ink-soft">
          <PersonName person={creator} size={14} /> and <PersonName person={whoSentReq} size={14} />
        </span>
        <span className="block text-sm text-ink-soft">{price === 0 ? 'Free' : <Money pesos={price} />}</span>
      </RequestRow>
    </>
  );
}

/** One fulfilled request: once confirmed, the held money is owed to the creator and paid out (§4). */
function PlanToConfirm({ request }: { request: AwaitingPlan }) {
  const { id, creator, whoSentReq: client, price, cover, objectUntil, can } = request;
  const leave = useLeave('/confirm-plans', admin.awaitingPlans, id);
  const confirming = useCall(admin.confirmPlans, {
    quiet: true,
    onSuccess: () => {
      const { title, text } = notices.planConfirmed;
      toast({ title, ...(price > 0 ? { text } : {}), tone: 'success' });
      leave();
    },
    onError: (error) => {
      // The server's notice gives the reason, e.g. that another admin has already confirmed it.
      const notice = isProblem(error, 'plan_confirm_failed', 'admin_own_record')
        ? error.notice
        : notices.planConfirmFailed;
      toast({ ...notice, tone: 'danger' });
      leave();
    },
  });
  const askToConfirm = async () => {
    const isEarly =
      objectUntil !== null &&
      !(await confirm({
        title: 'Confirm before the client’s time is over?',
        text: `${client.name} may still object until ${exactTime(objectUntil)}. Once confirmed, they cannot any more.`,
        confirmLabel: 'Go on',
      }));
    if (isEarly) return;
    const isConfirmed = await confirm({
      title: 'Are you sure?',
      text:
        price > 0
          ? `${money(price)} is released to ${creator.name}, and the payout starts. ${irreversible}`
          : irreversible,
      confirmLabel: 'Confirm',
    });
    if (!isConfirmed) return;
    confirming.mutate({ body: { interactionId: id } });
  };
  return (
    <Card padding="none" className="overflow-hidden">
      <StoredPicture picture={cover} ratio="5 / 2" sizes="(min-width: 900px) 480px, 100vw" />
      <div className="flex flex-col gap-5 p-4 sm:p-5">
        <PlanHeading {...request} />
        <div className="grid gap-4 sm:grid-cols-2">
          <PersonLine person={creator} part="Creator" />
          <PersonLine person={client} part="Client" />
        </div>
        <RequestMoney request={request} />
        <StepList steps={request.steps} />
        {objectUntil !== null && (
          <p className="flex items-start gap-2 rounded-control bg-mango-soft p-3">
            <Icon of={Hourglass} className="mt-0.5 shrink-0 text-mango-ink" />
            The client may still object until {exactTime(objectUntil)}.
          </p>
        )}
        {can.confirm === true ? (
          <div className="flex flex-col gap-3 sm:flex-row-reverse">
            <Button
              icon={<Icon of={Check} />}
              pending={confirming.isPending}
              onClick={() => void askToConfirm()}
            >
              Confirm
            </Button>
            {can.refund === true && (
              <div className="min-h-11 sm:min-w-24">
                <Suspense>
                  <RefundRequest request={request} onOver={leave} />
                </Suspense>
              </div>
            )}
          </div>
        ) : (
          <UndecidableNote reason={can.confirm} />
        )}
      </div>
    </Card>
  );
}
