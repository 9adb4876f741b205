import { Link } from '@tanstack/react-router';
import { type Plan, plans } from '@tara/contract/plans/plans';
import { problemNotice } from '@tara/contract/problems';
import { call } from '../../lib/call.ts';
import { formQueryOf, useForm } from '../../lib/form.tsx';
import { SubmitButton } from '../../lib/form-fields.tsx';
import { invalidate, useLoaded } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { PlanFields, PlanForm, planBody, planPhotoIds, writtenPlan } from './PlanForm.tsx';

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
