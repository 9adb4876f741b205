import { reportDetailLength, suspensionDays } from '@tara/contract/limits';
import { type Decision, type Report, reports, SuspensionFields, WarningFields } from '@tara/contract/reports';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { invalidate, useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { type ConfirmOptions, confirm, toast } from '../../ui/feedback.ts';
import { useLeave } from './AdminQueue.tsx';

const areYouSure = (confirmLabel: string, text: string): ConfirmOptions => ({
  title: 'Are you sure?',
  text,
  confirmLabel,
  tone: 'danger',
});

/** What an admin can decide about a report; each decision asks first. */
export function ReportDecisions({ report: { id, kind, member } }: { report: Report }) {
  const leave = useLeave('/reports', reports.open, id);
  const finish = () => {
    toast({ title: 'The report is decided.', tone: 'success' });
    void invalidate(reports.bannedRequests);
    leave();
  };
  const decide = useCall(reports.decide, { onSuccess: finish });
  const ask = async (decision: Decision, question: ConfirmOptions) => {
    if (await confirm(question)) decide.mutate({ body: { id, decision } });
  };
  const button = (decision: Decision, question: ConfirmOptions) => (
    <Button
      variant={decision === 'ban' ? 'danger' : 'secondary'}
      size="sm"
      disabledReason={decide.isPending && 'A decision is being sent.'}
      onClick={() => void ask(decision, question)}
    >
      {question.confirmLabel}
    </Button>
  );
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap gap-2">
        {button('dismiss', {
          ...areYouSure('Dismiss', 'Nothing happens to the record or the member.'),
          tone: 'primary',
        })}
        {kind !== 'member' &&
          button(
            'remove',
            areYouSure(
              'Remove the record',
              'The record is removed for everybody. You will not be able to change it after.',
            ),
          )}
      </div>
      {member && (
        <>
          <WarningForm reportId={id} memberName={member.name} onSent={finish} />
          <SuspensionForm reportId={id} memberName={member.name} onSent={finish} />
          <div className="border-t border-line pt-5">
            {button(
              'ban',
              areYouSure(
                'Ban',
                `${member.name} is signed out everywhere and cannot sign in again. Their open paid requests are listed below.`,
              ),
            )}
          </div>
        </>
      )}
    </div>
  );
}

interface DecisionFormProps {
  reportId: string;
  memberName: string;
  onSent: () => void;
}

const formClass = 'flex flex-col items-start gap-3 border-t border-line pt-5 *:first:w-full';

function WarningForm({ reportId, memberName, onSent }: DecisionFormProps) {
  const form = useForm({
    schema: WarningFields,
    defaultValues: { note: '' },
    question: () => areYouSure('Warn', `${memberName} sees your warning once.`),
    send: ({ note }) => call(reports.decide, { body: { id: reportId, decision: 'warn', note } }),
    onSuccess: onSent,
  });
  return (
    <Form form={form} label="Warn the member" className={formClass}>
      <TextAreaField
        form={form}
        name="note"
        label="Warning"
        hint="The member reads it once."
        limit={reportDetailLength}
        rows={3}
      />
      <SubmitButton form={form} variant="secondary" size="sm">
        Warn
      </SubmitButton>
    </Form>
  );
}

function SuspensionForm({ reportId, memberName, onSent }: DecisionFormProps) {
  const form = useForm({
    schema: SuspensionFields,
    defaultValues: { days: '7' },
    question: ({ days }) =>
      areYouSure(
        'Suspend',
        `${memberName} can read but not write for ${days} ${days === 1 ? 'day' : 'days'}.`,
      ),
    send: ({ days }) => call(reports.decide, { body: { id: reportId, decision: 'suspend', days } }),
    onSuccess: onSent,
  });
  return (
    <Form form={form} label="Suspend the member" className={formClass}>
      <TextField
        form={form}
        name="days"
        label="Days of a suspension"
        hint={`${suspensionDays.min} to ${suspensionDays.max}`}
        inputMode="numeric"
      />
      <SubmitButton form={form} variant="secondary" size="sm">
        Suspend
      </SubmitButton>
    </Form>
  );
}
