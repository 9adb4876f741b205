import { adminWork } from '@tara/contract/admin';
import type { Interaction } from '@tara/contract/interactions/interactions';
import { foreignDisputeDays, reportDetailLength } from '@tara/contract/limits';
import {
  AssignmentFields,
  adminMoney,
  CaseReason,
  type MoneyCase,
  PayoutReference,
  SendingReference,
  type UnassignedDispute,
} from '@tara/contract/money/admin-money';
import { type Chargeback, requestCases } from '@tara/contract/money/disputes';
import { centavos } from '@tara/contract/plans/plans';
import { useState } from 'react';
import type { Path } from 'react-hook-form';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { type FormHandle, useForm } from '../../lib/form.tsx';
import { FormDialog, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { invalidate } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Fact, money } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';
import { firstCalls } from '../accounts/index.ts';
import { irreversible } from './AdminQueue.tsx';

const audited = 'It is written to the audit log.';

/** What an admin can do about money out. */
export type MoneyCaseStep = 'record' | 'retry' | 'ask' | 'byTransfer' | 'sent' | 'lost' | 'unsent';

interface MoneyCaseDialogProps {
  item: MoneyCase;
  step: MoneyCaseStep;
  onClose: () => void;
}

/**
 * What an admin does about money out: records what they sent by hand, says what became of it where that was refused, or has it
 * tried again, with a reason.
 */
export function MoneyCaseDialog(props: MoneyCaseDialogProps) {
  if (props.step === 'record') return <RecordDialog {...props} />;
  if (props.item.way === 'hand') return <SettleDialog {...props} />;
  if (props.step === 'sent') return <SentDialog {...props} />;
  return props.step === 'unsent' ? <UnsentDialog {...props} /> : <RetryDialog {...props} />;
}

/** There is nothing left to do about a case, or not what its dialog says. */
const caseOver = [
  'money_case_not_possible',
  'money_case_changed',
  'money_case_not_found',
  'admin_own_record',
] as const;

/** What both dialogs of a case do once it is dealt with, also by another admin meanwhile. */
const whenOver = (onClose: () => void, title: string) => {
  const leave = () => {
    onClose();
    void invalidate(adminMoney.openMoney, adminWork.moneyOverview, firstCalls.workCounts);
  };
  return {
    onSuccess: () => {
      leave();
      toast({ title, tone: 'success' });
    },
    failureNotice: (error: unknown) => {
      if (isProblem(error, ...caseOver)) leave();
      return errorNotice(error);
    },
  };
};

