import { Link, Navigate } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts/accounts';
import { notices } from '@tara/contract/notices';
import { type Plan, planCan, plans } from '@tara/contract/plans/plans';
import { problemNotice } from '@tara/contract/problems';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { formQueryOf, useForm } from '../../lib/form.tsx';
import { SubmitButton } from '../../lib/form-fields.tsx';
import { invalidate, useLoaded } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { newPlan, PlanFields, PlanForm, planBody, planPhotoIds, writtenPlan } from './PlanForm.tsx';
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

const editedPlanQuery = (id: string) => formQueryOf(plans.get, { params: { id } });

/** `/update-plan/{id}`: only for the plan's creator. */
export function UpdatePlanScreen({ id }: { id: string }) {
  const { plan, isCreator } = useLoaded(editedPlanQuery(id));
  return (
    <Page
      title="Edit your plan"
      intro={isCreator && 'Requests that you have keep the title, price and terms they were sent with.'}
      width="form"
    >
      {isCreator ? (
        <EditPlan plan={plan} />
      ) : (
        <EmptyState
          illustration="cat"
          title={problemNotice('user_unauthorized').title}
          text="Only its creator can change a plan."
          action={
            <Link to="/profile/plan-details/$id" params={{ id }} className={buttonClass()}>
              Go to the plan
            </Link>
          }
        />
      )}
    </Page>
  );
}

function EditPlan({ plan }: { plan: Plan }) {
  const { id } = plan;
  const form = useForm({
    schema: PlanFields,
    defaultValues: writtenPlan(plan),
    draft: { key: `update-plan:${id}` },
    send: (fields) => call(plans.update, { body: { ...planBody(fields), planId: id } }),
    problemField: { storage_file_not_found: 'photos' },
    onSuccess: () => {
      void invalidate(plans.get, plans.byCreator);
      toast({ title: 'Your plan is updated.', tone: 'success' });
    },
    leaveTo: () => ({ to: '/profile/plan-details/$id', params: { id }, replace: true }),
  });
  return (
    <PlanForm form={form} inUse={planPhotoIds(plan)}>
      <SubmitButton form={form} size="lg" block pendingLabel="Saving...">
        Save changes
      </SubmitButton>
    </PlanForm>
  );
}
