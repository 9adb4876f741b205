import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type Interaction, interactions, partyOf } from '@tara/contract/interactions/interactions';
import { waitsFor } from '@tara/contract/interactions/waiting';
import { CircleCheck, History, Info } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { call, isAbort } from '../../lib/call.ts';
import { queryClient, queryOf, useOptional } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon, Spinner } from '../../ui/Icon.tsx';
import { CountBadge } from '../../ui/marks.tsx';
import { Page } from '../../ui/Page.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { useSession } from '../accounts/index.ts';
import { useCounts } from '../counts/index.ts';
import { HowPlansWork } from '../plans/index.ts';
import {
  loadManagerLists,
  refreshManagerLists,
  upsertInteraction,
  useLiveRequests,
} from './interaction-cache.ts';
import { RequestActions } from './RequestActions.tsx';
import { RequestCard } from './RequestCard.tsx';
import { NoFriendRequests, NoRequests, RequestList, useRequestList } from './RequestList.tsx';

const tabs = [
  { value: 'friendRequest', label: 'Friend Request' },
  { value: 'yourRequest', label: 'Your Request' },
  { value: 'pendingFriends', label: 'Pending Friends' },
] as const;
type TabName = (typeof tabs)[number]['value'];
const toTabName = (name: string | undefined): TabName =>
  tabs.find(({ value }) => value === name)?.value ?? 'pendingFriends';

const route = getRouteApi('/_main/manage-plans/');

const checkedRequestQuery = (id: string) => queryOf(interactions.interaction, { params: { id } });

/**
 * Loads Plan Manager's lists. `checkedId`, the request whose checkout the person returns from, is read meanwhile and not
 * waited for: it may be anybody's, and only gives the payment check its title.
 */
export function loadPlanManager(checkedId: string | undefined): Promise<void> {
  if (checkedId) void queryClient.prefetchQuery(checkedRequestQuery(checkedId));
  return loadManagerLists();
}

/** /manage-plans: the requests that are neither fulfilled nor cancelled (§2). */
export function PlanManagerScreen() {
  // `check` is the id of the request whose checkout the person returns from.
  const { tab: wanted, check: checkedId } = route.useSearch();
  const { account } = useSession();
  const lists = useManagerLists();
  const check = usePaymentCheck(checkedId);
  const counts = useTabCounts();
  const [opened] = useState(() => waitingTab(lists, account.id));
  const tab = wanted === undefined ? opened : toTabName(wanted);

  const shown = tab === 'pendingFriends' ? [lists.earn, lists.expense] : [lists[tab]];
  const leadId = mostUrgent(shown.flatMap(({ items }) => items));

  const requests = (list: RequestListData, empty: ReactNode) => (
    <RequestList list={list} empty={empty} {...(tab === 'pendingFriends' ? {} : { heading: 'Requests' })}>
      {(request) => (
        <RequestCard request={request} isReturn={checkedId === request.id}>
          <RequestActions
            request={request}
            tab={tab}
            checking={check.checking && checkedId === request.id}
            isLead={request.id === leadId}
          />
        </RequestCard>
      )}
    </RequestList>
  );
  const contents: Record<TabName, () => ReactNode> = {
    friendRequest: () => requests(lists.friendRequest, <NoFriendRequests />),
    yourRequest: () =>
      requests(
        lists.yourRequest,
        <NoRequests next="people" text="Plans that you request appear here until they are accepted." />,
      ),
    pendingFriends: () => (
      <div className="flex flex-col gap-8">
        <Schedule title="Schedule You accept (Earn)">
          {requests(
            lists.earn,
            <NoRequests
              compact
              next="plans"
              text="Requests that you accepted, until the plan is fulfilled."
            />,
          )}
        </Schedule>
        <Schedule title="Schedule Others accept (expense)">
          {requests(
            lists.expense,
            <NoRequests compact next="people" text="Plans that others accepted to do with you." />,
          )}
        </Schedule>
      </div>
    ),
  };
  return (
    <Page title="Plan Manager" width="feed" actions={<HistoryLink />}>
      {checkedId && <PaymentCheck check={check} tab={tab} />}
      {Object.values(lists).every(({ items }) => items.length === 0) && <HowPlansWork className="mb-6" />}
      <RequestTabs tab={tab} content={contents[tab]()} counts={counts} />
    </Page>
  );
}

/** To the requests that are over, or that an admin decides; with what waits for the viewer there. */
function HistoryLink() {
  const { profile } = useSession();
  return (
    <Link
      to="/profile/history/$id"
      params={{ id: profile.id }}
      className={`relative ${buttonClass({ variant: 'secondary' })}`}
    >
      <Icon of={History} />
      History
      <CountBadge
        count={useCounts()?.planLists.history ?? 0}
        label="waiting"
        className="absolute -top-2 -right-2"
      />
    </Link>
  );
}

/** How much waits for the viewer in each tab. */
function useTabCounts(): Record<TabName, number> {
  const { friendRequest = 0, yourRequest = 0, earn = 0, expense = 0 } = useCounts()?.planLists ?? {};
  return { friendRequest, yourRequest, pendingFriends: earn + expense };
}

