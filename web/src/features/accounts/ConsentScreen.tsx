import { Link, useNavigate } from '@tanstack/react-router';
import { Consent } from '@tara/contract/account-forms';
import { accounts } from '@tara/contract/accounts';
import type { FieldValues, Path } from 'react-hook-form';
import { call } from '../../lib/call.ts';
import { type FormHandle, useForm } from '../../lib/form.tsx';
import { CheckboxField, Form, SubmitButton } from '../../lib/form-fields.tsx';
import { takeDestination } from '../../lib/url.ts';
import { Button, linkClass } from '../../ui/Button.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { clearSession, logOut } from './session.ts';

interface ConsentFieldsProps<In extends FieldValues, Out> {
  form: Pick<FormHandle<In, Out>, 'control'>;
  names: Record<'isAdult' | 'acceptsTerms', Path<In>>;
}

/** The two boxes that every member ticks. The pages open beside the form, which keeps what is filled in. */
export function ConsentFields<In extends FieldValues, Out>({ form, names }: ConsentFieldsProps<In, Out>) {
  return (
    <div>
      <CheckboxField form={form} name={names.isAdult} label="I am 18 or older" required />
      <CheckboxField
        form={form}
        name={names.acceptsTerms}
        label={
          <>
            I agree to the{' '}
            <Link to="/terms" target="_blank" className={linkClass}>
              terms
            </Link>{' '}
            and the{' '}
            <Link to="/privacy" target="_blank" className={linkClass}>
              privacy policy
            </Link>
          </>
        }
        required
      />
    </div>
  );
}

/** The names of the boxes in a form that has nothing else of their names. */
export const consentNames = { isAdult: 'isAdult', acceptsTerms: 'acceptsTerms' } as const;

/** `/consent`: for members of before the present terms, and for those whose account another client made. */
export function ConsentScreen() {
  const navigate = useNavigate();
  const form = useForm({
    schema: Consent,
    defaultValues: { isAdult: false, acceptsTerms: false },
    send: (body) => call(accounts.consent, { body }),
    onSuccess: async () => {
      clearSession();
      await navigate({ href: takeDestination(), replace: true });
    },
  });
  return (
    <AuthLayout
      title="Before you go on"
      heading="Before you go on"
      text="Please read the terms and the privacy policy of Tara. You can go on once you agree."
    >
      <Form form={form} className="flex flex-col gap-3">
        <ConsentFields form={form} names={consentNames} />
        <SubmitButton form={form} block>
          Agree and go on
        </SubmitButton>
      </Form>
      <Button variant="ghost" onClick={() => void logOut('/sign-in')}>
        Log out
      </Button>
    </AuthLayout>
  );
}
