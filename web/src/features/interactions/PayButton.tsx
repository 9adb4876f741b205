import { type Interaction, interactionCan } from '@tara/contract/interactions';
import { CreditCard } from 'lucide-react';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { money } from '../../ui/money.ts';
import { checkoutAddress } from './checkout-address.ts';

interface PayButtonProps {
  request: Interaction;
  tab: string;
  checking: boolean;
}

/** Leads the client to the provider's page; says so while its link is being made or the payment looked up. */
export function PayButton({ request, tab, checking }: PayButtonProps) {
  const verdict = interactionCan.pay(request, 'client');
  if (verdict !== true) {
    return <Button disabledReason={verdict}>{`Pay ${money(request.price)}`}</Button>;
  }
  if (checking) return <Button pending>Checking the payment…</Button>;
  if (request.checkoutUrl === null) return <Button pending>Preparing the payment…</Button>;
  return (
    <a href={checkoutAddress(request.checkoutUrl, { tab, id: request.id })} className={buttonClass()}>
      <Icon of={CreditCard} />
      {`Pay ${money(request.price)}`}
    </a>
  );
}
