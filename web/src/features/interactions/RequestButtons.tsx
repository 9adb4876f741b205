import { Link } from '@tanstack/react-router';
import { type Interaction, interactions } from '@tara/contract/interactions';
import { areYouSure } from '@tara/contract/notices';
import type { Party } from '@tara/contract/stages';
import { interactionCan } from '@tara/contract/verdicts';
import { CircleCheck, CreditCard, LifeBuoy, Scale } from 'lucide-react';
import { useEffect, useState } from 'react';
import { invalidate, useCall } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Money, money } from '../../ui/facts.tsx';
import { confirm } from '../../ui/feedback.ts';
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

interface FulfilButtonProps {
  /** The viewer is its client. */
  request: Interaction;
  size?: 'sm' | 'md';
  onDone: (changed: Interaction) => void;
}

/** 'Plan is fulfilled' (§4): the main thing to do from the plan's day on, possible before. */
export function FulfilButton({ request, size = 'md', onDone }: FulfilButtonProps) {
  const done = useCall(interactions.markDone, {
    onSuccess: onDone,
    onError: () => invalidate(interactions.interactionList),
  });
  const verdict = interactionCan.fulfil(request, 'client');
  const fulfil = async () => {
    const isConfirmed = await confirm({
      ...areYouSure.fulfilPlan,
      text: (
        <>
          <span className="block">{areYouSure.fulfilPlan.text}</span>
          {!request.dayReached && (
            <span className="mt-2 block font-semibold text-ink">
              The agreed day has not come yet. Say so only once you have met.
            </span>
          )}
          <span className="mt-2 block">
            {request.price === 0 ? (
              'The plan is free: nothing is paid out.'
            ) : (
              <>
                {request.creator.name} receives <Money pesos={request.price} /> once an admin has confirmed
                it.
              </>
            )}
          </span>
        </>
      ),
      confirmLabel: 'Plan is fulfilled',
    });
    if (isConfirmed) done.mutate({ body: { interactionId: request.id } });
  };
  return (
    <Button
      size={size}
      variant={request.dayReached ? 'primary' : 'secondary'}
      icon={<Icon of={CircleCheck} size={size === 'sm' ? 16 : 20} />}
      pending={done.isPending}
      disabledReason={verdict !== true && verdict}
      onClick={() => void fulfil()}
    >
      Plan is fulfilled
    </Button>
  );
}

/** To the dispute of a request, for the client as long as one can be opened, and for both to it or to an admin's decision. */
export function DisputeLink({ request, side }: { request: Interaction; side: Party }) {
  const mayOpen = side === 'client' && interactionCan.dispute(request, side) === true;
  if (!mayOpen && !request.disputed && !request.decided) return null;
  return (
    <Link
      to="/dispute/$id"
      params={{ id: request.id }}
      className={buttonClass({ variant: 'ghost', size: 'sm' })}
    >
      <Icon of={request.decided ? Scale : LifeBuoy} size={16} />
      {request.decided ? 'See the decision' : request.disputed ? 'See the dispute' : 'There was a problem'}
    </Link>
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
