import { Link } from '@tanstack/react-router';
import { files } from '@tara/contract/files';
import { planLength, upload } from '@tara/contract/limits';
import type { UseFormReturn } from 'react-hook-form';
import { addressOf } from '../../lib/call.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { PhotoPicker } from '../../ui/PhotoPicker.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { linkClass } from '../../ui/TextLink.tsx';
import { usePreviewUrl } from '../../ui/use-preview-url.ts';
import { useSession } from '../accounts/index.ts';
import { GenericTerms } from './GenericTerms.tsx';
import { refusalToCreate } from './may-create.ts';
import { Notice } from './Notice.tsx';
import type { PlanFormIn, PlanFormOut } from './plan-form.ts';
import { useCover } from './use-cover.ts';

interface PlanFieldsProps {
  form: UseFormReturn<PlanFormIn, unknown, PlanFormOut>;
  pending: boolean;
  onSubmit: (plan: PlanFormOut) => void;
}

/** The fields of a new plan; its button says why it cannot be pressed. */
export function PlanFields({ form, pending, onSubmit }: PlanFieldsProps) {
  const { profile } = useSession();
  const refusal = refusalToCreate(profile);
  const { errors } = form.formState;
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={form.handleSubmit(onSubmit)}>
      {refusal && (
        <Notice {...refusal.notice}>
          {profile.verified !== true && (
            <Link to="/verifying-identity" className={linkClass}>
              Get Verified
            </Link>
          )}
        </Notice>
      )}
      <Cover form={form} />
      <Field label="Title" limit={planLength.title} error={errors.title?.message}>
        <TextInput {...form.register('title')} />
      </Field>
      <Field label="Description" optional limit={planLength.desc} error={errors.desc?.message}>
        <TextArea rows={4} {...form.register('desc')} />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Time"
          optional
          hint="In your words, such as 6-9 pm."
          limit={planLength.time}
          error={errors.time?.message}
        >
          <TextInput {...form.register('time')} />
        </Field>
        <Field
          label="Price in pesos"
          hint="0 is a free plan. Otherwise at least ₱100.00."
          error={errors.price?.message}
        >
          <TextInput inputMode="decimal" placeholder="0" className="figures" {...form.register('price')} />
        </Field>
      </div>
      <Field
        label="Your terms"
        hint={`What a friend has to know and keep to; at least ${planLength.terms.min} characters.`}
        limit={planLength.terms.max}
        error={errors.terms?.message}
      >
        <TextArea rows={4} {...form.register('terms')} />
      </Field>
      <GenericTerms />
      <Checkbox
        label="Accept terms and conditions"
        error={errors.accepted?.message}
        {...form.register('accepted')}
      />
      <Button
        type="submit"
        size="lg"
        block
        pending={pending}
        pendingLabel="Creating..."
        disabledReason={refusal && `${refusal.notice.title} ${refusal.notice.text}`}
      >
        {refusal ? refusal.button : 'Create plan'}
      </Button>
    </form>
  );
}

/** The cover is stored when chosen; its id is a value of the form and so survives a reload with the draft. */
function Cover({ form }: Pick<PlanFieldsProps, 'form'>) {
  const imageId = form.watch('imageId');
  const cover = useCover((stored) =>
    form.setValue('imageId', stored, { shouldDirty: true, shouldValidate: stored !== '' }),
  );
  const chosen = usePreviewUrl(cover.file);
  const stored = addressOf(files.preview, {
    params: { bucketId: 'images', fileId: imageId },
    query: { width: 640 },
  });
  return (
    <Field label="Cover photo" error={form.formState.errors.imageId?.message}>
      <PhotoPicker
        prompt="Add a cover photo"
        rule={`JPG or PNG, up to ${upload.images / 1024 / 1024} MB`}
        previewUrl={chosen ?? (imageId ? stored : null)}
        previewAlt="The cover of your plan"
        pasteAnywhere
        onPick={cover.pick}
        onRemove={cover.remove}
        progress={cover.progress}
        onCancel={cover.cancel}
        failure={cover.failure}
        onRetry={cover.retry}
      />
    </Field>
  );
}
