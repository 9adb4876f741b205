import { type ReactNode, useId } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button } from '../ui/Button.tsx';
import { ResponsiveDialog } from '../ui/ResponsiveDialog.tsx';
import { Form, type FormHandle } from './form.tsx';

interface FormDialogProps {
  form: Pick<FormHandle<FieldValues>, 'status' | 'submit' | 'element' | 'clear'>;
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  submitLabel?: string;
  pendingLabel?: string;
  children: ReactNode;
}

/** A form in a dialog; it is emptied when it is closed. */
export function FormDialog({
  form,
  open,
  onClose,
  title,
  description,
  submitLabel = 'Save',
  pendingLabel = 'Saving...',
  children,
}: FormDialogProps) {
  const id = useId();
  const isSending = form.status === 'sending';
  const close = () => {
    if (isSending) return;
    form.clear();
    onClose();
  };
  return (
    <ResponsiveDialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={title}
      description={description}
      actions={
        <>
          <Button variant="secondary" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={id} pending={isSending} pendingLabel={pendingLabel}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <Form form={form} id={id} className="flex flex-col gap-3 pb-1">
        {children}
      </Form>
    </ResponsiveDialog>
  );
}
