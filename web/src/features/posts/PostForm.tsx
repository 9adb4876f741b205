import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { altLength, captionLength, locationLength } from '@tara/contract/limits';
import { tagsOf } from '@tara/contract/posts';
import type { UseFormReturn } from 'react-hook-form';
import type { usePhoto } from '../../lib/use-photo.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Field } from '../../ui/Field.tsx';
import { PhotoPicker } from '../../ui/PhotoPicker.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { Tags } from './Caption.tsx';
import type { PostFields } from './post-fields.ts';

interface PostFormProps {
  form: UseFormReturn<PostFields, unknown, PostFields>;
  /** Null hides the photo field: the post shows a profile picture. */
  photo: ReturnType<typeof usePhoto> | null;
  submitLabel: string;
  pending: boolean;
  onSubmit: (values: PostFields) => void;
}

/** Caption, photo, location and tags: the form of /create-post and /update-post (§2, §5). */
export function PostForm({ form, photo, submitLabel, pending, onSubmit }: PostFormProps) {
  const { history } = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  const { errors } = form.formState;
  const tags = tagsOf(form.watch('tags'));
  return (
    <form noValidate onSubmit={form.handleSubmit(onSubmit)}>
      <Card className="flex flex-col gap-5">
        <Field label="Caption" limit={captionLength} error={errors.caption?.message}>
          <TextArea rows={3} placeholder="What happened, and with whom?" {...form.register('caption')} />
        </Field>
        {photo && (
          <Field label="Add Profile Picture" error={photo.refusal ?? errors.imageId?.message}>
            <PhotoPicker
              {...photo.picker}
              prompt="Add a photo"
              rule="JPG or PNG, up to 20 MB"
              pasteAnywhere
              disabled={pending}
            />
          </Field>
        )}
        {photo?.picker.previewUrl && (
          <Field
            label="Describe the photo"
            optional
            hint="For friends who cannot see it."
            limit={altLength}
            error={errors.alt?.message}
          >
            <TextInput {...form.register('alt')} />
          </Field>
        )}
        <Field label="Add Location" optional limit={locationLength} error={errors.location?.message}>
          <TextInput placeholder="Moalboal, Cebu" {...form.register('location')} />
        </Field>
        <div className="flex flex-col gap-2">
          <Field label="Add Tags" optional hint="Separate them with commas." error={errors.tags?.message}>
            <TextInput
              placeholder="beach, sunset, friends"
              autoCapitalize="none"
              {...form.register('tags')}
            />
          </Field>
          <Tags tags={tags} />
        </div>
        <div className="flex flex-wrap justify-end gap-3 max-sm:flex-col-reverse">
          <Button
            variant="secondary"
            onClick={() => (canGoBack ? history.back() : void navigate({ to: '/' }))}
          >
            Cancel
          </Button>
          <Button type="submit" pending={pending} pendingLabel="Loading...">
            {submitLabel}
          </Button>
        </div>
      </Card>
    </form>
  );
}
