import { Link, Navigate } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts';
import { notices } from '@tara/contract/notices';
import { planCan, plans } from '@tara/contract/plans';
import { call } from '../../lib/call.ts';
import { errorNotice, isProblem } from '../../lib/failure.ts';
import { useForm } from '../../lib/form.tsx';
import { SubmitButton } from '../../lib/form-fields.tsx';
import { invalidate } from '../../lib/queries.ts';
import { linkClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { GenericTerms } from './GenericTerms.tsx';
import { BirthDateLink, NoticeBox } from './NoticeBox.tsx';
import { newPlan, PlanFields, PlanForm, planBody } from './PlanForm.tsx';

/** /profile/create-plans/{id} (§4, §5). */
export function CreatePlanScreen({ id }: { id: string }) {
  const { profile } = useSession();
  // Members can create plans only for themselves.
  return profile.id === id ? (
    <CreatePlan id={id} />
  ) : (
    <Navigate to="/profile/create-plans/$id" params={{ id: profile.id }} replace />
  );
}

/** Why a member cannot publish a plan: the label of the disabled button (§5) and the notice above the form. */
const refusals = {
  plan_creator_unverified: { button: 'Not Verified!', notice: notices.unverifiedAction },
  plan_birth_date_missing: { button: 'Birth date missing!', notice: notices.birthDateMissing },
  plan_under_age: { button: 'Not 18 yet!', notice: notices.underAge },
  plan_limit_reached: { button: 'Limited reach!', notice: notices.planLimit },
} as const;

function CreatePlan({ id }: { id: string }) {
  const { profile } = useSession();
  const verdict = planCan.create(profile);
  const refusal = verdict === true ? null : refusals[verdict];
  const form = useForm({
    schema: PlanFields,
    defaultValues: newPlan,
    draft: { key: 'new-plan' },
    send: (plan) => call(plans.create, { body: planBody(plan) }),
    onSuccess: () => {
      // totalPlan has increased by one.
      void invalidate(accounts.session, plans.byCreator);
      toast({ ...notices.planCreated, tone: 'success' });
    },
    leaveTo: () => ({ to: '/profile/plans/$id', params: { id } }),
    failureNotice: (error) => {
      // The verification or the plan limit has changed since the session was fetched.
      if (Object.keys(refusals).some((type) => isProblem(error, type as keyof typeof refusals)))
        void invalidate(accounts.session);
      return errorNotice(error);
    },
  });
  return (
    <Page
      title="Create a plan"
      intro="Something to do together, for a friend you have not met yet."
      width="form"
    >
      <PlanForm
        form={form}
        notice={
          refusal && (
            <NoticeBox {...refusal.notice}>
              <RefusalLink verdict={verdict} />
            </NoticeBox>
          )
        }
        terms={<GenericTerms />}
      >
        <SubmitButton
          form={form}
          size="lg"
          block
          pendingLabel="Creating..."
          disabledReason={refusal && `${refusal.notice.title} ${refusal.notice.text}`}
        >
          {refusal ? refusal.button : 'Create plan'}
        </SubmitButton>
      </PlanForm>
    </Page>
  );
}

/** Leads to what lifts a refusal. */
function RefusalLink({ verdict }: { verdict: ReturnType<typeof planCan.create> }) {
  if (verdict === 'plan_creator_unverified') {
    return (
      <Link to="/verifying-identity" className={linkClass}>
        Get Verified
      </Link>
    );
  }
  return verdict === 'plan_birth_date_missing' || verdict === 'plan_under_age' ? <BirthDateLink /> : null;
}
