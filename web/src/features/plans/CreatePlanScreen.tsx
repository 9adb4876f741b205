import { Navigate, useNavigate } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { plans } from '@tara/contract/plans';
import { useEffect } from 'react';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { showFieldErrors, useDraft, useUnsavedWarning, useZodForm } from '../../lib/forms.ts';
import { invalidate, useCall } from '../../lib/queries.ts';
import { Page } from '../../ui/Page.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { PlanFields } from './PlanFields.tsx';
import { blankPlan, PlanForm } from './plan-form.ts';

/** /profile/create-plans/{id} (§4, §5). */
export function CreatePlanScreen({ id }: { id: string }) {
  const { profile } = useSession();
  // A plan is made for oneself alone.
  return profile.id === id ? (
    <CreatePlan id={id} />
  ) : (
    <Navigate to="/profile/create-plans/$id" params={{ id: profile.id }} replace />
  );
}

function CreatePlan({ id }: { id: string }) {
  const navigate = useNavigate();
  const form = useZodForm(PlanForm, { defaultValues: blankPlan });
  const clearDraft = useDraft('create-plan', form);
  const create = useCall(plans.create, {
    quiet: true,
    invalidates: [plans.byCreator],
    onSuccess: () => {
      clearDraft();
      form.reset(blankPlan);
      // totalPlan has grown by one.
      void invalidate(accounts.session);
      toast({ ...notices.planCreated, tone: 'success' });
    },
    onError: (error) => {
      // Verified or limited otherwise than this screen knew.
      if (isProblem(error, 'plan_creator_unverified', 'plan_limit_reached'))
        void invalidate(accounts.session);
      if (!showFieldErrors(form, error)) {
        toast({ ...wordsOfFailure(error), tone: 'danger', duration: timer.formToast });
      }
    },
  });
  useUnsavedWarning(form.formState.isDirty && !create.isSuccess);
  // After the warning above has seen that the work is saved.
  useEffect(() => {
    if (create.isSuccess) void navigate({ to: '/profile/plans/$id', params: { id } });
  }, [create.isSuccess, navigate, id]);
  return (
    <Page
      title="Create a plan"
      intro="Something to do together, for a friend you have not met yet."
      width="form"
    >
      <PlanFields
        form={form}
        pending={create.isPending}
        onSubmit={({ accepted: _, ...plan }) => create.mutate({ body: plan })}
      />
    </Page>
  );
}
