import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { text } from '@tara/contract/fields';
import { altLength, captionLength, locationLength } from '@tara/contract/limits';
import { PostFormFields, parseTags } from '@tara/contract/posts/posts';
import { problemMessage } from '@tara/contract/problems';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { FormHandle } from '../../lib/form.tsx';
import { Form, SubmitButton, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { PhotoField } from '../../lib/photo-field.tsx';
import { Button } from '../../ui/Button.tsx';
import { Tags } from './PostCard.tsx';

/** The fields of the form; the id of the photo is set once it is stored. */
export const PostFields = z.strictObject({
  ...PostFormFields.shape,
  imageId: z.string().check(z.minLength(1, problemMessage('storage_file_empty'))),
  alt: text(altLength),
});
export type PostFields = z.infer<typeof PostFields>;

interface PostFormProps {
  form: FormHandle<PostFields, PostFields>;
  /** The post shows a profile picture: the photo field is hidden. */
  hidesPhoto?: boolean;
  /** The post's current picture. */
  inUse?: string | null;
  submitLabel: string;
}

/** Caption, photo, location and tags: the form of /create-post and /update-post (§2, §5). */
export function PostForm({ form, hidesPhoto = false, inUse = null, submitLabel }: PostFormProps) {
  const { history } = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  const tags = parseTags(useWatch({ control: form.control, name: 'tags' }));
  return (
    <Form form={form}>
      <div className="flex flex-col gap-3">
        <TextAreaField
          form={form}
          name="caption"
          label="Caption"
          limit={captionLength}
          rows={3}
          placeholder="What happened, and with whom?"
        />
        {!hidesPhoto && (
          <PhotoField
            form={form}
            name="imageId"
            label="Add Profile Picture"
            prompt="Add a photo"
            inUse={inUse}
            pasteAnywhere
          >
            <TextField
              form={form}
              name="alt"
              label="Describe the photo"
              optional
              hint="For friends who cannot see it."
              limit={altLength}
            />
          </PhotoField>
        )}
        <TextField
          form={form}
          name="location"
          label="Add Location"
          optional
          limit={locationLength}
          placeholder="Moalboal, Cebu"
        />
        <TextField
          form={form}
          name="tags"
          label="Add Tags"
          optional
          hint="Separate them with commas."
          placeholder="beach, sunset, friends"
          autoCapitalize="none"
        />
        <Tags tags={tags} />
        <div className="flex flex-wrap justify-end gap-3 max-sm:flex-col-reverse">
          <Button
            variant="secondary"
            onClick={() => (canGoBack ? history.back() : void navigate({ to: '/' }))}
          >
            Cancel
          </Button>
          <SubmitButton form={form} pendingLabel="Loading...">
            {submitLabel}
          </SubmitButton>
        </div>
      </div>
    </Form>
  );
}
