import { adminWork } from '@tara/contract/admin';
import { adminMoney, CaseReason, type MoneyCase, PayoutReference } from '@tara/contract/admin-money';
import { reportDetailLength } from '@tara/contract/limits';
import { call } from '../../lib/call.ts';
import { errorNotice, isProblem } from '../../lib/failure.ts';
import { useForm } from '../../lib/form.tsx';
import { FormDialog, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { invalidate } from '../../lib/queries.ts';
import { money } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';
import type { MoneyCaseStep } from './MoneyCases.tsx';

interface MoneyCaseDialogProps {
  item: MoneyCase;
  step: MoneyCaseStep;
  onClose: () => void;
}

/** What an admin does about money out: records what they sent by hand, or has it tried again, with a reason. */
export default function MoneyCaseDialog(props: MoneyCaseDialogProps) {
  return props.step === 'record' ? <RecordDialog {...props} /> : <RetryDialog {...props} />;
}

const reread = () => invalidate(adminMoney.openMoney, adminWork.moneyOverview);

/** Such as that another admin did it meanwhile. */
const closeWhenOver = (onClose: () => void) => (error: unknown) => {
  if (isProblem(error, 'money_case_not_possible', 'money_case_not_found', 'admin_own_record')) {
    onClose();
    void reread();
  }
  return errorNotice(error);
};

function RecordDialog({ item: { id, amount, receiverName, number }, onClose }: MoneyCaseDialogProps) {
  const form = useForm({
    schema: PayoutReference,
    defaultValues: { reference: '' },
    send: (fields) => call(adminMoney.recordPayout, { body: { id, ...fields } }),
    onSuccess: () => {
      onClose();
      toast({ title: 'The payout is recorded.', tone: 'success' });
      void reread();
    },
    failureNotice: closeWhenOver(onClose),
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title="Record payout"
      description={`Only after you sent ${money(amount)} to ${receiverName}, GCash ${number}. It cannot be changed after.`}
      submitLabel="Record payout"
      pendingLabel="Recording..."
    >
      <TextField form={form} name="reference" label="Reference of the transfer" />
    </FormDialog>
  );
}

function RetryDialog({ item, step, onClose }: MoneyCaseDialogProps) {
  const { kind, id, amount, receiverName } = item;
  const isTransfer = step === 'byTransfer';
  const form = useForm({
    schema: CaseReason,
    defaultValues: { reason: '' },
    send: ({ reason }) =>
      call(adminMoney.retryMoney, { body: { kind, id, reason, ...(isTransfer && { byTransfer: true }) } }),
    onSuccess: () => {
      onClose();
      toast({ title: isTransfer ? 'It goes out by transfer.' : 'It is tried again.', tone: 'success' });
      void reread();
    },
    failureNotice: closeWhenOver(onClose),
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={isTransfer ? 'Refund by transfer' : 'Try again'}
      description={
        isTransfer
          ? `${money(amount)} goes to the GCash number of ${receiverName} instead of back the way it was paid. It cannot be changed after.`
          : `${money(amount)} is sent to ${receiverName} again.`
      }
      submitLabel={isTransfer ? 'Refund by transfer' : 'Try again'}
      pendingLabel="Sending..."
    >
      <TextAreaField
        form={form}
        name="reason"
        label="Reason"
        hint="It is written to the audit log."
        limit={reportDetailLength}
        rows={3}
      />
    </FormDialog>
  );
}
