import { birthDate } from '@tara/contract/limits';
import { BirthDate, today } from '@tara/contract/members/profiles';
import { clsx } from 'clsx';
import { CalendarDays, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type FieldValues, type Path, useController } from 'react-hook-form';
import * as z from 'zod/mini';
import type { FormHandle } from '../../lib/form.tsx';
import { DateField } from '../../lib/form-fields.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { controlClass, DateInput, Field, useFieldControl } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';

const limits = () => ({ min: birthDate.earliest, max: today() });

interface BirthDateFieldProps<In extends FieldValues, Out> {
  form: Pick<FormHandle<In, Out>, 'control'>;
  name: Path<In>;
  hint: string;
  /** It can no longer be changed. */
  fixed?: boolean;
}

/**
 * A birth date that is empty until one is chosen: then a dialog opens with a picker at 2002-01-01, and nothing is taken
 * over before 'Choose' is pressed (decisions §2).
 */
export function BirthDateField<In extends FieldValues, Out>({
  form,
  name,
  hint,
  fixed = false,
}: BirthDateFieldProps<In, Out>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const [isChoosing, setIsChoosing] = useState(false);
  const chosen = useRef<HTMLDivElement>(null);
  const value = String(field.value ?? '');
  const wasEmpty = useRef(value === '');
  // The pressed button gives way to another control: the focus stays in the field.
  useEffect(() => {
    if (wasEmpty.current === (value === '')) return;
    wasEmpty.current = value === '';
    chosen.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [value]);
  return (
    <div ref={chosen}>
      {value === '' ? (
        <Field label="Birth date" hint={hint} error={fieldState.error?.message} lines={2}>
          <ChooseButton onPress={() => setIsChoosing(true)} />
        </Field>
      ) : (
        <div className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <DateField
              form={form}
              name={name}
              label="Birth date"
              hint={hint}
              lines={2}
              readOnly={fixed}
              autoComplete="bday"
              {...limits()}
            />
          </div>
          {!fixed && (
            <IconButton label="Remove the birth date" onClick={() => field.onChange('')} className="mt-6.5">
              <Icon of={X} />
            </IconButton>
          )}
        </div>
      )}
      <BirthDateDialog
        open={isChoosing}
        onClose={() => setIsChoosing(false)}
        onChoose={(day) => {
          setIsChoosing(false);
          field.onChange(day);
        }}
      />
    </div>
  );
}

/** Looks like a text field, because it is among some. */
function ChooseButton({ onPress }: { onPress: () => void }) {
  return (
    <button
      type="button"
      {...useFieldControl({})}
      onClick={onPress}
      className={clsx(controlClass, 'flex items-center justify-between bg-surface! text-left')}
    >
      <span className="text-ink-soft">Choose a date</span>
      <Icon of={CalendarDays} className="text-ink-soft" />
    </button>
  );
}

function BirthDateDialog({
  open,
  onClose,
  onChoose,
}: {
  open: boolean;
  onClose: () => void;
  onChoose: (day: string) => void;
}) {
  const [day, setDay] = useState<string>(birthDate.pickerStart);
  const [error, setError] = useState<string>();
  const choose = () => {
    const { success, error: broken } = z.safeParse(BirthDate, day);
    setError(broken?.issues[0]?.message);
    if (success) onChoose(day);
  };
  return (
    <ResponsiveDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Birth date"
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={choose}>Choose</Button>
        </>
      }
    >
      <Field label="Day, month and year" error={error}>
        <DateInput {...limits()} value={day} onChange={({ target }) => setDay(target.value)} />
      </Field>
    </ResponsiveDialog>
  );
}
