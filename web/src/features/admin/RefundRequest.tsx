import { adminMoney, CaseReason } from '@tara/contract/admin-money';
import type { Interaction } from '@tara/contract/interactions';
import { reportDetailLength } from '@tara/contract/limits';
import { useState } from 'react';
import { call } from '../../lib/call.ts';
import { errorNotice, isProblem } from '../../lib/failure.ts';
import { useForm } from '../../lib/form.tsx';
import { FormDialog, TextAreaField } from '../../lib/form-fields.tsx';
import { Button } from '../../ui/Button.tsx';
import { money } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';

interface RefundRequestProps {
  request: Pick<Interaction, 'id' | 'price' | 'whoSentReq'>;
  /** Called once there is nothing left to decide about the request. */
  onOver: () => void;
}

/** Ends a paid request that is not over: all of the money goes back to its client. */
export default function RefundRequest({ request, onOver }: RefundRequestProps) {
  const { id, price, whoSentReq: client } = request;
  const [isOpen, setIsOpen] = useState(false);
  const form = useForm({
    schema: CaseReason,
    defaultValues: { reason: '' },
    send: ({ reason }) => call(adminMoney.refundRequest, { body: { interactionId: id, reason } }),
    onSuccess: () => {
      setIsOpen(false);
      toast({ title: 'The request is refunded.', tone: 'success' });
      onOver();
    },
    failureNotice: (error) => {
      // Such as that another admin has decided it meanwhile.
      if (isProblem(error, 'request_decision_not_possible', 'interaction_not_found')) onOver();
      return errorNotice(error);
    },
  });
  return (
    <>
      <Button variant="secondary" className="w-full" onClick={() => setIsOpen(true)}>
        Refund
      </Button>
      <FormDialog
        form={form}
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Refund"
        description={`The request ends, and ${money(price)} goes back to ${client.name} in full. You will not be able to change it after.`}
        submitLabel="Refund"
        pendingLabel="Refunding..."
      >
        <TextAreaField
          form={form}
          name="reason"
          label="Reason"
          hint="Both parties read it."
          limit={reportDetailLength}
          rows={3}
        />
      </FormDialog>
    </>
  );
}
