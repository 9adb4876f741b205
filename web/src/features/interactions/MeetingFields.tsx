import { meetingAheadDays, planLength } from '@tara/contract/limits';
import { type MeetingForm, meetingFields } from '@tara/contract/meetings';
import { useState } from 'react';
import type { FormHandle } from '../../lib/form.tsx';
import { DateField, TextField } from '../../lib/form-fields.tsx';

/** Day, time and place of a meeting, for a form with the schema `MeetingForm`. */
export function MeetingFields({ form }: { form: FormHandle<MeetingForm> }) {
  // A day that begins while the form is open is refused by its own rule.
  const [[earliest, latest]] = useState(() =>
    [0, meetingAheadDays].map(
      (days) => meetingFields(new Date(Date.now() + days * 86_400_000).toISOString()).day,
    ),
  );
  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-2 gap-3">
        <DateField form={form} name="day" label="Day" min={earliest} max={latest} lines={1} />
        <TextField form={form} name="time" label="Time" type="time" hint="Philippine time" lines={1} />
      </div>
      <TextField
        form={form}
        name="place"
        label="Place"
        hint="A public place that both of you know."
        limit={planLength.place}
      />
    </div>
  );
}
