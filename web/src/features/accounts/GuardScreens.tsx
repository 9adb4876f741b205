import { useNavigate } from '@tanstack/react-router';
import { Consent } from '@tara/contract/account-forms';
import { accounts } from '@tara/contract/accounts';
import { personalData } from '@tara/contract/personal-data';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton } from '../../lib/form-fields.tsx';
import { useCall } from '../../lib/queries.ts';
import { takeDestination } from '../../lib/url.ts';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { ConsentFields } from './AccountFields.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { clearSession, logOut, useSession } from './index.ts';

// Where the guards of the main group send members before they get any further.

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

const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** `/leaving`: for who signs in during the 14 days before the account is deleted. */
export function LeavingScreen() {
  const { account } = useSession();
  const keep = useCall(personalData.keep, {
    onSuccess: () => {
      toast({ title: 'Welcome back!', text: 'Your account stays.', tone: 'success' });
      // From the first page: everything that was refused meanwhile is read anew.
      location.assign('/');
    },
  });
  if (account.deletesAt === null) return null;
  return (
    <AuthLayout
      title="Your account is about to be deleted"
      heading={`Your account is deleted on ${longDay.format(new Date(account.deletesAt))}`}
      text={
        <>
          You asked for it, so <strong className="font-semibold text-ink">{account.email}</strong> is hidden
          from everybody. Until that day you can keep it, with everything in it.
        </>
      }
    >
      <Button pending={keep.isPending} onClick={() => keep.mutate({})}>
        Keep my account
      </Button>
      <Button variant="ghost" onClick={() => void logOut('/sign-in')}>
        Log out
      </Button>
    </AuthLayout>
  );
}
