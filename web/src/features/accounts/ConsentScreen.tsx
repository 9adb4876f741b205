import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts/accounts';
import { GiveConsent } from '@tara/contract/accounts/forms';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton } from '../../lib/form-fields.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConsentFields, NameField } from './AccountFields.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { clearSession, currentSession, logOut } from './session.ts';
import { nextAddress } from './welcome.ts';

const route = getRouteApi('/consent');

/**
 * `/consent`: for members of before the present terms, and for those whose account another client or a sign-in at a
 * provider made. It asks for what is missing: the consent, the name, or both.
 */
export function ConsentScreen() {
  const navigate = useNavigate();
  const { account, profile } = route.useRouteContext().session;
  const asksConsent = !account.hasConsented;
  const asksName = profile.name === '';
  const form = useForm({
    schema: GiveConsent,
    defaultValues: {
      isAdult: account.hasConsented,
      acceptsTerms: account.hasConsented,
      ...(asksName ? { name: '' } : {}),
    },
    send: (body) => call(accounts.consent, { body }),
    onSuccess: async () => {
      clearSession();
      const session = await currentSession();
      // Without one the guard of the next page leads to the sign-in.
      await navigate({ href: session ? nextAddress(session) : '/', replace: true });
    },
  });
  return (
    <AuthLayout title="Before you go on" text={introduction({ asksConsent, asksName })}>
      <Form form={form} className="flex flex-col gap-3">
        {asksName && <NameField form={form} />}
        {asksConsent && <ConsentFields form={form} />}
        <SubmitButton form={form} block>
          {asksConsent ? 'Agree and go on' : 'Save and go on'}
        </SubmitButton>
      </Form>
      <Button variant="ghost" onClick={() => void logOut('/sign-in')}>
        Log out
      </Button>
    </AuthLayout>
  );
}

function introduction({ asksConsent, asksName }: { asksConsent: boolean; asksName: boolean }): string {
  if (!asksConsent) return 'Please enter the name that others see.';
  const name = asksName ? 'enter the name that others see, and ' : '';
  return `Please ${name}read the terms and the privacy policy of Tara. You can go on once you agree.`;
}
