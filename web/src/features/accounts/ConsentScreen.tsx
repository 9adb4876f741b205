import { useNavigate } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts/accounts';
import { Consent } from '@tara/contract/accounts/forms';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton } from '../../lib/form-fields.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConsentFields } from './AccountFields.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { clearSession, currentSession, logOut } from './session.ts';
import { nextAddress } from './welcome.ts';

/** `/consent`: for members of before the present terms, and for those whose account another client made. */
export function ConsentScreen() {
  const navigate = useNavigate();
  const form = useForm({
    schema: Consent,
    defaultValues: { isAdult: false, acceptsTerms: false },
    send: (body) => call(accounts.consent, { body }),
    onSuccess: async () => {
      clearSession();
      const session = await currentSession();
      // Without one the guard of the next page leads to the sign-in.
      await navigate({ href: session ? nextAddress(session) : '/', replace: true });
    },
  });
  return (
    <AuthLayout
      title="Before you go on"
      text="Please read the terms and the privacy policy of Tara. You can go on once you agree."
    >
      <Form form={form} className="flex flex-col gap-3">
        <ConsentFields form={form} />
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
