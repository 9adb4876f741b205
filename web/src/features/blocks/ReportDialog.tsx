import { reportDetailLength } from '@tara/contract/limits';
import { ReportFormFields, type ReportKind, reportReasons, reports } from '@tara/contract/members/reports';
import { useWatch } from 'react-hook-form';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { FormDialog, SelectField, TextAreaField } from '../../lib/form-fields.tsx';
import { toast } from '../../ui/feedback.ts';

export interface ReportTarget {
  kind: ReportKind;
  recordId: string;
  /** For a message. */
  chatId?: string;
}

interface ReportDialogProps {
  /** What is reported, in words: `the post by Ana`. */
  what: string;
  target: ReportTarget;
  onClose: () => void;
}

/** Asks why a member or record is reported, and sends that to the admins. */
export default function ReportDialog({ what, target, onClose }: ReportDialogProps) {
  const form = useForm({
    schema: ReportFormFields,
    defaultValues: { reason: '', detail: '' },
    send: (fields) => call(reports.create, { body: { ...target, ...fields } }),
    onSuccess: () => {
      toast({ title: 'Your report was sent.', text: 'An admin will look at it.', tone: 'success' });
      onClose();
    },
  });
  const reason = useWatch({ control: form.control, name: 'reason' });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={`Report ${what}`}
      description={
        target.kind === 'message'
          ? 'Only admins see your report. They get a copy of the message and of those before it by the same person, and decide what happens.'
          : 'Only admins see your report. They get a copy of it as it is now, and decide what happens.'
      }
      submitLabel="Send report"
      pendingLabel="Sending..."
    >
      <SelectField
        form={form}
        name="reason"
        label="Reason"
        deps={['detail']}
        prompt="Choose a reason"
        options={Object.entries(reportReasons)}
      />
      <TextAreaField
        form={form}
        name="detail"
        label="What happened?"
        optional={reason !== 'other'}
        limit={reportDetailLength}
        rows={4}
      />
    </FormDialog>
  );
}
