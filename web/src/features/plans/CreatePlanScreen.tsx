import { Link, Navigate } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts';
import { planLength, price } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { PlanFormFields, pesos, planCan, plans } from '@tara/contract/plans';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { errorNotice, isProblem } from '../../lib/failure.ts';
import { Form, SubmitButton, useForm } from '../../lib/form.tsx';
import { CheckboxField, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { PhotoField } from '../../lib/photo-field.tsx';
import { invalidate } from '../../lib/queries.ts';
import { linkClass } from '../../ui/Button.tsx';
import { money } from '../../ui/Money.tsx';
import { Page } from '../../ui/Page.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { GenericTerms } from './GenericTerms.tsx';
import { BirthDateLink, NoticeBox } from './NoticeBox.tsx';

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

/** The plan's own fields, its cover once stored, and the terms of Tara (§5). */
const PlanFields = z.extend(PlanFormFields, {
  imageId: z.string().check(z.minLength(1, 'Please add a cover photo.')),
  accepted: z.boolean().check(z.refine((ticked) => ticked, 'Please accept the terms and conditions.')),
});

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
    defaultValues: {
      title: '',
      desc: '',
      time: '',
      durationMinutes: 120,
      place: '',
      price: '',
      terms: '',
      imageId: '',
      accepted: false,
    },
    draft: { key: 'create-plan' },
    send: ({ accepted: _, ...plan }) => call(plans.create, { body: plan }),
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
      <Form form={form} className="flex flex-col gap-3">
        {refusal && (
          <NoticeBox {...refusal.notice}>
            <RefusalLink verdict={verdict} />
          </NoticeBox>
        )}
        <PhotoField
          form={form}
          name="imageId"
          label="Cover photo"
          prompt="Add a cover photo"
          previewAlt="The cover of your plan"
          pasteAnywhere
        />
        <TextField form={form} name="title" label="Title" limit={planLength.title} />
        <TextAreaField
          form={form}
          name="desc"
          label="Description"
          optional
          limit={planLength.desc}
          rows={4}
        />
        <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2">
          <TextField
            form={form}
            name="time"
            label="Time"
            optional
            hint="For example 6-9 pm."
            limit={planLength.time}
          />
          <TextField
            form={form}
            name="price"
            label="Price in pesos"
            hint={`0 is a free plan. Otherwise at least ${money(pesos(price.minimumCentavos))}.`}
            lines={2}
            inputMode="decimal"
            placeholder="0"
            className="figures"
          />
        </div>
        <TextAreaField
          form={form}
          name="terms"
          label="Your terms"
          hint={`What a friend needs to know and follow; at least ${planLength.terms.min} characters.`}
          limit={planLength.terms.max}
          rows={4}
        />
        <GenericTerms />
        <CheckboxField form={form} name="accepted" label="Accept terms and conditions" required />
        <SubmitButton
          form={form}
          size="lg"
          block
          pendingLabel="Creating..."
          disabledReason={refusal && `${refusal.notice.title} ${refusal.notice.text}`}
        >
          {refusal ? refusal.button : 'Create plan'}
        </SubmitButton>
      </Form>
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
