import { Link } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { type Interaction, interactions } from '@tara/contract/interactions';
import { interactionCan } from '@tara/contract/verdicts';
import { ArrowDownToLine, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Collapsible, StateList } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { useSession } from '../accounts/index.ts';
import { DisputeLink, FulfilButton, MoneyLine, nextStep, upsertInteraction } from '../interactions/index.ts';
import { PriceLabel } from '../plans/index.ts';
import { SharePlanButton } from '../shared-plans/index.tsx';
import { setReceiptInteraction } from './receipt-query.ts';

interface PaymentCardProps {
  receiptId: string;
  request: Interaction;
  side: 'client' | 'creator' | 'other';
}

/** A window that has room for the open card above the messages. */
const ROOMY = '(min-width: 768px) and (min-height: 700px)';

/** The plan, its payment and the next step: above the chat, or below it once the card was put down (§4). */
export function PaymentCard({ receiptId, request, side }: PaymentCardProps) {
  const { account } = useSession();
  const upsert = (changed: Interaction) => {
    setReceiptInteraction(receiptId, changed);
    upsertInteraction(changed, account.id);
  };
  const down = useCall(interactions.cardDown, { onSuccess: upsert });
  // One line where the messages would have no room.
  const [isOpen, setIsOpen] = useState(useMediaQuery(ROOMY) && !request.cardDown);
  const body = { interactionId: request.id };
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
          <FulfilButton request={request} size="sm" onDone={upsert} />
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
        <DisputeLink request={request} side={side} />
        <SharePlanButton
          request={request}
          otherName={side === 'creator' ? request.whoSentReq.name : request.creator.name}
        />
        <Link to="/safety" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          <Icon of={ShieldCheck} size={16} />
          Meeting safely
        </Link>
      </div>
    </>
  );
  return (
    <section
      aria-label="Payment and plan"
      className={cx(
        'max-h-[45dvh] shrink-0 overflow-y-auto px-3 py-2 sm:px-4',
        !request.cardDown && 'border-b border-line',
      )}
    >
      <Collapsible
        open={isOpen}
        onOpenChange={setIsOpen}
        title={
          <span className="flex min-w-0 flex-1 items-center justify-between gap-3">
            <span className="truncate">Payment and plan</span>
            <span className="font-normal text-lagoon group-open:invisible">
              <PriceLabel pesos={request.price} />
            </span>
          </span>
        }
      >
        <div className="flex flex-col gap-2">{content}</div>
      </Collapsible>
    </section>
  );
}
