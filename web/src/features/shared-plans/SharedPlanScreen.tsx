import { getRouteApi } from '@tanstack/react-router';
import { longDateTime, weekdayDateTime, weekdayDateTimes } from '@tara/contract/philippine-time';
import type { SharedPlan, sharedPlans } from '@tara/contract/plans/shared-plans';
import type { ReactNode } from 'react';
import { primitiveCall } from '../../lib/call.ts';
import { queryOf, useLoaded } from '../../lib/queries.ts';
import { Badge, VerifiedMark } from '../../ui/marks.tsx';
import { Card } from '../../ui/Page.tsx';
import { PublicPageLinks } from '../public-pages/index.ts';
import { SharedPlanFrame } from './skeletons.tsx';

/** When two meet, in Philippine time: `Saturday, 5 December 2026 at 3:00 – 5:00 PM`. */
const meetingText = (meetsAt: string, meetsUntil: string | null) =>
  meetsUntil === null ? weekdayDateTime(meetsAt) : weekdayDateTimes(meetsAt, meetsUntil);

const route = getRouteApi('/shared-plan');

/** How often an open page looks whether the plan changed. */
const REFRESH_MS = 60_000;

/** Without zod, which a guest who follows a link does not load. */
const openCall = primitiveCall<typeof sharedPlans.open>('GET', '/api/sharedPlan/open', [
  '/api/sharedPlan',
  'open',
]);

export const sharedPlanQuery = (token = '') => queryOf(openCall, { query: { token } });

/** `/shared-plan`: a plan as the trusted person of one of its parties sees it. */
export function SharedPlanScreen() {
  const { token } = route.useSearch();
  const plan = useLoaded({ ...sharedPlanQuery(token), refetchInterval: REFRESH_MS });
  return (
    <SharedPlanFrame title={`${plan.sharer} shares a plan with you`} footer={<PublicPageLinks />}>
      <Card className="mt-6 flex flex-col gap-4">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h2 className="min-w-0 text-xl font-semibold wrap-anywhere">{plan.planTitle}</h2>
          <State plan={plan} />
        </div>
        <dl className="flex flex-col gap-4">
          <Fact label="Who">
            {plan.sharer} meets{' '}
            <span className="inline-flex items-center gap-1">
              {plan.other}
              {plan.otherVerified && <VerifiedMark />}
            </span>
            <span className="block text-sm font-normal text-ink-soft">
              {plan.otherVerified
                ? `Tara compared the name of ${plan.other} with an ID.`
                : `Tara has not compared the name of ${plan.other} with an ID.`}
            </span>
          </Fact>
          <Fact label="When">
            {plan.meetsAt === null
              ? 'No day agreed yet.'
              : `${meetingText(plan.meetsAt, plan.meetsUntil)} (Philippine time)`}
          </Fact>
          <Fact label="Where">{plan.place || 'No place agreed yet.'}</Fact>
        </dl>
      </Card>
      <p className="mt-5 text-ink-soft">
        {plan.sharer} trusts you with this page: please do not pass it on. It follows changes of the plan, and
        ends on {longDateTime(plan.endsAt)} or when {plan.sharer} takes it back.
      </p>
      <p className="mt-3 text-ink-soft">
        Do you worry? Call {plan.sharer} first. In danger, call 911, the emergency number in the Philippines.
      </p>
    </SharedPlanFrame>
  );
}

const STATES = {
  agreed: { tone: 'lagoon', text: 'agreed' },
  fulfilled: { tone: 'leaf', text: 'they have met' },
  cancelled: { tone: 'ember', text: 'cancelled' },
} as const;

function State({ plan }: { plan: SharedPlan }) {
  const { text, tone } = STATES[plan.state];
  return <Badge tone={tone}>{text}</Badge>;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}
