import { type Interaction, interactions } from '@tara/contract/interactions';
import { cancelNoteLength } from '@tara/contract/limits';
import { endStep } from '@tara/contract/verdicts';
import { useState } from 'react';
import { useCall } from '../../lib/queries.ts';
import { Field, TextArea } from '../../ui/Field.tsx';
import { money } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';
import { ConfirmDialog } from '../../ui/Overlays.tsx';
import { useSession } from '../accounts/index.ts';
import { upsertInteraction } from './interaction-cache.ts';

type Side = 'client' | 'creator' | 'other';

const texts = {
  withdraw: { button: 'Withdraw', title: 'Withdraw this request?', done: 'Your request is withdrawn' },
  decline: { button: 'Decline', title: 'Decline this request?', done: 'You declined the request' },
  cancel: { button: 'Cancel plan', title: 'Cancel this plan?', done: 'The plan is cancelled' },
} as const;

/** What the button that ends a request says to one side of it. */
export const endLabel = (request: Interaction, side: Side) => texts[endStep(request, side)].button;

/** What happens to the money, before somebody decides. */
function moneyText({ free, paid, price, whoSentReq }: Interaction, side: Side): string {
  if (free) return 'The plan is free: there is no money to give back.';
  if (!paid) return 'Nothing was paid. The payment page is closed.';
  return side === 'creator'
    ? `${whoSentReq.name} gets ${money(price)} back in full.`
    : `You get ${money(price)} back in full, the way you paid.`;
}

/** Withdraws, declines or cancels: says what happens to the money, and a creator can say why. */
export function EndRequestDialog({
  request,
  side,
  open,
  onClose,
}: {
  request: Interaction;
  side: Side;
  open: boolean;
  onClose: () => void;
}) {
  const { account } = useSession();
  const [reason, setReason] = useState('');
  const { title, button, done } = texts[endStep(request, side)];
  const end = useCall(interactions.cancelRequest, {
    onSuccess: (changed) => {
      upsertInteraction(changed, account.id);
      onClose();
      toast({ title: done, text: 'It is now in your history.' });
    },
    onError: onClose,
  });
  const written = reason.trim();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={title}
      text={moneyText(request, side)}
      confirmLabel={button}
      cancelLabel="Keep it"
      tone="danger"
      pending={end.isPending}
      onConfirm={() =>
        end.mutate({ body: { interactionId: request.id, ...(written && { reason: written }) } })
      }
    >
      {side === 'creator' && (
        <Field
          label={`Why? ${request.whoSentReq.name} reads it.`}
          optional
          count={{ used: reason.length, limit: cancelNoteLength }}
        >
          <TextArea
            value={reason}
            maxLength={cancelNoteLength}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      )}
    </ConfirmDialog>
  );
}
