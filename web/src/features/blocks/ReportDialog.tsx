import { reportDetailLength } from '@tara/contract/limits';
import {
  ReportFormFields,
  type ReportKind,
  type ReportReason,
  reportReasons,
  reports,
} from '@tara/contract/reports';
import { useState } from 'react';
import * as z from 'zod/mini';
import { useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, useFieldControl } from '../../ui/Field.tsx';
import { ResponsiveDialog } from '../../ui/ResponsiveDialog.tsx';
import { controlClass, TextArea } from '../../ui/TextInput.tsx';
import { toast } from '../../ui/toast.ts';

export interface ReportTarget {
  kind: ReportKind;
  recordId: string;
}

interface ReportDialogProps {
  /** What is reported, in words: `the post by Ana`. */
  what: string;
  target: ReportTarget;
  onClose: () => void;
}

/** Asks why a member or record is reported, and sends that to the admins. */
export default function ReportDialog({ what, target, onClose }: ReportDialogProps) {
  const [reason, setReason] = useState<ReportReason | ''>('');
  const [detail, setDetail] = useState('');
  const [errors, setErrors] = useState<{ reason?: string; detail?: string }>({});
  const send = useCall(reports.create, {
    onSuccess: () => {
      toast({ title: 'Your report was sent.', text: 'An admin will look at it.', tone: 'success' });
      onClose();
    },
  });
  const submit = () => {
    const checked = z.safeParse(ReportFormFields, { reason, detail });
    if (checked.success) return send.mutate({ body: { ...target, ...checked.data } });
    const messages = checked.error.issues.map(({ path, message }) => [path[0], message]);
    setErrors(Object.fromEntries(messages));
  };
  return (
    <ResponsiveDialog
      open
      onOpenChange={(open) => !open && !send.isPending && onClose()}
      title={`Report ${what}`}
      description="Only admins see your report. They get a copy of it as it is now, and decide what happens."
      actions={
        <>
          <Button variant="secondary" onClick={() => !send.isPending && onClose()}>
            Cancel
          </Button>
          <Button pending={send.isPending} pendingLabel="Sending..." onClick={submit}>
            Send report
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label="Reason" error={errors.reason}>
          <ReasonSelect
            value={reason}
            onChange={(chosen) => {
              setReason(chosen);
              setErrors({});
            }}
          />
        </Field>
        <Field
          label="What happened?"
          optional={reason !== 'other'}
          error={errors.detail}
          count={{ used: detail.length, limit: reportDetailLength }}
        >
          <TextArea value={detail} rows={4} onChange={({ target: { value } }) => setDetail(value)} />
        </Field>
      </div>
    </ResponsiveDialog>
  );
}

interface ReasonSelectProps {
  value: ReportReason | '';
  onChange: (reason: ReportReason) => void;
}

function ReasonSelect({ value, onChange }: ReasonSelectProps) {
  const control = useFieldControl({});
  return (
    <select
      {...control}
      value={value}
      onChange={(event) => onChange(event.target.value as ReportReason)}
      className={controlClass}
    >
      <option value="" disabled>
        Choose a reason
      </option>
      {Object.entries(reportReasons).map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
  );
}