/** The tab with a request that waits for the viewer; 'Pending Friends' (§2) when none does. */
function waitingTab(lists: ReturnType<typeof useManagerLists>, accountId: string): TabName {
  const waits = ({ items }: RequestListData) =>
    items.some((request) => waitsFor(request, partyOf(request, accountId)));
  if (waits(lists.friendRequest)) return 'friendRequest';
  if (waits(lists.earn) || waits(lists.expense)) return 'pendingFriends';
  return waits(lists.yourRequest) ? 'yourRequest' : 'pendingFriends';
}

/** The id of the request whose main button is red, which a screen has once: what must be paid first, else who met first. */
function mostUrgent(requests: readonly Interaction[]): string | undefined {
  const first = (isWaiting: (request: Interaction) => boolean, field: 'payUntil' | 'meetsAt') =>
    requests
      .filter(isWaiting)
      .toSorted((a, b) => (a[field] ?? '9').localeCompare(b[field] ?? '9'))
      .at(0)?.id;
  return (
    first(({ can }) => can.pay === true, 'payUntil') ??
    first(({ can, dayReached }) => can.sayMet === true || (can.fulfil === true && dayReached), 'meetsAt')
  );
}

function RequestTabs({
  tab,
  content,
  counts,
}: {
  tab: TabName;
  content: ReactNode;
  counts?: Record<TabName, number>;
}) {
  const navigate = useNavigate();
  return (
    <Tabs
      label="Requests"
      value={tab}
      onChange={(value) =>
        void navigate({ to: '/manage-plans', search: { tab: value }, replace: true, resetScroll: false })
      }
      tabs={tabs.map(({ value, label }) => ({
        value,
        label,
        ...(counts ? { count: counts[value] } : {}),
        content: value === tab && content,
      }))}
    />
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

/** Shows whether the payment was received, after the return from the checkout. */
function PaymentCheck({
  check: { request, paid, checking, checkAgain },
  tab,
}: {
  check: ReturnType<typeof usePaymentCheck>;
  tab: string;
}) {
  const navigate = useNavigate();
  const title = request?.planTitle;
  useEffect(() => {
    if (!paid) return;
    toast({ title: 'Payment received', text: `${title} is paid.`, tone: 'success' });
    // Remove the param, so that a reload does not show the toast again.
    void navigate({ to: '/manage-plans', search: { tab }, replace: true, resetScroll: false });
  }, [paid, title, tab, navigate]);
  const dismiss = () =>
    void navigate({ to: '/manage-plans', search: { tab }, replace: true, resetScroll: false });
  return (
    <div
      role="status"
      className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-lagoon-soft p-4"
    >
      {checking ? <Spinner /> : <Icon of={paid ? CircleCheck : Info} className="text-lagoon" />}
      <p className="min-w-0 flex-1 basis-48">
        {paid
          ? 'Your payment was received.'
          : checking
            ? `We are checking your payment${title ? ` for ${title}` : ''}…`
            : 'No payment received yet. If you paid, it appears here automatically.'}
      </p>
      {!checking && !paid && (
        <>
          <Button size="sm" variant="secondary" onClick={checkAgain}>
            Check again
          </Button>
          <Button size="sm" variant="ghost" onClick={dismiss}>
            Dismiss
          </Button>
        </>
      )}
    </div>
  );
}

/** Time between two checks of the payment, and how many run before the person has to press 'Check again'. */
const CHECK_INTERVAL_MS = 3_000;
const MAX_CHECKS = 10;

/** Checks the payment after the return from the checkout, until it is received or the maximum of checks is reached. */
function usePaymentCheck(id: string | undefined) {
  const { account } = useSession();
  const [checks, setChecks] = useState(0);
  const [failed, setFailed] = useState(false);
  // Updated by this check or by a realtime event after the provider's webhook, whichever comes first.
  const request = useOptional({
    ...checkedRequestQuery(id ?? ''),
    enabled: id !== undefined,
  });
  const paid = request?.paid === true;
  const checking = id !== undefined && !paid && !request?.cancelled && !failed && checks < MAX_CHECKS;
  useEffect(() => {
    if (!checking) return;
    const controller = new AbortController();
    const check = async () => {
      try {
        const body = { interactionId: id };
        upsertInteraction(
          await call(interactions.checkPayment, { body, signal: controller.signal }),
          account.id,
        );
        setChecks(checks + 1);
      } catch (error) {
        if (!isAbort(error)) setFailed(true);
      }
    };
    const timer = setTimeout(() => void check(), checks === 0 ? 0 : CHECK_INTERVAL_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [checking, checks, id, account.id]);
  const checkAgain = () => {
    setFailed(false);
    setChecks(0);
  };
  return { request, paid, checking, checkAgain };
}

type RequestListData = ReturnType<typeof useRequestList>;

/** The lists of Plan Manager (§2), live. */
function useManagerLists() {
  const lists = {
    friendRequest: useRequestList('friendRequest'),
    yourRequest: useRequestList('yourRequest'),
    earn: useRequestList('earn'),
    expense: useRequestList('expense'),
  };
  useLiveRequests(
    Object.values(lists).flatMap(({ items }) => items),
    refreshManagerLists,
  );
  return lists;
}
