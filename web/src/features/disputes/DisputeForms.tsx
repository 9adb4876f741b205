import {
  AnswerFormFields,
  type DisputedRequest,
  DisputeFormFields,
  disputeReasons,
  disputes,
} from '@tara/contract/disputes';
import { disputePhotoLimit, disputeStoryLength } from '@tara/contract/limits';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { errorNotice, isProblem } from '../../lib/failure.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SelectField, SubmitButton, TextAreaField } from '../../lib/form-fields.tsx';
import { PhotosField, storedPhotos } from '../../lib/photos-field.tsx';
import { invalidate } from '../../lib/queries.ts';
import { toast } from '../../ui/feedback.ts';

// Unfinished uploads among the photos are left out.
const imageIds = z.pipe(z.array(z.string()), z.transform(storedPhotos));
const NewDisputeFields = z.strictObject({ ...DisputeFormFields.shape, imageIds });
const NewAnswerFields = z.strictObject({ ...AnswerFormFields.shape, imageIds });

interface DisputeFormProps {
  interactionId: string;
  /** Who reads it besides the admins. */
  other: string;
  onSent: (changed: DisputedRequest) => void;
}

/** The other side was faster, or an admin: shows what is there now. */
function reloadWhenRefused(error: unknown) {
  if (isProblem(error, 'interaction_not_allowed', 'dispute_already_answered')) void invalidate(disputes.get);
  return errorNotice(error);
}

const photos = {
  name: 'imageIds',
  label: 'Photos',
  prompt: 'Add photos',
  hint: 'Such as of the place, or of messages.',
  limit: disputePhotoLimit,
} as const;

/** The client says what the problem was. */
export function NewDisputeForm({ interactionId, other, onSent }: DisputeFormProps) {
  const form = useForm({
    schema: NewDisputeFields,
    defaultValues: { reason: '', story: '', imageIds: [] },
    draft: { key: `dispute:${interactionId}` },
    send: (fields) => call(disputes.open, { body: { ...fields, interactionId } }),
    onSuccess: (changed) => {
      toast({
        title: 'Your dispute is open',
        text: `${other} can answer, then an admin decides.`,
        tone: 'success',
      });
      onSent(changed);
    },
    failureNotice: reloadWhenRefused,
  });
  return (
    <Form form={form} className="flex flex-col gap-4">
      <SelectField form={form} name="reason" label="What was wrong?">
        <option value="" disabled>
          Choose a reason
        </option>
        {Object.entries(disputeReasons).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextAreaField
        form={form}
        name="story"
        label="What happened?"
        hint={`${other} and the admins read it.`}
        limit={disputeStoryLength}
        rows={6}
      />
      <PhotosField form={form} {...photos} />
      <SubmitButton form={form} block pendingLabel="Sending...">
        Open a dispute
      </SubmitButton>
    </Form>
  );
}

/** The creator answers. */
export function NewAnswerForm({ interactionId, other, onSent }: DisputeFormProps) {
  const form = useForm({
    schema: NewAnswerFields,
    defaultValues: { story: '', imageIds: [] },
    draft: { key: `dispute-answer:${interactionId}` },
    question: () => ({
      title: 'Send your answer?',
      text: 'You cannot change it after.',
      confirmLabel: 'Send',
    }),
    send: (fields) => call(disputes.answer, { body: { ...fields, interactionId } }),
    onSuccess: (changed) => {
      toast({ title: 'Your answer is sent', text: 'An admin decides next.', tone: 'success' });
      onSent(changed);
    },
    failureNotice: reloadWhenRefused,
  });
  return (
    <Form form={form} className="flex flex-col gap-4">
      <TextAreaField
        form={form}
        name="story"
        label="Your answer"
        hint={`What happened from your side? ${other} and the admins read it.`}
        limit={disputeStoryLength}
        rows={6}
      />
      <PhotosField form={form} {...photos} />
      <SubmitButton form={form} block pendingLabel="Sending...">
        Send the answer
      </SubmitButton>
    </Form>
  );
}