function RecordDialog({ item: { id, amount, receiverName, number }, onClose }: MoneyCaseDialogProps) {
  const form = useForm({
    schema: PayoutReference,
    defaultValues: { reference: '' },
    send: (fields) =>
      call(adminMoney.recordPayout, { body: { id, amountCentavos: centavos(amount), ...fields } }),
    ...whenOver(onClose, 'The transfer is recorded.'),
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title="Record transfer"
      description={`Only after you sent ${money(amount)} to ${receiverName}${number === null ? '' : `, GCash ${number}`}. It cannot be changed after.`}
      submitLabel="Record transfer"
      pendingLabel="Recording..."
    >
      <TextField form={form} name="reference" label="Reference of the transfer" />
    </FormDialog>
  );
}

function SettleDialog({ item: { id, amount, receiverName }, step, onClose }: MoneyCaseDialogProps) {
  const hasLeft = step === 'lost';
  const form = useForm({
    schema: CaseReason,
    defaultValues: { reason: '' },
    send: ({ reason }) => call(adminMoney.settleManualTransfer, { body: { reference: id, hasLeft, reason } }),
    ...whenOver(onClose, hasLeft ? 'It is booked as a loss.' : 'It is off the list.'),
  });
  return (
    <ReasonDialog
      form={form}
      open
      onClose={onClose}
      title={hasLeft ? 'Book as a loss' : 'It did not leave'}
      description={
        hasLeft
          ? `Only if ${money(amount)} left by the transfer ${id} to ${receiverName}. It is a loss for Tara. It cannot be changed after.`
          : `Only if nothing left by the transfer ${id}. Its reference can be used again.`
      }
      pendingLabel={hasLeft ? 'Booking...' : 'Saving...'}
      hint={audited}
    />
  );
}

/** What the provider did not answer is there all the same: Tara books what it says of that. */
function SentDialog({ item: { id, amount, receiverName }, onClose }: MoneyCaseDialogProps) {
  const form = useForm({
    schema: SendingReference,
    defaultValues: { reference: '', reason: '' },
    send: (fields) => call(adminMoney.decideSending, { body: { id, ...fields } }),
    ...whenOver(onClose, 'Tara asks the provider about it now.'),
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title="It was sent"
      description={`Only if the provider’s dashboard shows ${money(amount)} to ${receiverName}. Tara books what the provider says of it. It cannot be changed after.`}
      submitLabel="It was sent"
      pendingLabel="Saving..."
    >
      <TextField form={form} name="reference" label="Its id in the dashboard" />
      <ReasonField form={form} hint={audited} />
    </FormDialog>
  );
}

function UnsentDialog({ item: { id, amount, receiverName }, onClose }: MoneyCaseDialogProps) {
  const form = useForm({
    schema: CaseReason,
    defaultValues: { reason: '' },
    send: ({ reason }) => call(adminMoney.decideSending, { body: { id, reason } }),
    ...whenOver(onClose, 'Tara sends what is owed still.'),
  });
  return (
    <ReasonDialog
      form={form}
      open
      onClose={onClose}
      title="It did not leave"
      description={`Only if the provider’s dashboard shows nothing of the ${money(amount)} for ${receiverName}. Tara sends what is owed still: if it did leave, it arrives twice. It cannot be changed after.`}
      pendingLabel="Saving..."
      hint={audited}
    />
  );
}

/** What the dialogs of money that goes on say: nothing of what the provider may have is sent a second time. */
function retryTexts({ amount, receiverName, atProvider }: MoneyCase, step: MoneyCaseStep) {
  const pesos = money(amount);
  if (step === 'byTransfer')
    return {
      title: 'Refund by transfer',
      description: `${pesos} goes to the GCash number of ${receiverName} instead of back the way it was paid; Tara asks for the number if there is none. It cannot be changed after.`,
      done: 'It goes out by transfer.',
      pendingLabel: 'Sending...',
    };
  if (step === 'retry')
    return {
      title: 'Try again',
      description: `Tara tries to send ${pesos} to ${receiverName} now.`,
      done: 'Tara tries to send it now.',
      pendingLabel: 'Sending...',
    };
  return {
    title: 'Ask the provider',
    description:
      atProvider === 'yes'
        ? `The provider has the ${pesos} for ${receiverName}. Tara asks what became of it, and sends nothing again meanwhile.`
        : `The provider may have the ${pesos} for ${receiverName}. Tara looks for it, and sends nothing that could arrive twice.`,
    done: 'Tara asks the provider now.',
    pendingLabel: 'Asking...',
  };
}

function RetryDialog({ item, step, onClose }: MoneyCaseDialogProps) {
  const { id } = item;
  const isTransfer = step === 'byTransfer';
  const { done, ...texts } = retryTexts(item, step);
  const form = useForm({
    schema: CaseReason,
    defaultValues: { reason: '' },
    send: ({ reason }) =>
      call(adminMoney.retryMoney, { body: { id, reason, ...(isTransfer && { byTransfer: true }) } }),
    ...whenOver(onClose, done),
  });
  return <ReasonDialog {...texts} form={form} open onClose={onClose} hint={audited} />;
}

interface AssignDialogProps {
  /** Its amount is in pesos. */
  dispute: Pick<UnassignedDispute, 'id' | 'amount'> & { state: Chargeback['state'] };
  /** As far as it is known: the field begins with it. */
  paymentId?: string | undefined;
  /** Whether the dispute has a payment already, which is another one. */
  isCorrection?: boolean;
  onClose: () => void;
}

/** What the assignment does. One that the issuer has decided takes the money at once. */
const assignmentText = (state: Chargeback['state'], isCorrection = false) => {
  const effect =
    state === 'lost'
      ? 'The issuer took the money back: what Tara still holds of the payment is not paid out or refunded any more. You cannot change this later.'
      : `What Tara still holds of the payment waits for the card issuer then${isCorrection ? ', and what waited until now does not any more' : ''}. You can correct it until the issuer decides.`;
  return `${effect} Open disputes that were assigned to this payment before, and leave too little of it, wait to be assigned again.`;
};

/** What it does that a dispute is about no payment of Tara. */
const foreignText = (isCorrection = false) =>
  `Tara books nothing of it, and holds nothing back for it${isCorrection ? ': what waited is free again, unless another dispute is about it' : ''}. You can correct it until it is decided, and for ${foreignDisputeDays} days.`;

const whenAssigned = (onClose: () => void, title: string) => () => {
  onClose();
  void invalidate(
    adminMoney.unassignedDisputes,
    adminWork.moneyOverview,
    requestCases.chargebacks,
    firstCalls.workCounts,
  );
  toast({ title, tone: 'success' });
};

const compared = 'Compare amount, time and card with the provider’s dashboard.';

function DisputeFacts({ dispute: { id, amount } }: Pick<AssignDialogProps, 'dispute'>) {
  return (
    <dl className="mb-4 flex flex-col gap-1">
      <Fact label="Dispute">{id}</Fact>
      <Fact label="Disputed amount">{money(amount)}</Fact>
    </dl>
  );
}

/** An admin says that a dispute of a card issuer is about no payment of Tara. */
export function ForeignDialog({ dispute, isCorrection, onClose }: Omit<AssignDialogProps, 'paymentId'>) {
  const form = useForm({
    schema: CaseReason,
    defaultValues: { reason: '' },
    send: ({ reason }) =>
      call(adminMoney.assignDispute, { body: { disputeId: dispute.id, paymentId: null, reason } }),
    onSuccess: whenAssigned(onClose, 'The dispute is about no payment of Tara.'),
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title="No payment of Tara"
      description={`${compared} ${foreignText(isCorrection)}`}
      submitLabel="Confirm"
      pendingLabel="Confirming..."
    >
      <DisputeFacts dispute={dispute} />
      <ReasonField form={form} hint={audited} />
    </FormDialog>
  );
}

/** An admin says which payment a dispute of a card issuer is about, or corrects it. */
export function AssignDialog({ dispute, paymentId = '', isCorrection, onClose }: AssignDialogProps) {
  const form = useForm({
    schema: AssignmentFields,
    defaultValues: { paymentId, reason: '' },
    send: (fields) => call(adminMoney.assignDispute, { body: { disputeId: dispute.id, ...fields } }),
    onSuccess: whenAssigned(onClose, 'The dispute is assigned.'),
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={isCorrection ? 'Correct the payment' : 'Assign the dispute'}
      description={`${compared} ${assignmentText(dispute.state, isCorrection)}`}
      submitLabel="Assign"
      pendingLabel="Assigning..."
    >
      <DisputeFacts dispute={dispute} />
      <TextField form={form} name="paymentId" label="Payment" hint="As in the dashboard: pay_…" />
      <ReasonField form={form} hint={audited} />
    </FormDialog>
  );
}

interface RefundRequestProps {
  request: Pick<Interaction, 'id' | 'price' | 'whoSentReq'>;
  /** Called once there is nothing left to decide about the request. */
  onOver: () => void;
}

/** Ends a paid request that is not over: all of the money goes back to its client. */
export function RefundRequest({ request, onOver }: RefundRequestProps) {
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
      <ReasonDialog
        form={form}
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Refund"
        description={`The request ends, and ${money(price)} goes back to ${client.name} in full. ${irreversible}`}
        pendingLabel="Refunding..."
        hint="Both parties read it."
      />
    </>
  );
}

interface ReasonFieldProps<In extends { reason: string }, Out> {
  form: FormHandle<In, Out>;
  /** Who reads it. */
  hint: string;
}

function ReasonField<In extends { reason: string }, Out>({ form, hint }: ReasonFieldProps<In, Out>) {
  return (
    <TextAreaField
      form={form}
      name={'reason' as Path<In>}
      label="Reason"
      hint={hint}
      limit={reportDetailLength}
      rows={3}
    />
  );
}

interface ReasonDialogProps {
  form: FormHandle<{ reason: string }, { reason: string }>;
  open: boolean;
  onClose: () => void;
  /** Also what its button says. */
  title: string;
  description: string;
  pendingLabel: string;
  /** Who reads the reason. */
  hint: string;
}

function ReasonDialog({ form, title, hint, ...dialog }: ReasonDialogProps) {
  return (
    <FormDialog {...dialog} form={form} title={title} submitLabel={title}>
      <ReasonField form={form} hint={hint} />
    </FormDialog>
  );
}
