import type { MeetingForm } from '@tara/contract/interactions/meetings';
import type { PlanDetail } from '@tara/contract/plans/plans';
import { useWatch } from 'react-hook-form';
import type { FormHandle } from '../../lib/form.tsx';
import { TextField } from '../../lib/form-fields.tsx';
import { bookedText } from './taken-times.ts';

interface MeetingTimeFieldProps {
  form: FormHandle<MeetingForm>;
  taken: PlanDetail['taken'];
  /** null for the viewer. */
  creatorName: string | null;
}

/** The time of a meeting, with when its creator is booked on the chosen day. */
export function MeetingTimeField({ form, taken, creatorName }: MeetingTimeFieldProps) {
  const day = useWatch({ control: form.control, name: 'day' });
  return (
    <TextField
      form={form}
      name="time"
      label="Time"
      type="time"
      hint="Philippine time"
      note={bookedText(taken, day, creatorName)}
      deps={['day']}
    />
  );
}
