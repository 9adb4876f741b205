import { urlAtWidth } from '@tara/contract/files';
import { type Interaction, interactionCan, interactions } from '@tara/contract/interactions';
import { areYouSure } from '@tara/contract/notices';
import { ArrowDownToLine, CircleCheck } from 'lucide-react';
import { useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Collapsible } from '../../ui/Collapsible.tsx';
import { confirm } from '../../ui/confirm.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { StateList } from '../../ui/StateLine.tsx';
import { useSession } from '../accounts/index.ts';
import { MoneyLine, nextStep, upsertInteraction } from '../interactions/index.ts';
import { PriceLabel } from '../plans/index.ts';
import { setReceiptInteraction } from './receipt-query.ts';

interface PaymentCardProps {
  receiptId: string;
  request: Interaction;
  side: 'client' | 'creator' | 'other';
}

/** The plan, its payment and the next step: above the chat, or below it once the card was put down (§4). */
export function PaymentCard({ receiptId, request, side }: PaymentCardProps) {
  const { account } = useSession();
  const upsert = (changed: Interaction) => {
    setReceiptInteraction(receiptId, changed);
    upsertInteraction(changed, account.id);
  };
  const done = useCall(interactions.markDone, { onSuccess: upsert });
  const down = useCall(interactions.cardDown, { onSuccess: upsert });
  const body = { interactionId: request.id };
  const fulfil = async () => {
    const isConfirmed = await confirm({ ...areYouSure.fulfilPlan, confirmLabel: 'Plan is fulfilled' });
    if (isConfirmed) done.mutate({ body });
  };
  const mayFulfil = interactionCan.fulfil(request, side);
  const mayPutDown = interactionCan.putCardDown(request, side);
  const content = (
    <>
      <div className="flex items-center gap-3">
        <div className="w-14 shrink-0">
          <Picture
            {...request.cover}
            source={(width) => urlAtWidth(request.cover.imageUrl, width)}
            ratio="1 / 1"
            sizes="56px"
            className="rounded-control"
          />
        </div>
        <StateList className="min-w-0 flex-1">
          <MoneyLine request={request} side={side} />
        </StateList>
      </div>
      <p className="text-sm text-ink-soft">{nextStep(request, side)}</p>
      <div className="flex flex-wrap gap-2">
        {side === 'client' && !request.userSetDone && (
          <Button
            size="sm"
            icon={<Icon of={CircleCheck} size={16} />}
            pending={done.isPending}
            disabledReason={mayFulfil !== true && mayFulfil}
            onClick={() => void fulfil()}
          >
            Plan is fulfilled
          </Button>
        )}
        {!request.cardDown && !request.completed && (
          <Button
            size="sm"
            variant="secondary"
            icon={<Icon of={ArrowDownToLine} size={16} />}
            pending={down.isPending}
            disabledReason={mayPutDown !== true && mayPutDown}
            onClick={() => down.mutate({ body })}
          >
            Put the card down
          </Button>
        )}
      </div>
    </>
  );
  if (request.cardDown) {
    return (
      <Collapsible
        title={
          <span className="flex flex-1 flex-wrap items-center justify-between gap-x-3">
            Payment and plan
            <span className="font-normal text-lagoon">
              <PriceLabel pesos={request.price} />
            </span>
          </span>
        }
        className="m-3 shrink-0"
      >
        <div className="flex flex-col gap-2">{content}</div>
      </Collapsible>
    );
  }
  return (
    <section
      aria-label="Payment and plan"
      className="m-3 flex shrink-0 flex-col gap-2 rounded-card border border-line bg-surface p-3 sm:mx-4"
    >
      {content}
    </section>
  );
}
