import { type ComponentProps, type ElementType, type ReactNode, useId } from 'react';
import { type FieldValues, type Path, useController } from 'react-hook-form';
import { Button } from '../ui/Button.tsx';
import { Checkbox, DateInput, Field, PasswordInput, Select, TextArea, TextInput } from '../ui/Field.tsx';
import { StarInput } from '../ui/marks.tsx';
import { ResponsiveDialog } from '../ui/Overlays.tsx';
import { formatDuration } from './call.ts';
import type { FormHandle } from './form.tsx';

interface NamedField<In extends FieldValues, Out> {
  form: Pick<FormHandle<In, Out>, 'control'>;
  name: Path<In>;
}

interface TextualFieldProps<In extends FieldValues, Out> extends NamedField<In, Out> {
  label: ReactNode;
  hint?: ReactNode;
  /** Beside hint and error, e.g. what limits the choice. */
  note?: ReactNode;
  optional?: boolean;
  hideLabel?: boolean;
  /** Shows how much of this many characters is used. */
  limit?: number;
  /** Lines reserved below for hint and error; two where one of them needs more than one. */
  lines?: 0 | 1 | 2;
  /** Offers this instead of a value with an error, unless it is the value itself or nothing. */
  suggest?: (value: string) => string;
  /** Fields to check again with this one, e.g. the repetition of a password. */
  deps?: Path<In>[];
}

type Attributes<Control extends ElementType> = Omit<
  ComponentProps<Control>,
  'form' | 'name' | 'value' | 'onChange' | 'onBlur' | 'ref' | 'label'
>;

type FieldProps<In extends FieldValues, Out, Control extends ElementType> = TextualFieldProps<In, Out> &
  Attributes<Control>;

type ControlField<Control extends ElementType> = <In extends FieldValues, Out>(
  props: FieldProps<In, Out, Control>,
) => ReactNode;

/** A control for text, `as`, in the frame of its label, hint and error. */
function TextualField<In extends FieldValues, Out>({
  as: Control,
  form,
  name,
  label,
  hint,
  note,
  optional,
  hideLabel,
  limit,
  lines,
  suggest,
  deps,
  ...attributes
}: TextualFieldProps<In, Out> & { as: ElementType; children?: ReactNode }) {
  const { field, fieldState } = useController({
    control: form.control,
    name,
    ...(deps ? { rules: { deps } } : {}),
  });
  const value = String(field.value ?? '');
  const suggestion = fieldState.error && suggest?.(value);
  return (
    <Field
      label={label}
      hint={hint}
      note={note}
      lines={lines}
      error={fieldState.error?.message}
      errorAction={
        suggestion &&
        suggestion !== value && (
          <button
            type="button"
            className="-my-3 py-3 font-semibold text-lagoon underline underline-offset-2"
            onClick={() => field.onChange(suggestion)}
          >
            Use ‘{suggestion}’
          </button>
        )
      }
      count={limit === undefined ? undefined : { used: value.length, limit }}
      optional={optional}
      hideLabel={hideLabel}
    >
      <Control {...attributes} {...field} value={value} />
    </Field>
  );
}

export const TextField: ControlField<typeof TextInput> = (props) => (
  <TextualField {...props} as={TextInput} />
);

export const TextAreaField: ControlField<typeof TextArea> = (props) => (
  <TextualField {...props} as={TextArea} />
);

type SelectFieldProps<In extends FieldValues, Out> = FieldProps<In, Out, typeof Select> & {
  /** Each value with what is shown for it, in order. */
  options: readonly (readonly [value: string, label: string])[];
  /** Shown while none is chosen. */
  prompt?: string;
};

/** One of several options. */
export function SelectField<In extends FieldValues, Out>({
  options,
  prompt,
  ...props
}: SelectFieldProps<In, Out>) {
  return (
    <TextualField {...props} as={Select}>
      {prompt && (
        <option value="" disabled>
          {prompt}
        </option>
      )}
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </TextualField>
  );
}

export const PasswordField: ControlField<typeof PasswordInput> = (props) => (
  <TextualField {...props} as={PasswordInput} />
);

/** A day, `YYYY-MM-DD`. */
export const DateField: ControlField<typeof DateInput> = (props) => (
  <TextualField {...props} as={DateInput} />
);

interface CheckboxFieldProps<In extends FieldValues, Out> extends NamedField<In, Out> {
  label: ReactNode;
  hint?: ReactNode;
  /** Reserves a line for an error, e.g. for terms that must be accepted. */
  required?: boolean;
}

export function CheckboxField<In extends FieldValues, Out>({
  form,
  name,
  label,
  hint,
  required = false,
}: CheckboxFieldProps<In, Out>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const error = fieldState.error?.message ?? (required ? '' : undefined);
  return (
    <Checkbox
      ref={field.ref}
      label={label}
      hint={hint}
      error={error}
      name={name}
      checked={field.value === true}
      onBlur={field.onBlur}
      onChange={(event) => field.onChange(event.target.checked)}
    />
  );
}

/** A rating of 0 to 10. */
export function StarField<In extends FieldValues, Out>({
  form,
  name,
  label,
}: NamedField<In, Out> & { label: string }) {
  const { field } = useController({ control: form.control, name });
  return <StarInput label={label} value={Number(field.value)} onChange={field.onChange} />;
}

interface FormProps {
  id?: string;
  form: Pick<FormHandle<FieldValues>, 'submit' | 'element'>;
  /** Names the form for assistive technology, which makes it a landmark. */
  label?: string;
  className?: string;
  children: ReactNode;
}

/** The frame of a form's fields. */
export function Form({ form, id, label, className, children }: FormProps) {
  return (
    <form
      ref={form.element}
      id={id}
      noValidate
      aria-label={label}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      {children}
    </form>
  );
}

/** Why a form with a box for the terms cannot be sent before it is ticked. */
export const termsFirst = 'Please accept the terms and conditions first.';

type SubmitButtonProps = Omit<ComponentProps<typeof Button>, 'type' | 'pending' | 'form'> & {
  form: Pick<FormHandle<FieldValues>, 'status' | 'waitSeconds'>;
  /** Id of the form's element, where the button is outside. */
  formId?: string;
};

/**
 * The button that submits a form; pending until the call has finished and the next page is shown. While the server wants
 * the sender to wait, it says how long.
 */
export function SubmitButton({ form, formId, disabledReason, children, ...button }: SubmitButtonProps) {
  const { status, waitSeconds } = form;
  const waitText = waitSeconds > 0 && formatDuration(waitSeconds);
  return (
    <Button
      {...button}
      type="submit"
      form={formId}
      pending={status === 'sending' || status === 'leaving'}
      disabledReason={waitText ? `You can try again in ${waitText}.` : disabledReason}
    >
      {waitText ? `Try again in ${waitText}` : children}
    </Button>
  );
}

interface FormDialogProps {
  form: Pick<FormHandle<FieldValues>, 'status' | 'waitSeconds' | 'submit' | 'element' | 'clear'>;
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
          <SubmitButton form={form} formId={id} pendingLabel={pendingLabel}>
            {submitLabel}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} id={id} className="flex flex-col gap-3 pb-1">
        {children}
      </Form>
    </ResponsiveDialog>
  );
}
