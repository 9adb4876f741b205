import type { SessionContext } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import { Button } from '../../ui/Button.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { ResendButton } from './ResendBox.tsx';
import { logOut } from './session.ts';

/** After signing up, and for every member whose email is not confirmed: where the link is, and what to do without it. */
export function CheckInbox({ session: { account, profile } }: { session: SessionContext }) {
  return (
    <AuthLayout
      title="Check your inbox"
      heading="Check your inbox"
      text={
        <>
          We sent a link to <strong className="font-semibold wrap-anywhere text-ink">{account.email}</strong>.
          Open it, and this page goes on by itself. It may be in the spam folder.
        </>
      }
    >
      <ResendButton initial={timer.confirmingInitialSeconds} username={profile.username} />
      <Button variant="ghost" className="-ml-4 self-start" onClick={() => void logOut('/sign-in')}>
        Log out
      </Button>
    </AuthLayout>
  );
}
