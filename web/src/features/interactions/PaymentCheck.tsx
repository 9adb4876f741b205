import { useNavigate } from '@tanstack/react-router';
import { CircleCheck, Info } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { toast } from '../../ui/toast.ts';
import type { usePaymentCheck } from './use-payment-check.ts';

/** Says on the way back from the checkout whether the payment is there. */
export function PaymentCheck({
  check: { request, paid, checking, again },
  tab,
}: {
  check: ReturnType<typeof usePaymentCheck>;
  tab: string;
}) {
  const navigate = useNavigate();
  const title = request?.planTitle;
  useEffect(() => {
    if (!paid) return;
    toast({ title: 'Your payment is there', text: `${title} is paid.`, tone: 'success' });
    // Told once: a reload must not tell it again.
    void navigate({ to: '/manage-plans', search: { tab }, replace: true, resetScroll: false });
  }, [paid, title, tab, navigate]);
  const dismiss = () =>
    void navigate({ to: '/manage-plans', search: { tab }, replace: true, resetScroll: false });
  return (
    <div
      role="status"
      className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card bg-lagoon-soft p-4"
    >
      {checking ? <Spinner /> : <Icon of={paid ? CircleCheck : Info} className="text-lagoon" />}
      <p className="min-w-0 flex-1 basis-48">
        {paid
          ? 'Your payment is there.'
          : checking
            ? `We are checking your payment${title ? ` for ${title}` : ''}…`
            : 'No payment has arrived yet. If you paid, it will show here by itself.'}
      </p>
      {!checking && !paid && (
        <>
          <Button size="sm" variant="secondary" onClick={again}>
            Check again
          </Button>
          <Button size="sm" variant="ghost" onClick={dismiss}>
            Dismiss
          </Button>
        </>
      )}
    </div>
  );
}
