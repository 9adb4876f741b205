import { declineNoteLength } from '@tara/contract/limits';
import { type VerificationRequest, verification } from '@tara/contract/members/verification';
import { DeclineFields, declineReasons } from '@tara/contract/members/verification-declines';
import { useWatch } from 'react-hook-form';
import { call, errorNotice, isProblem } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { FormDialog, SelectField, TextAreaField } from '../../lib/form-fields.tsx';
import { irreversible } from './AdminQueue.tsx';

interface DeclineDialogProps {
  request: VerificationRequest;
  onClose: () => void;
  onSuccess: () => void;
  onError: (error: unknown) => void;
}

/** Asks why a verification request is declined, which its member is told. */
export function DeclineDialog({ request: { id, creator }, onClose, onSuccess, onError }: DeclineDialogProps) {
  const form = useForm({
    schema: DeclineFields,
    defaultValues: { reason: '', note: '' },
    send: (fields) => call(verification.decline, { body: { id, ...fields } }),
    onSuccess,
    failureNotice: (error) => {
      // The request may wait still: the dialog stays, with what was written.
      if (!isProblem(error, 'verification_not_found') && !isProblem(error, 'admin_own_record'))
        return errorNotice(error);
      onError(error);
      return null;
    },
  });
  const reason = useWatch({ control: form.control, name: 'reason' });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={`Decline ${creator.name}?`}
      description={`The request and its three pictures will be deleted. ${irreversible} ${creator.name} reads why, and can send a new one.`}
      submitLabel="Decline"
      pendingLabel="Declining..."
    >
      <SelectField
        form={form}
        name="reason"
        label="Reason"
        deps={['note']}
        prompt="Choose a reason"
        options={Object.entries(declineReasons).map(([name, { label }]) => [name, label] as const)}
      />
      <TextAreaField
        form={form}
        name="note"
        label="What should be sent instead?"
        optional={reason !== 'other'}
        limit={declineNoteLength}
        rows={3}
      />
    </FormDialog>
  );
}
