import { type Interaction, interactions } from '@tara/contract/interactions';
import { interactionCan } from '@tara/contract/verdicts';
import { CreditCard } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useCall } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { money } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSession } from '../accounts/index.ts';
import { upsertInteraction } from './interaction-cache.ts';

interface PayButtonProps {
  request: Interaction;
  tab: string;
  checking: boolean;
}

/** Links to the provider's checkout; pending while the link is created or the payment is checked. */
export function PayButton({ request, tab, checking }: PayButtonProps) {
  const verdict = interactionCan.pay(request, 'client');
  if (verdict !== true) {
    return <Button disabledReason={verdict}>{`Pay ${money(request.price)}`}</Button>;
  }
  if (request.needsRefundNumber) {
    return <Button disabledReason="Name a number for refunds first.">{`Pay ${money(request.price)}`}</Button>;
  }
  if (checking) return <Button pending>Checking the payment…</Button>;
  if (request.checkoutUrl === null) return <PrepareButton request={request} />;
  return (
    <a href={checkoutUrlWithReturn(request.checkoutUrl, { tab, id: request.id })} className={buttonClass()}>
      <Icon of={CreditCard} />
      {`Pay ${money(request.price)}`}
    </a>
  );
}

/** How long a link may take to be made before the client can ask for it, in ms. */
const linkWaitMs = 8_000;

/** Shows that the link is being made; when it is late or cannot be made, it is asked for again (§8). */
function PrepareButton({ request }: Pick<PayButtonProps, 'request'>) {
  const { account } = useSession();
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), linkWaitMs);
    return () => clearTimeout(timer);
  }, []);
  const prepare = useCall(interactions.checkPayment, {
    onSuccess: (changed) => upsertInteraction(changed, account.id),
  });
  if (!isLate || prepare.isPending) return <Button pending>Preparing the payment…</Button>;
  return (
    <Button
      icon={<Icon of={CreditCard} />}
      onClick={() => prepare.mutate({ body: { interactionId: request.id } })}
    >
      Try again
    </Button>
  );
}

/** The URL of the provider's checkout, with the URL of the list to return to. `check` is the id of the request,
 * so that its payment is looked up on return.
 */
export function checkoutUrlWithReturn(checkoutUrl: string, { tab, id }: { tab: string; id: string }): string {
  const back = `/manage-plans?${new URLSearchParams({ tab, check: id })}`;
  const address = new URL(checkoutUrl);
  address.searchParams.set('return_url', back);
  return address.href;
}
