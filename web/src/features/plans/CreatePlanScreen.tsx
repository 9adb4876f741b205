import { Navigate } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts/accounts';
import { notices } from '@tara/contract/notices';
import { planCan, plans } from '@tara/contract/plans/plans';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { SubmitButton } from '../../lib/form-fields.tsx';
import { invalidate } from '../../lib/queries.ts';
import { toast } from '../../ui/feedback.ts';
import { Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { newPlan, PlanFields, PlanForm, planBody } from './PlanForm.tsx';
import { GenericTerms, NoticeBox, RefusalLink, refusalNotice } from './PlanTerms.tsx';

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
  const notice = verdict === true ? null : refusalNotice(verdict, profile, refusals[verdict].notice);
  const form = useForm({
    schema: PlanFields,
    // Most plans are where their creator lives.
    defaultValues: { ...newPlan, place: profile.city },
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
          notice &&
          verdict !== true && (
            <NoticeBox {...notice}>
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
          disabledReason={notice && `${notice.title} ${notice.text}`}
        >
          {refusal ? refusal.button : 'Create plan'}
        </SubmitButton>
      </PlanForm>
    </Page>
  );
}
