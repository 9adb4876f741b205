import type { SessionContext } from '@tara/contract/accounts';
import { timer } from '@tara/contract/limits';
import { AuthLayout } from '../../shell/AuthLayout.tsx';
import { logOut } from '../../shell/log-out.ts';
import { Button } from '../../ui/Button.tsx';
import { ResendBox } from './ResendBox.tsx';

/** For who is signed in but has not confirmed the e-mail yet. */
export function PleaseConfirm({ session: { account, profile } }: { session: SessionContext }) {
  return (
    <AuthLayout
      title="Confirm your e-mail"
      heading="please confirm your e-mail"
      text={
        <>
          We sent a link to <strong className="font-semibold text-ink">{account.email}</strong>. Open it, and
          this page goes on by itself.
        </>
      }
    >
      <ResendBox initial={timer.confirmingInitial} username={profile.username} />
      <Button variant="ghost" className="-ml-4 self-start" onClick={() => void logOut('/sign-in')}>
        Log out
      </Button>
    </AuthLayout>
  );
}
