import { personalData } from '@tara/contract/accounts/personal-data';
import { useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { logOut, useSession } from './session.ts';

const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** `/leaving`: for members who sign in during the 14 days before the account is deleted. */
export function LeavingScreen() {
  const { account } = useSession();
  const keep = useCall(personalData.keep, {
    onSuccess: () => {
      toast({ title: 'Welcome back!', text: 'Your account stays.', tone: 'success' });
      // From the first page: everything that was refused meanwhile is loaded again.
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
