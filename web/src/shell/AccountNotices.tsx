import { accounts, type SessionContext } from '@tara/contract/accounts';
import { CircleAlert } from 'lucide-react';
import { useCall } from '../lib/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { fullDate } from '../ui/TimeLabel.tsx';

/** Above every screen: until when the account is suspended, and a warning until it was read. */
export function AccountNotices({ account }: { account: SessionContext['account'] }) {
  const dismiss = useCall(accounts.dismissWarning, { invalidates: [accounts.session] });
  const { suspendedUntil, warning } = account;
  if (suspendedUntil === null && warning === null) return null;
  return (
    <div className="flex flex-col gap-2 px-4 pt-4 sm:px-6">
      {suspendedUntil !== null && (
        <p role="status" className="flex items-start gap-3 rounded-card bg-mango-soft p-4 text-mango-ink">
          <Icon of={CircleAlert} className="mt-0.5 shrink-0" />
          Your account is suspended until {fullDate(suspendedUntil.slice(0, 10))}. You can read, and end what
          is open.
        </p>
      )}
      {warning !== null && (
        <div
          role="alert"
          className="flex flex-wrap items-start justify-between gap-3 rounded-card bg-mango-soft p-4 text-mango-ink"
        >
          <p className="min-w-0 wrap-anywhere whitespace-pre-line">
            <strong className="block font-semibold">A warning by an admin of Tara</strong>
            {warning}
          </p>
          <Button
            variant="secondary"
            size="sm"
            pending={dismiss.isPending}
            onClick={() => dismiss.mutate({})}
          >
            I have read it
          </Button>
        </div>
      )}
    </div>
  );
}
